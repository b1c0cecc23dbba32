#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/look/data_look.h"

namespace plimsoll::fit {
namespace {

// Three significant figures, whole numbers from 1000 on.
std::string figures(double value) {
    return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string amount(const DataLook& look, std::uint64_t count) {
    return look.unit == "bytes" ? human_bytes(static_cast<double>(count))
                                : fmt::format("{} {}", count, look.unit);
}

std::string size_sentence(const DataLook& look) {
    std::string what =
        look.modality == Modality::text ? amount(look, look.size) + " of text" : amount(look, look.size);
    if (look.modality == Modality::images)
        what += fmt::format(" of {} x {} pixels and {} channel{}", look.image_height, look.image_width,
                            look.image_channels, look.image_channels == 1 ? "" : "s");
    if (look.modality == Modality::sequences) what += fmt::format(" of {} tokens", look.length);
    if (look.classes > 0) what += fmt::format(" in {} classes", look.classes);
    return fmt::format("{}; {} are held out ({}).", what, amount(look, look.held_out), look.held_out_part);
}

std::string chance_sentence(const DataLook& look) {
    if (look.goal == Goal::accuracy)
        return fmt::format("Always the most frequent class is right in {:.3g} % of the held-out {}.",
                           100 * look.chance, look.unit);
    if (look.goal == Goal::explained_variance) return "Always the mean explains nothing of the variance.";
    return fmt::format("Frequencies alone give {:.3g} {}.", look.chance, value_unit(look));
}

std::string choice_sentence(const DataLook& look, const InputChoice& choice) {
    if (look.modality == Modality::images)
        return fmt::format("{}: {} tokens of {:.0f} numbers, rank {:.0f}, effective rank {} (measured).",
                           choice.name, choice.tokens, choice.units_per_token, choice.rank,
                           figures(choice.effective_rank));
    if (look.modality == Modality::rows)
        return fmt::format("{}: {} columns, {}.", choice.name, choice.tokens, choice.spec_keys.value_or(""));
    const bool text = look.modality == Modality::text || look.modality == Modality::pairs;
    const std::string bytes = text && choice.units_per_token != 1
                                  ? fmt::format(", {:.3g} bytes per token held out", choice.units_per_token)
                                  : "";
    return fmt::format("{}: vocabulary {}, rank {:.0f} (counted), effective rank {}{}; {} tokens an example.",
                       choice.name, choice.vocab, choice.rank, figures(choice.effective_rank), bytes,
                       choice.tokens);
}

}  // namespace

std::vector<std::string> sentences(const DataLook& look) {
    std::vector<std::string> result{size_sentence(look), chance_sentence(look)};
    for (const InputChoice& choice : look.inputs) result.push_back(choice_sentence(look, choice));
    for (const auto* list : {&look.dependence.sentences, &look.notes})
        result.insert(result.end(), list->begin(), list->end());
    return result;
}

}  // namespace plimsoll::fit

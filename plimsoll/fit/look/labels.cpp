#include "plimsoll/fit/look/labels.h"

#include <algorithm>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/look/input_rank.h"
#include "plimsoll/fit/look/row_dependence.h"
#include "plimsoll/run/splits.h"

namespace plimsoll::fit {
namespace {

std::vector<std::uint64_t> histogram(const std::vector<std::uint16_t>& labels, std::size_t classes) {
    std::vector<std::uint64_t> counts(classes);
    for (const std::uint16_t label : labels) ++counts[label];
    return counts;
}

std::size_t classes_of(const LabelledParts& parts) {
    std::size_t classes = 0;
    for (const auto* labels : {&parts.train, &parts.held_out})
        for (const std::uint16_t label : *labels) classes = std::max<std::size_t>(classes, label + 1U);
    return classes;
}

std::string class_name(const LabelledParts& parts, std::size_t label) {
    return label < parts.names.size() ? parts.names[label] : std::to_string(label);
}

Status check_counts(const LabelledParts& parts, const LookTask& task) {
    const std::size_t all = parts.train.size() + parts.held_out.size();
    if (all == 0)
        return bad_input(task.name,
                         fmt::format("has no labelled {}: there is nothing to learn from", parts.unit));
    if (parts.train.empty() || parts.held_out.empty())
        return bad_input(task.name,
                         fmt::format("has {} {}, too few to hold some of them out; give at least 2 of each "
                                     "class, better hundreds",
                                     all, parts.unit));
    const std::size_t known = std::max(classes_of(parts), parts.names.size());
    if (parts.train.size() < known)
        return bad_input(task.name,
                         fmt::format("has {} {} to train on for {} classes; give at least one of each class, "
                                     "better hundreds",
                                     parts.train.size(), parts.unit, known));
    return {};
}

Status check_classes(const LabelledParts& parts, const std::vector<std::uint64_t>& counts,
                     const LookTask& task) {
    const auto most = std::ranges::max_element(counts);
    if (*most < parts.train.size()) return {};
    return bad_input(
        task.name,
        fmt::format("has one class: all {} {} to train on are '{}', so there is nothing to tell apart",
                    parts.train.size(), parts.unit,
                    class_name(parts, static_cast<std::size_t>(most - counts.begin()))));
}

void note_unseen(const LabelledParts& parts, const std::vector<std::uint64_t>& train,
                 const std::vector<std::uint64_t>& held_out, DataLook& look) {
    std::vector<std::size_t> never_held;
    for (std::size_t label = 0; label < train.size(); ++label) {
        if (train[label] == 0 && held_out[label] > 0)
            look.notes.push_back(fmt::format("The class '{}' is held out {} times and never trained on.",
                                             class_name(parts, label), held_out[label]));
        if (train[label] > 0 && held_out[label] == 0) never_held.push_back(label);
    }
    if (!never_held.empty())
        look.notes.push_back(
            fmt::format("{} of {} classes ('{}' first) are trained on and never held out: the "
                        "accuracy says nothing about them.",
                        never_held.size(), train.size(), class_name(parts, never_held.front())));
}

// The first symbols of the sequences, coarse enough to count their pairs.
SymbolRows symbol_rows(const data::LabelledSequences& set, std::size_t first, std::size_t places,
                       std::size_t count, std::size_t classes) {
    std::vector<std::uint32_t> taken;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = first; j < first + places; ++j) taken.push_back(set.tokens[i * set.length + j]);
    return {coarse_symbols(taken, classes), places, classes};
}

// Pairs of places so far apart, at most 16 of them, spread over the sequence.
std::vector<PositionPair> places_apart(std::size_t length, std::size_t distance) {
    constexpr std::size_t most = 16;
    const std::size_t all = length - distance, count = std::min(all, most);
    std::vector<PositionPair> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back({i * all / count, i * all / count + distance});
    return places;
}

Dependence token_dependence(const data::LabelledSequences& set, std::size_t training, std::uint64_t seed) {
    constexpr std::size_t most_rows = 16384, most_window = 16;
    const std::size_t count = std::min(training, most_rows),
                      window = std::min(set.length, most_window) / 2 * 2;
    Dependence result{.of = "tokens", .window = static_cast<std::int64_t>(window)};
    const SymbolRows rows = symbol_rows(set, 0, set.length, count, countable_classes(count, 32));
    for (std::size_t distance = 1; distance < set.length; distance *= 2)
        result.by_distance.push_back(
            place_dependence(rows, places_apart(set.length, distance), static_cast<double>(distance), seed));
    if (window >= 2) {
        const SymbolRows windows = symbol_rows(set, 0, window, count, classes_for(count, window));
        for (const Split& split : row_splits(window))
            result.splits.push_back(split_dependence(windows, split, seed));
    }
    describe(result, fmt::format("the first {} tokens", window));
    return result;
}

InputChoice symbol_choice(const data::LabelledSequences& set, std::size_t training) {
    std::vector<std::uint64_t> counts(set.vocabulary);
    for (std::size_t i = 0; i < training * set.length; ++i) ++counts[set.tokens[i]];
    const InputRank rank = vocabulary_rank(counts);
    InputChoice choice{.name = "symbols", .tokenizer = "bytes", .vocab = set.vocabulary};
    choice.tokens = static_cast<std::int64_t>(set.length);
    choice.units_per_token = 1;
    choice.rank = rank.rank;
    choice.effective_rank = rank.effective_rank;
    choice.rank_source = rank.source;
    choice.validation_fraction = default_fraction;
    return choice;
}

}  // namespace

Status describe_labels(const LabelledParts& parts, const LookTask& task, DataLook& look) {
    PLIMSOLL_RETURN_IF_ERROR(check_counts(parts, task));
    const std::size_t classes = classes_of(parts);
    const auto train = histogram(parts.train, classes), held_out = histogram(parts.held_out, classes);
    PLIMSOLL_RETURN_IF_ERROR(check_classes(parts, train, task));
    note_unseen(parts, train, held_out, look);
    const auto answer = static_cast<std::size_t>(std::ranges::max_element(train) - train.begin());
    look.data = task.name;
    look.goal = Goal::accuracy;
    look.unit = parts.unit;
    look.size = parts.train.size() + parts.held_out.size();
    look.held_out = parts.held_out.size();
    look.classes = static_cast<std::int64_t>(classes);
    look.chance = static_cast<double>(held_out[answer]) / static_cast<double>(parts.held_out.size());
    return {};
}

Result<DataLook> look_at(const data::LabelledSequences& set, const LookTask& task) {
    const std::size_t all = set.labels.size();
    const std::size_t held_out =
        set.test_count > 0 ? set.test_count : run::last_examples(all, default_fraction);
    const auto cut = set.labels.end() - static_cast<std::ptrdiff_t>(held_out);
    DataLook look{.modality = Modality::sequences, .length = static_cast<std::int64_t>(set.length)};
    PLIMSOLL_RETURN_IF_ERROR(
        describe_labels({{set.labels.begin(), cut}, {cut, set.labels.end()}, {}, "sequences"}, task, look));
    look.held_out_part = set.test_count > 0 ? "test" : "last 10 %";
    look.dependence = token_dependence(set, all - held_out, task.seed());
    look.inputs.push_back(symbol_choice(set, all - held_out));
    look.notes.push_back(
        "The dependence is that of the tokens among themselves; what the label needs of them it does not "
        "see.");
    return look;
}

Result<DataLook> look_at(const data::LabelledMatrices&, const LookTask& task) {
    return unsupported(
        task.name,
        "is a set of matrices of real numbers, which no family of fit reads; a teacher that reads "
        "tokens does (synthetic:teacher,spec=attention:...)");
}

}  // namespace plimsoll::fit

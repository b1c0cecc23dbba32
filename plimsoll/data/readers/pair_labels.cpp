#include "plimsoll/data/readers/pair_labels.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/tables/dialect.h"

namespace plimsoll::data {
namespace {

// Labels as they are written and as they are meant.
enum Meaning : std::uint16_t { entailment, neutral, contradiction, not_entailment, meanings };
constexpr std::array<std::string_view, meanings> meaning_names{"entailment", "neutral", "contradiction",
                                                               "not_entailment"};
struct LabelName {
    std::string_view written;
    Meaning meant;
};
constexpr LabelName label_names[] = {
    {"entailment", entailment}, {"neutral", neutral},      {"contradiction", contradiction},
    {"yes", entailment},        {"no", not_entailment},    {"not_entailment", not_entailment},
    {"true", entailment},       {"false", not_entailment}, {"unknown", neutral},
};

std::string small_letters(std::string_view text) {
    std::string copy(text);
    for (char& c : copy)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return copy;
}

std::optional<Meaning> meaning_of(const std::string& word) {
    const std::string small = small_letters(word);
    for (const auto& name : label_names)
        if (name.written == small) return name.meant;
    return std::nullopt;
}

std::optional<std::uint16_t> number_of(const std::string& word) {
    constexpr std::size_t most_digits = 4;
    const bool digits = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || word.empty() || word.size() > most_digits) return std::nullopt;
    return static_cast<std::uint16_t>(std::stoi(word));
}

// Each different word once, with the number of its class.
using Words = std::map<std::string, std::uint16_t>;

void use_numbers(Words& words, SentencePairs& pairs) {
    std::uint16_t most = 0;
    for (auto& [word, number] : words) most = std::max(most, number = *number_of(word));
    for (int i = 0; i <= most; ++i) pairs.label_names.push_back(std::to_string(i));
}

void use_meanings(Words& words, SentencePairs& pairs) {
    const auto has = [&](Meaning one) {
        return std::ranges::any_of(words, [&](const auto& word) { return meaning_of(word.first) == one; });
    };
    std::vector<Meaning> order{entailment, neutral, contradiction};
    if (has(not_entailment)) {
        order = {entailment, not_entailment};
        for (const Meaning other : {neutral, contradiction})
            if (has(other)) order.push_back(other);
    }
    for (const Meaning one : order) pairs.label_names.emplace_back(meaning_names[one]);
    for (auto& [word, number] : words)
        number = static_cast<std::uint16_t>(std::ranges::find(order, *meaning_of(word)) - order.begin());
}

Status use_words(Words& words, std::string_view file, SentencePairs& pairs) {
    constexpr std::size_t most_words = 1000;
    if (words.size() > most_words)
        return bad_input(std::string(file), fmt::format("has {} different labels; is that the column of the "
                                                        "labels? --columns names the three",
                                                        words.size()));
    for (auto& [word, number] : words) {
        if (is_number(word))
            return bad_input(std::string(file),
                             fmt::format("label '{}': labels are words, or whole numbers up "
                                         "to 9999",
                                         printable(word)));
        number = static_cast<std::uint16_t>(pairs.label_names.size());
        pairs.label_names.push_back(printable(word));
    }
    return {};
}

}  // namespace

Status settle_labels(const std::vector<std::string>& written, std::string_view file, SentencePairs& pairs) {
    Words words;
    for (const auto& word : written) words.emplace(word, std::uint16_t{0});
    const auto count = [&](auto known) {
        return static_cast<std::size_t>(std::ranges::count_if(words, known));
    };
    const auto numbers = count([](const auto& word) { return number_of(word.first).has_value(); }),
               meant = count([](const auto& word) { return meaning_of(word.first).has_value(); });
    if (numbers > 0 && numbers < words.size())
        return bad_input(std::string(file), "some labels are numbers and some are words");
    if (meant > 0 && meant < words.size()) {
        const auto odd = std::ranges::find_if(words, [](const auto& w) { return !meaning_of(w.first); });
        return bad_input(
            std::string(file),
            fmt::format("label '{}' among those of entailment; known beside them are entailment, "
                        "neutral, contradiction, not_entailment, yes, no, true, false, unknown "
                        "and -",
                        printable(odd->first)));
    }
    if (numbers > 0) {
        use_numbers(words, pairs);
    } else if (meant > 0) {
        use_meanings(words, pairs);
    } else {
        PLIMSOLL_RETURN_IF_ERROR(use_words(words, file, pairs));
    }
    for (const auto& word : written) pairs.labels.push_back(words.at(word));
    return {};
}

}  // namespace plimsoll::data

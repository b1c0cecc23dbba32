#include "plimsoll/base/condition.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll {
namespace {

struct Sign {
    std::string_view text;
    Comparator comparator;
};

// Longer signs first: "<=" starts as "<" does.
constexpr std::array signs{Sign{"<=", Comparator::at_most}, Sign{">=", Comparator::at_least},
                           Sign{"==", Comparator::equal},   Sign{"!=", Comparator::not_equal},
                           Sign{"<", Comparator::less},     Sign{">", Comparator::more}};

struct Found {
    std::size_t at = std::string_view::npos;
    Sign sign{};
};

Found find_sign(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const Sign& sign : signs)
            if (text.substr(i).starts_with(sign.text)) return {i, sign};
    return {};
}

Error unknown_key(const std::string& word, const ConditionWords& words, const std::string& place) {
    const std::string hint = words.hint ? words.hint(word) : suggestion(word, words.keys);
    return bad_input(place, fmt::format("unknown {} '{}'{}", words.noun, word, hint));
}

Result<Operand> read_operand(std::string_view text, const ConditionWords& words, const std::string& place) {
    const std::string word(trim(text));
    if (word.empty()) return bad_input(place, "a comparison has two sides, as in " + words.example);
    if (std::ranges::find(words.keys, word) != words.keys.end()) return Operand{word, {}};
    if (words.must_be_key && words.must_be_key(word)) return unknown_key(word, words, place);
    const bool quoted = word.size() >= 2 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0];
    if (quoted) return Operand{"", word.substr(1, word.size() - 2)};
    return Operand{"", plain_word(word)};
}

Result<Comparison> read_comparison(std::string_view text, const ConditionWords& words,
                                   const std::string& place) {
    const Found found = find_sign(text);
    if (found.at == std::string_view::npos) {
        return bad_input(place, fmt::format("must be comparisons with < <= == != >= > joined by or, got '{}'",
                                            trim(text)));
    }
    PLIMSOLL_ASSIGN(left, read_operand(text.substr(0, found.at), words, place));
    PLIMSOLL_ASSIGN(right, read_operand(text.substr(found.at + found.sign.text.size()), words, place));
    if (left.key.empty() && right.key.empty())
        return unknown_key(std::string(trim(text.substr(0, found.at))), words, place);
    return Comparison{left, right, found.sign.comparator};
}

std::vector<std::string_view> split_at_or(std::string_view text) {
    constexpr std::string_view word = " or ";
    std::vector<std::string_view> pieces;
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word)) {
        pieces.push_back(text.substr(0, at));
        text.remove_prefix(at + word.size());
    }
    pieces.push_back(text);
    return pieces;
}

bool in_order(double left, double right, Comparator comparator) {
    switch (comparator) {
        case Comparator::less:
            return left < right;
        case Comparator::at_most:
            return left <= right;
        case Comparator::equal:
            return left == right;
        case Comparator::not_equal:
            return left != right;
        case Comparator::at_least:
            return left >= right;
        case Comparator::more:
            return left > right;
    }
    return false;
}

std::string shown(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    if (value.is_number_float()) return fmt::format("{}", value.get<double>());
    return value.dump();
}

Result<bool> compare_alike(const Json& left, const Json& right, Comparator comparator,
                           const Condition& whole) {
    if (left.is_number() && right.is_number())
        return in_order(left.get<double>(), right.get<double>(), comparator);
    if (comparator == Comparator::equal) return left == right;
    if (comparator == Comparator::not_equal) return left != right;
    return bad_input(whole.place, fmt::format("'{}': {} and {} cannot be put in order", whole.text,
                                              shown(left), shown(right)));
}

// A word beside a number or a truth is read as one, if it can be: the word "64K" equals 64000.
Result<bool> compare(const Json& left, const Json& right, Comparator comparator, const Condition& whole) {
    if (left.is_string() == right.is_string()) return compare_alike(left, right, comparator, whole);
    return compare_alike(plain_word(left), plain_word(right), comparator, whole);
}

}  // namespace

Result<Condition> read_condition(std::string_view text, const ConditionWords& words,
                                 const std::string& place) {
    Condition condition{{}, std::string(text), place};
    for (const auto piece : split_at_or(text)) {
        PLIMSOLL_ASSIGN(comparison, read_comparison(piece, words, place));
        condition.any.push_back(std::move(comparison));
    }
    return condition;
}

Json plain_word(const Json& value) {
    if (!value.is_string()) return value;
    const auto word = value.get<std::string>();
    if (word == "on" || word == "true") return true;
    if (word == "off" || word == "false") return false;
    if (const auto count = parse_count(word, ""); count.ok()) return *count;
    if (const auto number = parse_real(word, ""); number.ok()) return *number;
    return value;
}

std::vector<std::string> keys_of(const Condition& condition) {
    std::vector<std::string> keys;
    for (const auto& comparison : condition.any)
        for (const Operand* side : {&comparison.left, &comparison.right})
            if (!side->key.empty()) keys.push_back(side->key);
    return keys;
}

Result<std::optional<bool>> holds(const Condition& condition, const Lookup& lookup) {
    const auto value_of = [&](const Operand& side) {
        return side.key.empty() ? side.value : lookup(side.key);
    };
    bool known = true;
    for (const auto& comparison : condition.any) {
        const Json left = value_of(comparison.left), right = value_of(comparison.right);
        if (left.is_null() || right.is_null()) {
            known = false;
            continue;
        }
        PLIMSOLL_ASSIGN(yes, compare(left, right, comparison.comparator, condition));
        if (yes) return std::optional(true);
    }
    return known ? std::optional(false) : std::nullopt;
}

}  // namespace plimsoll

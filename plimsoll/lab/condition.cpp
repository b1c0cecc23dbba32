#include "plimsoll/lab/condition.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/setting.h"

namespace plimsoll::lab {
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

using Keys = std::span<const std::string>;

Result<Operand> read_operand(std::string_view text, Keys keys, const std::string& place) {
    const std::string word(trim(text));
    if (word.empty()) return bad_input(place, "a comparison has two sides, as in model.depth <= 12");
    if (std::ranges::find(keys, word) != keys.end()) return Operand{word, {}};
    if (is_run_section(word.substr(0, word.find('.'))) && word.find('.') != std::string::npos)
        return bad_input(place, fmt::format("unknown key '{}'{}", word, key_hint(word, keys)));
    const bool quoted = word.size() >= 2 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0];
    if (quoted) return Operand{"", word.substr(1, word.size() - 2)};
    return Operand{"", plain_word(word)};
}

Result<Comparison> read_comparison(std::string_view text, Keys keys, const std::string& place) {
    const Found found = find_sign(text);
    if (found.at == std::string_view::npos) {
        return bad_input(place, fmt::format("must be comparisons with < <= == != >= > joined by or, got '{}'",
                                            trim(text)));
    }
    PLIMSOLL_ASSIGN(left, read_operand(text.substr(0, found.at), keys, place));
    PLIMSOLL_ASSIGN(right, read_operand(text.substr(found.at + found.sign.text.size()), keys, place));
    if (left.key.empty() && right.key.empty()) {
        const std::string word(trim(text.substr(0, found.at)));
        return bad_input(place, fmt::format("unknown key '{}'{}", word, key_hint(word, keys)));
    }
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

Result<bool> compare(const Json& left, const Json& right, Comparator comparator, const Condition& whole) {
    if (left.is_number() && right.is_number())
        return in_order(left.get<double>(), right.get<double>(), comparator);
    if (comparator == Comparator::equal) return left == right;
    if (comparator == Comparator::not_equal) return left != right;
    return bad_input(whole.place, fmt::format("'{}': {} and {} cannot be put in order", whole.text,
                                              value_text(left), value_text(right)));
}

}  // namespace

Result<Condition> read_condition(std::string_view text, std::span<const std::string> keys,
                                 const std::string& place) {
    Condition condition{{}, std::string(text), place};
    for (const auto piece : split_at_or(text)) {
        PLIMSOLL_ASSIGN(comparison, read_comparison(piece, keys, place));
        condition.any.push_back(std::move(comparison));
    }
    return condition;
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

}  // namespace plimsoll::lab

#include "plimsoll/formats/class_counts/class_row.h"

#include <algorithm>
#include <charconv>

namespace plimsoll::formats {
namespace {

using Whole = ExpressionValue::Whole;

constexpr std::int64_t largest_number = 1'000'000'000'000;
constexpr std::int64_t longest_list = 100'000;
constexpr int most_levels = 8;  // of keys that follow from others

// The next word of a path, which is shortened by it.
std::string_view next_word(std::string_view& path) {
    const std::size_t dot = path.find('.');
    const std::string_view word = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    return word;
}

const Json* entry(const Json& list, std::string_view word) {
    std::size_t index = 0;
    const auto end = word.data() + word.size();
    if (const auto read = std::from_chars(word.data(), end, index); read.ptr != end) return nullptr;
    return index < list.size() ? &list[index] : nullptr;
}

const Json* at_path(const Json& object, std::string_view path) {
    const Json* at = &object;
    while (!path.empty() && at != nullptr) {
        const std::string_view word = next_word(path);
        if (at->is_array()) {
            at = entry(*at, word);
            continue;
        }
        const auto found = at->is_object() ? at->find(word) : at->end();
        at = at->is_object() && found != at->end() ? &*found : nullptr;
    }
    return at;
}

// JSON numbers and flags as Python computes with them.
std::optional<ExpressionValue> as_number(const Json& value) {
    if (value.is_boolean()) return ExpressionValue::of(value.get<bool>() ? 1 : 0);
    if (value.is_number_float()) return ExpressionValue::of_real(value.get<double>());
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(largest_number))
        return std::nullopt;
    const auto whole = value.get<std::int64_t>();
    if (whole < -largest_number) return std::nullopt;
    return ExpressionValue::of(whole);
}

std::optional<std::vector<std::string>> words_of(const Json& list) {
    if (!list.is_array() || list.size() > static_cast<std::size_t>(longest_list)) return std::nullopt;
    std::vector<std::string> words;
    for (const Json& word : list) {
        if (!word.is_string()) return std::nullopt;
        words.push_back(word.get<std::string>());
    }
    return words;
}

}  // namespace

bool same_value(const Json& a, const Json& b) {
    const auto nothing = [](const Json& value) {
        return value.is_null() || (value.is_array() && value.empty());
    };
    if (nothing(a) || nothing(b)) return nothing(a) && nothing(b);
    const bool flag = a.is_boolean() != b.is_boolean() && (a.is_number() || b.is_number());
    if (!flag) return a == b;
    return as_number(a)->as_real() == as_number(b)->as_real();
}

const Json& ClassRow::part(std::string_view name) const {
    static const Json none = Json::object();
    const auto found = row_.find(name);
    return found == row_.end() ? none : *found;
}

const Json* ClassRow::in_file(std::string_view path) const {
    if (const Json* found = at_path(config_, path)) return found;
    for (const auto& [alias, key] : part("aliases").items()) {
        if (key != path) continue;
        if (const Json* found = at_path(config_, alias)) return found;
    }
    return nullptr;
}

Json ClassRow::value(std::string_view path) const {
    if (const Json* found = in_file(path)) return *found;
    const auto& keys = part("keys");
    const auto known = keys.find(path);
    return known == keys.end() ? Json() : *known;
}

std::optional<ExpressionValue> ClassRow::number(std::string_view path, int levels) const {
    const Json now = value(path);
    if (!now.is_null()) return as_number(now);
    const auto& follows = part("follows");
    const auto rule = follows.find(path);
    if (rule == follows.end() || levels == 0) return std::nullopt;
    ExpressionNames inner = names();
    inner.number = [this, levels](std::string_view key) { return number(key, levels - 1); };
    const auto found = evaluate_expression(rule->get_ref<const std::string&>(), inner);
    return found.ok() ? std::optional(*found) : std::nullopt;
}

std::optional<std::size_t> ClassRow::length(const Json& key) const {
    const auto value = number(key.get_ref<const std::string&>(), most_levels);
    if (!value || value->is_real || value->whole < 0 || value->whole > Whole{longest_list})
        return std::nullopt;
    return static_cast<std::size_t>(value->whole);
}

// "list": always these; "period": repeated to the length of "key", after "start", which is repeated as often
// as "first" says.
std::optional<std::vector<std::string>> ClassRow::default_layers(const Json& rule) const {
    if (const auto list = rule.find("list"); list != rule.end()) return words_of(*list);
    const auto period = rule.find("period");
    if (period == rule.end()) return std::nullopt;
    const auto all = length(rule["key"]);
    std::vector<std::string> words;
    if (const auto start = rule.find("start"); start != rule.end()) words = words_of(*start).value();
    if (const auto first = rule.find("first"); first != rule.end()) {
        const auto times = length(*first);
        if (!times) return std::nullopt;
        words.assign(*times, words.front());
    }
    if (!all) return std::nullopt;
    for (std::size_t i = 0; words.size() < *all; ++i)
        words.push_back((*period)[i % period->size()].get<std::string>());
    words.resize(*all);
    return words;
}

std::optional<std::vector<std::string>> ClassRow::layers(std::string_view path) const {
    const Json* given = in_file(path);
    const auto& rules = part("lists");
    const auto rule = rules.find(path);
    if (given != nullptr && !given->is_null()) return words_of(*given);
    return rule == rules.end() ? std::nullopt : default_layers(*rule);
}

ExpressionNames ClassRow::names() const {
    ExpressionNames names;
    names.number = [this](std::string_view key) { return number(key, most_levels); };
    names.entries = [this](std::string_view key, std::string_view words) -> std::optional<std::int64_t> {
        const auto all = layers(key);
        if (!all) return std::nullopt;
        const auto among = [&](const std::string& word) {
            return ("|" + std::string(words) + "|").find("|" + word + "|") != std::string::npos;
        };
        return std::ranges::count_if(*all, among);
    };
    return names;
}

}  // namespace plimsoll::formats

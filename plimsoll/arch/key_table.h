#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/arch/key_info.h"
#include "plimsoll/arch/key_text.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/base/text.h"

// The table that drives parsing, printing, help and errors of one family: one line adds one key.
namespace plimsoll::arch {

// Keys and values as the user gave them.
using GivenKeys = std::vector<std::pair<std::string, std::string>>;

// A spec being filled, key by key in the order of the table, with the shorthands that set defaults only.
template <class S>
struct Draft {
    S spec;
    std::map<std::string, double, std::less<>> shorthands;

    [[nodiscard]] double shorthand(std::string_view name, double otherwise) const {
        const auto found = shorthands.find(name);
        return found == shorthands.end() ? otherwise : found->second;
    }
};

struct Required {};
constexpr Required required;

// Where the value of an absent key comes from: nowhere, a constant, or the keys before it.
template <class T, class S>
struct Default {
    std::string words;
    std::function<Result<T>(const Draft<S>&)> value;

    Default(Required) {}
    Default(T constant) : value([constant](const Draft<S>&) { return Result<T>(constant); }) {}
    Default(std::string in_words, std::function<Result<T>(const Draft<S>&)> rule)
        : words(std::move(in_words)), value(std::move(rule)) {}
};

enum class KeyType { number, flag, text, list, shorthand };

template <class S>
struct Key {
    std::string name;
    KeyType type = KeyType::number;
    std::string allowed;
    std::string meaning;
    std::string fallback_words;
    std::function<std::string(const S&)> read;  // of a shorthand: empty text where it does not shorten
    std::function<Status(Draft<S>&, std::string_view)> write;
    std::function<Result<std::string>(const Draft<S>&)> fallback;  // empty when required
};

// What one value of a preset gives the keys that are not given themselves, as text, from the keys before
// them.
template <class S>
struct Preset {
    std::string name;
    std::map<std::string, std::function<std::string(const Draft<S>&)>> values;
};

template <class S>
class KeyTable {
  public:
    template <class T>
    using Field = std::function<T&(S&)>;

    void integer(std::string name, Field<std::int64_t> field, Range range, Default<std::int64_t, S> otherwise,
                 std::string meaning) {
        const auto show = [range](std::int64_t value) {
            return range.none && value == 0 ? std::string("none") : std::to_string(value);
        };
        add<std::int64_t>(
            {name, KeyType::number, range.text(), std::move(meaning), {}, {}, {}, {}}, std::move(field), show,
            [range, name](std::string_view text, const S&) { return read_integer(text, range, name); },
            std::move(otherwise));
    }

    void seed(std::string name, Field<std::uint64_t> field, std::string meaning) {
        const Range range{0, INT64_MAX};
        add<std::uint64_t>(
            {name, KeyType::number, "0 or more", std::move(meaning), {}, {}, {}, {}}, std::move(field),
            [](std::uint64_t value) { return std::to_string(value); },
            [range, name](std::string_view text, const S&) -> Result<std::uint64_t> {
                PLIMSOLL_ASSIGN(value, read_integer(text, range, name));
                return static_cast<std::uint64_t>(value);
            },
            std::uint64_t{0});
    }

    void flag(std::string name, Field<bool> field, Default<bool, S> otherwise, std::string meaning) {
        add<bool>(
            {name, KeyType::flag, "on|off", std::move(meaning), {}, {}, {}, {}}, std::move(field),
            [](bool value) { return std::string(value ? "on" : "off"); },
            [name](std::string_view text, const S&) { return read_flag(text, name); }, std::move(otherwise));
    }

    // `names` in the order of the enumeration's values, which start at 0.
    template <class E>
    void choice(std::string name, Field<E> field, std::vector<std::string> names, Default<E, S> otherwise,
                std::string meaning) {
        add<E>(
            {name, KeyType::text, join(names, "|"), std::move(meaning), {}, {}, {}, {}}, std::move(field),
            [names](E value) { return names.at(static_cast<std::size_t>(value)); },
            [names, name](std::string_view text, const S&) -> Result<E> {
                PLIMSOLL_ASSIGN(index, read_choice(text, names, name));
                return static_cast<E>(index);
            },
            std::move(otherwise));
    }

    // A set of layers 1..depth; it may be empty unless the default is all.
    void layers(std::string name, Field<std::vector<std::int64_t>> field,
                std::function<std::int64_t(const S&)> depth, bool all_by_default, std::string meaning) {
        const std::string otherwise = all_by_default ? "all" : "none";
        Key<S> key{name, KeyType::list, "all|none|1+3+..", std::move(meaning), otherwise, {}, {}, {}};
        key.read = [field, depth](const S& s) { return layers_text(field(const_cast<S&>(s)), depth(s)); };
        key.write = [field, depth, name, all_by_default](Draft<S>& draft, std::string_view text) -> Status {
            PLIMSOLL_ASSIGN(list, read_layers(text, depth(draft.spec), name));
            if (list.empty() && all_by_default)
                return bad_input(name, "must name at least one layer, got none");
            field(draft.spec) = std::move(list);
            return {};
        };
        key.fallback = [otherwise](const Draft<S>&) { return Result<std::string>(otherwise); };
        keys_.push_back(std::move(key));
    }

    // A list of numbers, each within `range`; `otherwise` empty means required.
    void list(std::string name, Field<std::vector<std::int64_t>> field, Range range, std::string otherwise,
              std::string meaning) {
        Key<S> key{name, KeyType::list, "a+b+.. of " + range.text(), std::move(meaning), otherwise, {}, {},
                   {}};
        key.read = [field](const S& s) { return list_text(field(const_cast<S&>(s))); };
        key.write = [field, range, name](Draft<S>& draft, std::string_view text) -> Status {
            PLIMSOLL_ASSIGN(values, read_list(text, range, name));
            field(draft.spec) = std::move(values);
            return {};
        };
        if (!otherwise.empty()) {
            key.fallback = [otherwise](const Draft<S>&) { return Result<std::string>(otherwise); };
        }
        keys_.push_back(std::move(key));
    }

    // A number that only sets the defaults of later keys and is not stored.
    void shorthand(std::string name, double most, std::string words, std::string meaning) {
        Key<S> key{name,
                   KeyType::shorthand,
                   fmt::format("above 0, at most {}", most),
                   std::move(meaning),
                   std::move(words),
                   {},
                   {},
                   {}};
        key.read = [](const S&) { return std::string(); };
        key.write = [name, most](Draft<S>& draft, std::string_view text) -> Status {
            PLIMSOLL_ASSIGN(value, read_positive_real(text, most, name));
            draft.shorthands[name] = value;
            return {};
        };
        keys_.push_back(std::move(key));
    }

    // The same for on and off, as 1 and 0; `off_shortens` says whether the shortest text of a spec has it
    // off.
    void switch_shorthand(std::string name, std::string words, std::function<bool(const S&)> off_shortens,
                          std::string meaning) {
        Key<S> key{name, KeyType::shorthand, "on|off", std::move(meaning), std::move(words), {}, {}, {}};
        key.read = [off_shortens](const S& s) { return std::string(off_shortens(s) ? "off" : ""); };
        key.write = [name](Draft<S>& draft, std::string_view text) -> Status {
            PLIMSOLL_ASSIGN(value, read_flag(text, name));
            draft.shorthands[name] = value ? 1 : 0;
            return {};
        };
        keys_.push_back(std::move(key));
    }

    // A key whose values name presets: it stands for the keys that the preset has, and is not stored. The
    // first preset is the default and sets nothing.
    void preset(std::string name, std::vector<Preset<S>> presets, std::string meaning) {
        std::vector<std::string> choices;
        for (const auto& one : presets) choices.push_back(one.name);
        Key<S> key{name, KeyType::shorthand, join(choices, "|"), std::move(meaning), choices.front(), {}, {},
                   {}};
        key.read = [](const S&) { return std::string(); };
        key.write = [name, choices](Draft<S>&, std::string_view text) -> Status {
            PLIMSOLL_RETURN_IF_ERROR(read_choice(text, choices, name));
            return {};
        };
        keys_.push_back(std::move(key));
        preset_key_ = std::move(name);
        presets_ = std::move(presets);
    }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& key : keys_) out.push_back(key.name);
        return out;
    }

    // The spec that `given` describes, defaults resolved in the order of the table.
    [[nodiscard]] Result<S> parse(const GivenKeys& given, const std::string& family, S start) const {
        PLIMSOLL_RETURN_IF_ERROR(refuse_strange(given, family));
        Draft<S> draft{std::move(start), {}};
        for (const auto& key : keys_) PLIMSOLL_RETURN_IF_ERROR(fill(draft, key, given, family));
        return std::move(draft.spec);
    }

    // The error of a spec that `given` describes, with the preset that set the key where nobody gave it.
    [[nodiscard]] Error explained(Error error, const GivenKeys& given) const {
        const Preset<S>* preset = preset_of(given);
        if (preset != nullptr && preset->values.contains(error.where) &&
            text_of(given, error.where) == nullptr)
            error.message += fmt::format(" (set by {}={})", preset_key_, preset->name);
        return error;
    }

    // The fewest keys that give this spec, as "key=value".
    [[nodiscard]] std::vector<std::string> changed(const S& spec) const {
        std::vector<std::string> out;
        Draft<S> draft{spec, {}};
        for (const auto& key : keys_) {
            const std::string value = key.read(spec);
            if (value == otherwise(key, draft)) continue;
            out.push_back(key.name + "=" + value);
            if (key.type == KeyType::shorthand) PLIMSOLL_CHECK(key.write(draft, value).ok(), key.name);
        }
        return out;
    }

    // Every stored key with its value.
    [[nodiscard]] Json json(const S& spec) const {
        Json out = Json::object();
        for (const auto& key : keys_) {
            if (key.type != KeyType::shorthand) out[key.name] = json_value(key, key.read(spec));
        }
        return out;
    }

    [[nodiscard]] std::vector<KeyInfo> info() const {
        std::vector<KeyInfo> out;
        for (const auto& key : keys_) out.push_back({key.name, key.allowed, key.fallback_words, key.meaning});
        return out;
    }

  private:
    template <class T>
    void add(Key<S> key, Field<T> field, std::function<std::string(T)> show,
             std::function<Result<T>(std::string_view, const S&)> parse, Default<T, S> otherwise) {
        key.read = [field, show](const S& s) { return show(field(const_cast<S&>(s))); };
        key.write = [field, parse](Draft<S>& draft, std::string_view text) -> Status {
            PLIMSOLL_ASSIGN(value, parse(text, draft.spec));
            field(draft.spec) = value;
            return {};
        };
        if (otherwise.value) {
            if (otherwise.words.empty()) otherwise.words = show(*otherwise.value({S{}, {}}));
            key.fallback_words = otherwise.words;
            key.fallback = [rule = otherwise.value, show](const Draft<S>& draft) -> Result<std::string> {
                PLIMSOLL_ASSIGN(value, rule(draft));
                return show(value);
            };
        }
        keys_.push_back(std::move(key));
    }

    [[nodiscard]] Status refuse_strange(const GivenKeys& given, const std::string& family) const {
        const auto known = names();
        for (auto it = given.begin(); it != given.end(); ++it) {
            const std::string& name = it->first;
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                return bad_input(family, fmt::format("unknown key '{}'{}", name, suggestion(name, known)));
            }
            const auto same = [&](const auto& other) { return other.first == name; };
            if (std::any_of(given.begin(), it, same)) return bad_input(name, "is given twice");
        }
        return {};
    }

    // The text of an absent key; for a required key one that no value has.
    static std::string otherwise(const Key<S>& key, const Draft<S>& draft) {
        if (key.type == KeyType::shorthand) return "";
        if (!key.fallback) return "?";
        const auto text = key.fallback(draft);
        return text.ok() ? *text : "?";
    }

    static const std::string* text_of(const GivenKeys& given, std::string_view name) {
        const auto found = std::ranges::find(given, name, &GivenKeys::value_type::first);
        return found == given.end() ? nullptr : &found->second;
    }

    // The preset that was asked for; null when none was, or one that does not exist.
    [[nodiscard]] const Preset<S>* preset_of(const GivenKeys& given) const {
        const std::string* name = text_of(given, preset_key_);
        if (name == nullptr) return nullptr;
        const auto found = std::ranges::find(presets_, *name, &Preset<S>::name);
        return found == presets_.end() ? nullptr : &*found;
    }

    [[nodiscard]] std::string required_names() const {
        std::vector<std::string> out;
        for (const auto& key : keys_) {
            if (!key.fallback && key.type != KeyType::shorthand) out.push_back(key.name);
        }
        return join(out, ", ");
    }

    [[nodiscard]] Status fill(Draft<S>& draft, const Key<S>& key, const GivenKeys& given,
                              const std::string& family) const {
        if (const std::string* text = text_of(given, key.name)) return key.write(draft, *text);
        if (const Preset<S>* preset = preset_of(given); preset && preset->values.contains(key.name))
            return key.write(draft, preset->values.at(key.name)(draft));
        if (key.type == KeyType::shorthand) return {};
        if (!key.fallback) {
            return bad_input(key.name, fmt::format("missing; {} needs {}", family, required_names()));
        }
        PLIMSOLL_ASSIGN(text, key.fallback(draft));
        return key.write(draft, text);
    }

    static Json json_value(const Key<S>& key, const std::string& text) {
        if (key.type == KeyType::flag) return text == "on";
        if (key.type == KeyType::number) return text == "none" ? std::int64_t{0} : std::stoll(text);
        return text;
    }

    std::vector<Key<S>> keys_;
    std::string preset_key_;  // empty: there is none
    std::vector<Preset<S>> presets_;
};

}  // namespace plimsoll::arch

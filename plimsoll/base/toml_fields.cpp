#include "plimsoll/base/toml_fields.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll {

Status TomlFields::refuse_others(std::initializer_list<std::string_view> known) const {
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& [key, value] : table_.items())
        if (std::ranges::find(names, key) == names.end())
            return bad_input(place(key),
                             fmt::format("unknown key '{}'{}", printable(key), suggestion(key, names)));
    return {};
}

Result<std::string> TomlFields::text(const std::string& key, const std::string& otherwise) const {
    if (!has(key)) return otherwise;
    if (!value(key).is_string()) return bad_input(place(key), "must be text in quotes");
    return value(key).get<std::string>();
}

Result<std::string> TomlFields::needed(const std::string& key) const {
    if (!has(key)) return bad_input(place(), fmt::format("{} is missing", key));
    PLIMSOLL_ASSIGN(found, text(key));
    if (trim(found).empty()) return bad_input(place(key), "must not be empty");
    return found;
}

Result<std::vector<std::string>> TomlFields::texts(const std::string& key) const {
    std::vector<std::string> list;
    if (!has(key)) return list;
    const auto wrong = [&] { return bad_input(place(key), "must be a list of texts in quotes"); };
    if (!value(key).is_array()) return wrong();
    for (const Json& one : value(key)) {
        if (!one.is_string()) return wrong();
        list.push_back(one.get<std::string>());
    }
    return list;
}

Result<bool> TomlFields::truth(const std::string& key) const {
    if (!has(key)) return false;
    if (!value(key).is_boolean()) return bad_input(place(key), "must be true or false");
    return value(key).get<bool>();
}

Result<std::vector<std::string>> TomlFields::texts_or_one(const std::string& key) const {
    if (has(key) && value(key).is_string()) return std::vector{value(key).get<std::string>()};
    return texts(key);
}

Result<std::int64_t> TomlFields::count(const std::string& key) const {
    if (!has(key)) return bad_input(place(), fmt::format("{} is missing", key));
    const Json& given = value(key);
    if (given.is_string()) return parse_count(given.get<std::string>(), place(key));
    if (given.is_number_integer() && given.get<std::int64_t>() >= 0) return given.get<std::int64_t>();
    return bad_input(place(key), "must be a count such as 500 or \"20M\"");
}

Result<std::vector<std::int64_t>> TomlFields::counts(const std::string& key) const {
    std::vector<std::int64_t> list;
    if (!has(key)) return list;
    const auto wrong = [&] { return bad_input(place(key), "must be a list of whole numbers, 1 or more"); };
    if (!value(key).is_array()) return wrong();
    for (const Json& one : value(key)) {
        if (!one.is_number_integer() || one.get<std::int64_t>() < 1) return wrong();
        list.push_back(one.get<std::int64_t>());
    }
    return list;
}

Result<TomlFields> TomlFields::table(const std::string& key) const {
    if (!value(key).is_object())
        return bad_input(place(key), fmt::format("must be a table: [{}]", path(key)));
    return TomlFields(value(key), path(key), places_);
}

Result<std::vector<TomlFields>> TomlFields::tables(const std::string& key) const {
    std::vector<TomlFields> list;
    if (!has(key)) return list;
    const auto wrong = [&] { return bad_input(place(key), "must be a list of tables"); };
    if (!value(key).is_array()) return wrong();
    for (std::size_t i = 0; i < value(key).size(); ++i) {
        if (!value(key)[i].is_object()) return wrong();
        list.emplace_back(value(key)[i], fmt::format("{}[{}]", path(key), i), places_);
    }
    return list;
}

Error TomlFields::not_a_choice(const std::string& key, const std::string& word,
                               const std::vector<std::string>& names) const {
    return bad_input(place(key),
                     fmt::format("must be one of {}, got '{}'", join(names, ", "), printable(word)));
}

}  // namespace plimsoll

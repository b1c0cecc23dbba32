#include "plimsoll/report/toml_fields.h"

#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/report/formula.h"

namespace plimsoll::report {
namespace {

// A number, or the text of a formula that comes to one.
Result<double> number_of(const Json& value, const std::string& place) {
    if (value.is_string()) return constant_value(value.get<std::string>(), place);
    if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
    return bad_input(place, "must be a finite number or a formula of numbers");
}

}  // namespace

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

Result<double> TomlFields::number(const std::string& key) const { return number_of(value(key), place(key)); }

Result<std::pair<double, double>> TomlFields::window(const std::string& key) const {
    const Json& ends = value(key);
    if (!ends.is_array() || ends.size() != 2)
        return bad_input(place(key), "must be two numbers, as in [1.0, 2.0]");
    PLIMSOLL_ASSIGN(low, number_of(ends[0], place(key)));
    PLIMSOLL_ASSIGN(high, number_of(ends[1], place(key)));
    if (low >= high) return bad_input(place(key), fmt::format("must rise, got [{}, {}]", low, high));
    return std::pair(low, high);
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

}  // namespace plimsoll::report

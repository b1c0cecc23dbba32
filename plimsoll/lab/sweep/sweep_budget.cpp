#include "plimsoll/lab/sweep/sweep_budget.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::lab {
namespace {

bool all_have(const std::vector<std::string>& families, std::string_view field) {
    return std::ranges::all_of(families, [&](const std::string& family) {
        const auto fields = fields_of_family(family);
        return std::ranges::find(fields, field) != fields.end();
    });
}

Result<std::int64_t> read_parameters(const Json& value, const std::string& place) {
    if (value.is_number_integer() && value.get<std::int64_t>() > 0) return value.get<std::int64_t>();
    const bool words = value.is_string() || value.is_number_float();
    const auto count = parse_count(words ? value_text(value) : "", place);
    if (count.ok() && *count > 0) return count;
    return bad_input(place,
                     fmt::format("must be numbers of parameters such as 64K, got {}", value_text(value)));
}

Status read_sizes(Budget& budget, const Json& table, const Places& places) {
    const std::string place = places.at("budget.parameters");
    if (!table.contains("parameters")) return bad_input(place, "is missing: [\"64K\", \"256K\"]");
    const Json& value = table.at("parameters");
    const Json list = value.is_array() ? value : Json::array({value});
    if (list.empty()) return bad_input(place, "is an empty list");
    for (const Json& one : list) {
        PLIMSOLL_ASSIGN(count, read_parameters(one, place));
        budget.parameters.push_back(count);
    }
    return {};
}

Status read_within(Budget& budget, const Json& table, const Places& places) {
    if (!table.contains("within")) return {};
    const Json& value = table.at("within");
    if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() < 1))
        return bad_input(
            places.at("budget.within"),
            fmt::format("must be a share from 0 to below 1, as 0.02; got {}", value_text(value)));
    budget.within = value.get<double>();
    return {};
}

// A field of every family, by the name it has as a key.
Status check_field(const Json& value, const std::vector<std::string>& families, const std::string& place) {
    if (!value.is_string()) return bad_input(place, "must be a field of the spec, as \"model.width\"");
    PLIMSOLL_RETURN_IF_ERROR(check_key(value.get<std::string>(), families, place));
    if (!field_of(value.get<std::string>()).empty()) return {};
    return bad_input(place, fmt::format("{} is not a field of the spec", value.get<std::string>()));
}

Status read_adjust(Budget& budget, const Json& table, const std::vector<std::string>& families,
                   const Places& places) {
    const std::string place = places.at("budget.adjust");
    if (table.contains("adjust")) {
        PLIMSOLL_RETURN_IF_ERROR(check_field(table.at("adjust"), families, place));
        budget.adjust = table.at("adjust").get<std::string>();
        return {};
    }
    for (const char* field : {"width", "channels"})
        if (budget.adjust.empty() && all_have(families, field))
            budget.adjust = fmt::format("model.{}", field);
    if (!budget.adjust.empty()) return {};
    return bad_input(place, "is missing, and the specs have no width or channels in common");
}

// Heads divide a width unless the file says otherwise.
Status read_multiple(Budget& budget, const Json& table, const std::vector<std::string>& families,
                     const Places& places) {
    if (!table.contains("multiple_of")) {
        if (budget.adjust == "model.width" && all_have(families, "heads"))
            budget.multiple_of_key = "model.heads";
        return {};
    }
    const Json& value = table.at("multiple_of");
    const std::string place = places.at("budget.multiple_of");
    if (value.is_string()) {
        PLIMSOLL_RETURN_IF_ERROR(check_field(value, families, place));
        budget.multiple_of_key = value.get<std::string>();
        return {};
    }
    if (!value.is_number_integer() || value.get<std::int64_t>() < 1)
        return bad_input(place, "must be a whole number from 1 on, or a field as \"model.heads\"");
    budget.multiple_of = value.get<std::int64_t>();
    return {};
}

Status read_way(Budget& budget, const Json& table, const Places& places) {
    const Json value = table.value("count", Json("honest"));
    std::vector<std::string> names;
    for (const auto& way : counting_ways()) names.push_back(way.name);
    const std::string name = value.is_string() ? value.get<std::string>() : value.dump();
    budget.count = counting_way(name);
    if (budget.count != nullptr) return {};
    return bad_input(places.at("budget.count"), fmt::format("unknown '{}'{}", name, suggestion(name, names)));
}

Result<bool> read_switch(const Json& table, const std::string& name, const Places& places) {
    const Json value = table.value(name, Json(false));
    if (!value.is_boolean()) return bad_input(places.at("budget." + name), "must be true or false");
    return value.get<bool>();
}

}  // namespace

Result<Budget> read_budget(const Json& table, const std::vector<std::string>& families,
                           const Places& places) {
    const std::string place = places.at("budget");
    if (!table.is_object()) return bad_input(place, "must be a table: [budget]");
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(
        table, {"parameters", "within", "adjust", "multiple_of", "count", "at_most", "skip_unreachable"},
        place));
    Budget budget;
    budget.place = place;
    PLIMSOLL_RETURN_IF_ERROR(read_sizes(budget, table, places));
    PLIMSOLL_RETURN_IF_ERROR(read_within(budget, table, places));
    PLIMSOLL_RETURN_IF_ERROR(read_adjust(budget, table, families, places));
    PLIMSOLL_RETURN_IF_ERROR(read_multiple(budget, table, families, places));
    PLIMSOLL_RETURN_IF_ERROR(read_way(budget, table, places));
    PLIMSOLL_ASSIGN(at_most, read_switch(table, "at_most", places));
    PLIMSOLL_ASSIGN(skip, read_switch(table, "skip_unreachable", places));
    budget.at_most = at_most;
    budget.skip_unreachable = skip;
    return budget;
}

}  // namespace plimsoll::lab

#include "plimsoll/lab/sweep/values.h"

#include <cmath>
#include <limits>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::lab {
namespace {

constexpr double slack = 1e-9;  // of a step: how far rounding may carry the last value past the end

struct Range {
    Json from, to, by;
    bool geometric = false;
};

Error wrong_shape(const std::string& place) {
    return bad_input(place,
                     "must be a list, {from, to, step} or {from, to, times}; a single value belongs in base");
}

// A number, or a count in words ("64K").
Result<Json> read_number(const Json& table, const char* name, const std::string& place) {
    const std::string where = fmt::format("{}.{}", place, name);
    if (!table.contains(name)) return bad_input(where, "is missing");
    const Json& value = table.at(name);
    if (value.is_string()) {
        PLIMSOLL_ASSIGN(count, parse_count(value.get<std::string>(), where));
        return Json(count);
    }
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        return bad_input(where, "must be a number");
    return value;
}

Status check_direction(const Range& range, const std::string& place) {
    const double from = range.from.get<double>(), to = range.to.get<double>(), by = range.by.get<double>();
    const bool up = to >= from;
    if (!range.geometric && (up ? by > 0 : by < 0)) return {};
    if (!range.geometric) return bad_input(place + ".step", "must lead from `from` to `to`");
    if (from <= 0 || to <= 0) return bad_input(place, "times needs `from` and `to` above 0");
    if (by > 0 && (up ? by > 1 : by < 1)) return {};
    return bad_input(place + ".times", "must lead from `from` to `to`: above 1 to go up, below 1 to go down");
}

Result<Range> read_range(const Json& table, const std::string& place) {
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(table, {"from", "to", "step", "times"}, place));
    const bool geometric = table.contains("times");
    if (geometric == table.contains("step"))
        return bad_input(place, geometric ? "has both step and times: give one of them"
                                          : "needs step (added) or times (multiplied)");
    PLIMSOLL_ASSIGN(from, read_number(table, "from", place));
    PLIMSOLL_ASSIGN(to, read_number(table, "to", place));
    PLIMSOLL_ASSIGN(by, read_number(table, geometric ? "times" : "step", place));
    Range range{from, to, by, geometric};
    PLIMSOLL_RETURN_IF_ERROR(check_direction(range, place));
    return range;
}

double rounded(double value) { return *parse_real(fmt::format("{:.12g}", value), "range"); }

// Value `index` of the range.
Json value_at(const Range& range, std::size_t index) {
    const double from = range.from.get<double>(), by = range.by.get<double>();
    const auto i = static_cast<double>(index);
    const double value = range.geometric ? from * std::pow(by, i) : from + i * by;
    const bool whole = range.from.is_number_integer() && range.by.is_number_integer();
    if (whole) return static_cast<std::int64_t>(std::llround(value));
    return rounded(value);
}

bool beyond(const Range& range, const Json& value) {
    const double to = range.to.get<double>(), at = value.get<double>();
    const double step = range.geometric ? std::abs(to) : std::abs(range.by.get<double>());
    const bool up = to >= range.from.get<double>();
    return up ? at > to + slack * step : at < to - slack * step;
}

}  // namespace

Result<std::vector<Json>> read_values(const Json& value, const std::string& place) {
    if (value.is_array()) {
        if (value.empty()) return bad_input(place, "is an empty list");
        if (value.size() > most_values)
            return bad_input(place, fmt::format("has more than {} values", most_values));
        return std::vector<Json>(value.begin(), value.end());
    }
    if (!value.is_object()) return wrong_shape(place);
    PLIMSOLL_ASSIGN(range, read_range(value, place));
    std::vector<Json> values;
    for (Json next = range.from; !beyond(range, next); next = value_at(range, values.size())) {
        values.push_back(next);
        if (values.size() > most_values)
            return bad_input(place, fmt::format("has more than {} values", most_values));
    }
    return values;
}

Result<std::vector<std::int64_t>> read_seeds(const Json& value, const std::string& place) {
    std::vector<std::int64_t> seeds;
    if (value.is_number_integer()) {
        const auto count = value.get<std::int64_t>();
        if (count < 1 || count > static_cast<std::int64_t>(most_values))
            return bad_input(place, fmt::format("must be 1..{}, got {}", most_values, count));
        for (std::int64_t seed = 1; seed <= count; ++seed) seeds.push_back(seed);
        return seeds;
    }
    PLIMSOLL_ASSIGN(values, read_values(value, place));
    for (const auto& one : values) {
        if (!one.is_number_integer() || one.get<std::int64_t>() < 0)
            return bad_input(place, fmt::format("a seed is a whole number from 0 on, got {}", one.dump()));
        seeds.push_back(one.get<std::int64_t>());
    }
    return seeds;
}

}  // namespace plimsoll::lab

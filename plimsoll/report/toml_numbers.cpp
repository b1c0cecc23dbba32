#include "plimsoll/report/toml_numbers.h"

#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/report/formula.h"

namespace plimsoll::report {
namespace {

Result<double> number_of(const Json& value, const std::string& place) {
    if (value.is_string()) return constant_value(value.get<std::string>(), place);
    if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
    return bad_input(place, "must be a finite number or a formula of numbers");
}

}  // namespace

Result<double> number_in(const TomlFields& fields, const std::string& key) {
    return number_of(fields.value(key), fields.place(key));
}

Result<std::pair<double, double>> window_in(const TomlFields& fields, const std::string& key) {
    const Json& ends = fields.value(key);
    const std::string place = fields.place(key);
    if (!ends.is_array() || ends.size() != 2)
        return bad_input(place, "must be two numbers, as in [1.0, 2.0]");
    PLIMSOLL_ASSIGN(low, number_of(ends[0], place));
    PLIMSOLL_ASSIGN(high, number_of(ends[1], place));
    if (low >= high) return bad_input(place, fmt::format("must rise, got [{}, {}]", low, high));
    return std::pair(low, high);
}

}  // namespace plimsoll::report

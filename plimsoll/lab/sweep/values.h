#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll::lab {

constexpr std::size_t most_values = 10'000;  // of one axis

// The values of an axis, in order: a list, {from, to, step} or {from, to, times}, both ends included. Whole
// numbers stay whole; others are rounded to 12 significant digits, so that 0.1 to 0.5 by 0.1 has 0.3 and not
// 0.30000000000000004.
Result<std::vector<Json>> read_values(const Json& value, const std::string& place);

// Seeds: a list, a range, or how many (from 1 on).
Result<std::vector<std::int64_t>> read_seeds(const Json& value, const std::string& place);

}  // namespace plimsoll::lab

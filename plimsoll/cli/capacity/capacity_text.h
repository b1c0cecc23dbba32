#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/theory/capacity/capacity_curve.h"

namespace plimsoll::cli {

// The depths of the table, none beyond `deepest`: enough to see the shape, few enough to certify.
std::vector<std::int64_t> table_depths(std::int64_t deepest);

// Table, drawing and the depths that matter.
void print_capacity(const theory::CapacityCurve& curve);

// One line per depth: depth, width, parameters, log3_capacity, published_threshold, knee, certified ends
// where there are any.
std::string capacity_csv(const theory::CapacityCurve& curve);
Json capacity_json(const theory::CapacityCurve& curve);

// A Vega-Lite 5 specification with the data inside.
Json capacity_vega(const theory::CapacityCurve& curve);

// The curve as rows of text: log10 of capacity against the logarithm of depth, marks under the axis.
std::string capacity_drawing(const theory::CapacityCurve& curve, int columns, int rows);

}  // namespace plimsoll::cli

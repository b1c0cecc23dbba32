#include "plimsoll/advise/load_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plimsoll/theory/capacity/capacity_curve.h"

namespace plimsoll::advise {
namespace {

// Levine et al.: ln width = line_start + line_slope L.
constexpr double line_start = 5.039, line_slope = 0.0555;
constexpr std::int64_t deepest_on_line = 200;
constexpr std::int64_t width_multiple = 64;

}  // namespace

double load_line_depth(std::int64_t width) {
    return (std::log(static_cast<double>(width)) - line_start) / line_slope;
}

double load_line_width(double depth) { return std::exp(line_start + line_slope * depth); }

std::optional<LineShape> on_the_line(std::int64_t parameters, std::int64_t vocab) {
    const theory::Budget budget{parameters, std::nullopt, vocab};
    LineShape best;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::int64_t depth = 1; depth <= deepest_on_line; ++depth) {
        const std::int64_t width = theory::width_for(budget, depth) / width_multiple * width_multiple;
        if (width == 0) break;
        const double off = std::abs(load_line_depth(width) - static_cast<double>(depth));
        if (off < nearest) best = {depth, width};
        nearest = std::min(nearest, off);
    }
    if (best.depth == 0) return std::nullopt;
    return best;
}

}  // namespace plimsoll::advise

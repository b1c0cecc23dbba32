#include "plimsoll/advise/levine_law.h"

#include <cmath>

namespace plimsoll::advise {
namespace {

// Levine et al.: ln width = line_start + line_slope L.
constexpr double line_start = 5.039, line_slope = 0.0555;

}  // namespace

double levine_depth(std::int64_t width) {
    return (std::log(static_cast<double>(width)) - line_start) / line_slope;
}

double levine_width(double depth) { return std::exp(line_start + line_slope * depth); }

}  // namespace plimsoll::advise

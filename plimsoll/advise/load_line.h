#pragma once

#include <cstdint>
#include <optional>

// The load line of Levine et al.: the depth that a width carries.
namespace plimsoll::advise {

// The depth on the load line width = exp(5.039 + 0.0555 L); below 1 when the line has no depth there.
double load_line_depth(std::int64_t width);
// The width on the load line at that depth.
double load_line_width(double depth);

// The shape on the load line with the same parameters, 12 L d^2 + V d, width to a multiple of 64.
struct LineShape {
    std::int64_t depth = 0, width = 0;
};
std::optional<LineShape> on_the_line(std::int64_t parameters, std::int64_t vocab);

}  // namespace plimsoll::advise

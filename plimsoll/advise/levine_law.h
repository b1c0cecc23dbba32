#pragma once

#include <cstdint>

// The law that Levine et al. fitted to their own runs.
namespace plimsoll::advise {

// The depth on the law width = exp(5.039 + 0.0555 L); below 1 when the line has no depth there.
double levine_depth(std::int64_t width);
// The width on the law at that depth.
double levine_width(double depth);

}  // namespace plimsoll::advise

#pragma once

#include <cstddef>

namespace plimsoll::report {

// Pr(|T| <= t) for Student's t with `freedom` >= 1 degrees of freedom, t >= 0: the finite sum that whole
// degrees of freedom have (all terms positive, so nothing cancels), good to about freedom * 1e-16.
double student_within(double t, std::size_t freedom);

// The t with Pr(|T| <= t) = level, 0 < level < 1, to the last bits of a double: 12.706 for 1 degree at 0.95.
double student_quantile(double level, std::size_t freedom);

// The same for the normal distribution, which Student's approaches: 1.95996 at 0.95.
double normal_quantile(double level);

}  // namespace plimsoll::report

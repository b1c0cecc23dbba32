#pragma once

#include <cstddef>

namespace plimsoll::report {

// Pr(F > ratio) for Fisher's F, the ratio of two estimates of one variance with `above` and `below` >= 1
// degrees of freedom; to about 1e-9.
double fisher_above(double ratio, std::size_t above, std::size_t below);

}  // namespace plimsoll::report

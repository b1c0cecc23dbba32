#pragma once

#include <optional>

#include "plimsoll/theory/capacity/capacity_enclosure.h"

namespace plimsoll::theory {

// kappa from the values of h and a themselves where they can be had in about a fifth of a second: from the
// h-vector for any depth, or from the first C + 1 values for few layers. Exact with the covariants, and
// within q h <= a <= min(d h, q h(e+1)) without.
std::optional<Enclosure> enclose_by_values(std::int64_t depth, std::int64_t width, std::int64_t side_a,
                                           std::int64_t side_b, int bits);

}  // namespace plimsoll::theory

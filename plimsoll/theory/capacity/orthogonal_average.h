#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/theory/numbers/integer.h"

namespace plimsoll::theory {

// The first `count` coefficients in s of the average of det(1 - s g)^-d over the orthogonal group O(q):
// degree 2k counts the O(q)-invariant forms of degree 2k in d vectors, which is h(d, q, k). q >= 1.
std::vector<Integer> invariant_series(std::int64_t d, std::int64_t q, std::int64_t count);

// The same average of tr(g) det(1 - s g)^-d: degree 2e + 1 counts the covariants, a(d, q, e).
std::vector<Integer> covariant_series(std::int64_t d, std::int64_t q, std::int64_t count);

}  // namespace plimsoll::theory

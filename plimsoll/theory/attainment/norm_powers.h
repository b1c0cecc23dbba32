#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/theory/numbers/ball.h"

// Theorem D1: some network computes a power of |a + b|^2, a from side A and b from side B in n dimensions
// (docs/bounds/att-d1.md).
namespace plimsoll::theory {

// n = H (d_a - 1), and at most r - 1 for tokens that span r dimensions (ATT-d1_int).
Integer d1_directions(const Integer& heads, const Integer& head_dim, const std::optional<Integer>& rank);

// n = min(r, H d_a) - 1, never less: one constant serves all heads. `rank` is the width without an embedding.
std::int64_t d1_shared_directions(std::int64_t rank, std::int64_t heads, std::int64_t head_dim);

// ((n+2, lam)) - ((n+2, lam-2)), lam = 3^(L-2): the separation rank of that power. n >= 1 and L >= 2.
Integer d1_attained(std::int64_t depth, const Integer& directions);
// Its log_3 at any size.
Ball d1_attained_log3(std::int64_t depth, const Integer& directions, int bits);

namespace fast {

// The same in double precision.
double d1_attained_log3(std::int64_t depth, double directions);

}  // namespace fast

}  // namespace plimsoll::theory

#pragma once

#include <utility>

#include "plimsoll/theory/capacity/hilbert_bounds.h"

namespace plimsoll::theory {

// ln of sum_{k<=C} min(h_B(k), a_A(C-k)) between certified ends for q_A = q_B + 1 (odd N), q_B < d: the sides
// then meet far from the middle. Proofs:
// docs/bounds/capacity-enclosure.md, "Unequal sides".
std::pair<Ball, Ball> enclose_unequal_sides(const RankVariety& a, const RankVariety& b, const Integer& C,
                                            int bits);

}  // namespace plimsoll::theory

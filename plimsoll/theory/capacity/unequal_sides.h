#pragma once

#include <utility>

#include "plimsoll/theory/capacity/hilbert_bounds.h"

namespace plimsoll::theory {

// ln of sum_{k<=C} min(h_B(k), a_A(C-k)) between certified ends for sides that differ by one position (odd
// N), the smaller one below d: the sides then meet far from the middle. Proofs:
// docs/bounds/capacity-enclosure.md, "Unequal sides".
std::pair<Ball, Ball> enclose_unequal_sides(const RankVariety& a, const RankVariety& b, const Integer& C,
                                            int bits);

}  // namespace plimsoll::theory

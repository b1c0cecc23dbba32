#pragma once

#include "plimsoll/theory/capacity/hilbert.h"
#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::theory {

// ln N(s^2), N(t) = sum_i h_i t^i the numerator of the Hilbert series of symmetric d x d matrices of rank <=
// q, 1 <= q < d, at 0 < s <= 1. It is the average of det(1 + s g)^(d-q+1) over O(q)
// (docs/bounds/capacity-enclosure.md). Not finite when `bits` bits of accuracy were lost on the way, which
// the working precision should prevent.
Ball log_numerator(const RankVariety& variety, double s, int bits);

// About how long one call takes, in seconds on one core.
double log_numerator_seconds(const RankVariety& variety, int bits);

}  // namespace plimsoll::theory

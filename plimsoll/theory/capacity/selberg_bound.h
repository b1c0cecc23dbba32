#pragma once

#include "plimsoll/theory/capacity/hilbert.h"
#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::theory {

// A certified upper bound of ln sum_{k <= K} h(d, q, k), 1 <= q < d, by Selberg's integral: tight to about q
// nats near the knee and beyond, where the other bounds are loose. Derivation:
// docs/bounds/capacity-enclosure.md.
Ball selberg_upper(const RankVariety& variety, const Integer& degree, int bits);

// The same bound in double precision with a coarse search, for scans: within about a per cent of its best
// value.
double selberg_upper_estimate(double d, double q, double degree);

}  // namespace plimsoll::theory

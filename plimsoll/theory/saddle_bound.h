#pragma once

#include <optional>

#include "plimsoll/theory/ball.h"
#include "plimsoll/theory/hilbert.h"

namespace plimsoll::theory {

// A certified upper bound of ln sum_{k <= K} h(d, q, k), 1 <= q < d, within a few nats of it: Chernoff's
// inequality with the average over SO(q) evaluated as a numeric determinant of order q/2. Nothing when that
// would take more than about 0.1 s.
std::optional<Ball> saddle_upper(const RankVariety& variety, const Integer& degree, int bits);

}  // namespace plimsoll::theory

#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/theory/capacity/hilbert.h"

namespace plimsoll::theory {

// h(d, q, 0) .. h(d, q, count - 1) like invariant_series, but modulo word-sized primes with the Chinese
// remainder at the end: the fast way once the numbers are large. 1 <= q < d.
std::vector<Integer> modular_invariants(const RankVariety& variety, std::int64_t count);

// The h-vector the same way; only as many primes as the degree needs.
std::vector<Integer> modular_h_vector(const RankVariety& variety);

// About how long either takes for `count` numbers of `bits` bits, in seconds on one core.
double modular_seconds(const RankVariety& variety, double count, double bits);

}  // namespace plimsoll::theory

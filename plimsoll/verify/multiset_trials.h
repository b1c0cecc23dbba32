#pragma once

#include <functional>
#include <vector>

#include "plimsoll/theory/numbers/ball.h"
#include "plimsoll/verify/claim.h"

// Lemmas about ((n, k)) itself, held against the exact integer in ball arithmetic.
namespace plimsoll::verify {

// A bound of ((n, k)) as its log_3.
using MultisetBound = theory::Ball (*)(const theory::Integer& n, const theory::Integer& k, int bits);
enum class MultisetSide { at_least, at_most };

// One trial per (n, k) with n from `first_n` and k from `first_k`, thinned where n is large.
std::function<std::vector<Trial>(Effort)> multiset_grid(MultisetSide side, MultisetBound bound,
                                                        std::int64_t first_n, std::int64_t first_k);

}  // namespace plimsoll::verify

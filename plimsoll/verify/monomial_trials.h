#pragma once

#include <functional>

#include "plimsoll/theory/numbers/ball.h"
#include "plimsoll/verify/claim.h"

// The monomial networks of ERR-COUNTEREXAMPLE, whose rank is known at any depth.
namespace plimsoll::verify {

// Those that refute something: d = 4, L = 12 and d = 8, L = 7 (T4), d = 6, L = 10 and d = 8, L = 9 (T2,
// WIES-T3).
inline constexpr std::size_t narrow_net = 0, wide_net = 1, six_wide_net = 2, nine_deep_net = 3;

// log_3 of a published upper bound at depth and width.
using UpperBoundLog3 = std::function<theory::Ball(std::int64_t depth, std::int64_t width, int bits)>;

// The network's rank against the bound, after its literal evaluation was found equal to the monomial at a
// random input with N = 2d.
Trial monomial_trial(std::size_t net, const UpperBoundLog3& bound);

// The product formula against the rank of the literal network, where that is small.
std::vector<Trial> product_trials(Effort effort);

}  // namespace plimsoll::verify

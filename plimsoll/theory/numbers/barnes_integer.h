#pragma once

#include <cstdint>

#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::theory {

// ln G(1 + n) = ln(1! 2! ... (n-1)!) for an integer n >= 0, certified, in microseconds at any size.
Ball log_barnes_g1(std::int64_t n, int bits);

}  // namespace plimsoll::theory

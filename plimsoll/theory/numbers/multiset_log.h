#pragma once

#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::theory {

// ln ((n, k)) for exact integers n >= 1, k >= 0 with about `bits` correct bits whatever their size.
Ball log_multiset(const Integer& n, const Integer& k, int bits);

// ln ((n, x)) = ln Gamma(n + x) / (Gamma(n) Gamma(x + 1)) for a rational x > -1 and n > 0.
Ball log_multiset(const Rational& n, const Rational& x, int bits);

// ln 3, the unit of everything named log3.
Ball ln3(int bits);

// ln n! for n >= 0.
Ball log_factorial(const Integer& n, int bits);

// ln G(z) of Barnes' function, z > 0 a multiple of 1/2; G(n + 1) = 0! 1! ... (n - 1)!.
Ball log_barnes_g(const Rational& z, int bits);

// Extra working bits that the cancellation between log-gammas of `size` costs.
int cancellation_bits(const Integer& size);

}  // namespace plimsoll::theory

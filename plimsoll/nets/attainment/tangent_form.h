#pragma once

#include "plimsoll/nets/attainment/d2.h"

namespace plimsoll::nets {

// The second derivative of g at a point A0 of g = 0 among the Gram matrices of q positions: what the theorem
// on powers (ATT-D2) asks of a network. Tangent vectors of the Gram matrices at X X^T are e_i x_j^T + x_j
// e_i^T, one per entry of X.
struct TangentForm {
    MatrixOver<PrimeField> second;  // Hess g(A0) on tangent vectors at A0 and at B0; (d q, d q)
    FieldVector first_left;         // grad g(A0) on the tangent vectors at A0
    FieldVector first_right;        // and at B0; B0 itself is orthogonal to the gradient
};

// The form for random data: X, B0 and the vector `a` with g(A0) = 0 are drawn from `seed`, g is evaluated by
// the literal network. The prime must be 5 modulo 8 (prime_for_zeros); q is at most d.
TangentForm d2_tangent_form(const PrimeField& field, const D2Shape& shape, D2Kind kind, std::int64_t q,
                            std::uint64_t seed);

}  // namespace plimsoll::nets

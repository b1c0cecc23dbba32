#pragma once

#include "plimsoll/nets/attainment/head_factors.h"

namespace plimsoll::nets {

// The shape of the construction of ATT-D1: tokens x_j = M (u_j, 1) with a vector u_j of n numbers.
struct D1Shape {
    std::int64_t depth = 2;      // L >= 2
    std::int64_t heads = 1;      // H
    std::int64_t head_dim = 2;   // d_a >= 2, or 1 with a shared constant and H >= 2
    std::int64_t positions = 2;  // N >= 2
    std::int64_t rank = 0;       // of the tokens' space, at least 2; 0: the width
    std::int64_t width = 0;      // d; 0: H d_a
    bool shared = false;         // one constant for all heads instead of one in each: more is free
};

// The numbers of a token that are free: n = min(r - 1, H (d_a - 1)) with d >= H d_a, or n = min(r, H d_a) - 1
// with a shared constant.
std::size_t d1_free(const D1Shape& shape);

// lambda = 3^(L-2).
std::uint64_t d1_power(const D1Shape& shape);

// The weights when the tokens are M (u, 1) for any M (d, n + 1); `reader` (n + 1, d) is a left inverse of M.
AttentionWeights<std::uint64_t> d1_weights(const D1Shape& shape, const MatrixOver<PrimeField>& embedding,
                                           const MatrixOver<PrimeField>& reader);

// The same for M = the first n + 1 columns of the identity.
AttentionWeights<std::uint64_t> d1_weights(const D1Shape& shape);

// The input with vector a at position `a_at`, b at `b_at` and zero elsewhere, each with a constant one below;
// (n + 1, N).
MatrixOver<PrimeField> d1_input(const D1Shape& shape, const FieldVector& a, std::size_t a_at,
                                const FieldVector& b, std::size_t b_at);

// What every output at every position is: N^c ||a + b||^(2 lambda), c = (5 * 3^(L-2) - 1) / 2.
std::uint64_t d1_closed_form(const PrimeField& field, const D1Shape& shape, const FieldVector& a,
                             const FieldVector& b);

// The literal network on every pair of rows of `a` and `b` (rows, n), at positions 0 and N - 1: output 0 at
// position 0.
MatrixOver<PrimeField> d1_submatrix(const PrimeField& field, const D1Shape& shape,
                                    const AttentionWeights<std::uint64_t>& weights,
                                    const MatrixOver<PrimeField>& a, const MatrixOver<PrimeField>& b);

}  // namespace plimsoll::nets

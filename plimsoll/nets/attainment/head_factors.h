#pragma once

#include <vector>

#include "plimsoll/nets/attention.h"

namespace plimsoll::nets {

using FieldVector = std::vector<std::uint64_t>;

// A matrix of rank at most d_a, as a head holds it: the product of left (d, d_a) and right (d_a, d).
struct Factors {
    MatrixOver<PrimeField> left, right;
};

// The sizes of a head: d and d_a.
struct HeadSize {
    std::size_t width, head_dim;
};

// The zero matrix.
Factors zero_factors(const HeadSize& size);

// The projection on coordinates from, .., from + count - 1; count is at most d_a, zero gives the zero matrix.
Factors projection_factors(const HeadSize& size, std::size_t from, std::size_t count);

// e_0 a^T for a vector `a` of at most d entries, of which the first belongs to coordinate `from`.
Factors first_row_factors(const HeadSize& size, const FieldVector& a, std::size_t from = 0);

// The head X -> V G K X with V = W_O W_V and K = W_K^T W_Q (LEVINE-LAYER).
Head<std::uint64_t> head_of(const Factors& v, const Factors& k);

// The head that adds nothing.
Head<std::uint64_t> silent_head(const HeadSize& size);

// `count` layers after which row 0 of P is r (r G r^T)^((3^count - 1) / 2), r its row 0 before: the first of
// `heads` heads has V = K = e_0 e_0^T, the others are silent.
void add_collapse(AttentionWeights<std::uint64_t>& weights, const HeadSize& size, std::size_t heads,
                  std::int64_t count);

// 3^exponent; a Bug beyond 64 bits.
std::uint64_t power_of_three(std::int64_t exponent);

// Lambda = (3^count - 1) / 2, the exponent that `count` layers of collapse give.
std::uint64_t collapse_power(std::int64_t count);

// A matrix power; the zeroth is the identity.
MatrixOver<PrimeField> matrix_power(const PrimeField& field, const MatrixOver<PrimeField>& a,
                                    std::uint64_t exponent);

// A vector as a matrix of one column; (size, 1).
MatrixOver<PrimeField> column(const FieldVector& entries);

}  // namespace plimsoll::nets

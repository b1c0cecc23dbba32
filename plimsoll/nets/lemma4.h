#pragma once

#include <cstdint>

#include "plimsoll/nets/attention.h"

namespace plimsoll::nets {

// The shape of the corrected construction of LEVINE-L4 (docs/ERRATA.md, E6 and E7).
struct Lemma4Shape {
    std::int64_t depth = 2;      // L >= 2
    std::int64_t heads = 1;      // H
    std::int64_t head_dim = 3;   // d_a, odd and at least 3; the width is H d_a
    std::int64_t positions = 2;  // N, even
};

// m = (d_a - 1) / 2 coordinates per head carry a row of V, which has H m columns.
std::int64_t lemma4_columns(const Lemma4Shape& shape);

// 3^(L-2), the exponent of the Hadamard power that the network computes.
std::uint64_t lemma4_power(const Lemma4Shape& shape);

// The 2R + 1 template vectors for V (R, H m), one per column: (d_x, 2R + 1).
MatrixOver<PrimeField> lemma4_templates(const PrimeField& field, const Lemma4Shape& shape,
                                        const MatrixOver<PrimeField>& v);

// The weights; `field` must hold a square root of -1.
AttentionWeights<std::uint64_t> lemma4_weights(const PrimeField& field, const Lemma4Shape& shape);

// The network of `weights` evaluated literally: entry (s, t) has template s at position 0, template R + t at
// position N / 2 and template 2R + 1 elsewhere, and is output 0 at position 0; (R, R).
MatrixOver<PrimeField> lemma4_submatrix(const PrimeField& field, const Lemma4Shape& shape,
                                        const AttentionWeights<std::uint64_t>& weights,
                                        const MatrixOver<PrimeField>& v);

// What the construction promises for rows of norm one: N^((3^(L-1)-1)/2) m^(lambda-1) i (2i)^lambda times the
// Hadamard power lambda = 3^(L-2) of V V^T; (R, R).
MatrixOver<PrimeField> lemma4_closed_form(const PrimeField& field, const Lemma4Shape& shape,
                                          const MatrixOver<PrimeField>& v);

}  // namespace plimsoll::nets

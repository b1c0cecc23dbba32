#pragma once

#include "plimsoll/nets/attainment/head_factors.h"

namespace plimsoll::nets {

// The shape of the network with heads that ATT-E builds from one without.
struct SplitShape {
    std::int64_t width = 2;     // d
    std::int64_t heads = 1;     // H
    std::int64_t head_dim = 1;  // d_a
};

// d' = min(d, d_a floor(sqrt H)): the width of the networks of one head that are contained.
std::int64_t split_width(const SplitShape& shape);

// A network of H heads whose first d' outputs are those of `single` (one head, width d') on inputs whose
// other d - d' coordinates are zero: V G K is the sum of (V Pi_a) G (Pi_b K) over floor(sqrt H)^2 heads.
AttentionWeights<std::uint64_t> split_into_heads(const PrimeField& field, const SplitShape& shape,
                                                 const AttentionWeights<std::uint64_t>& single);

}  // namespace plimsoll::nets

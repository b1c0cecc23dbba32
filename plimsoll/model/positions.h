#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/model/layers.h"

// How positions enter a transformer. Tables are in double precision on the CPU.
namespace plimsoll::model {

// sin and cos of position / 10000^(2k / width), sines first as in Vaswani et al. with the two interleaved:
// (positions, width).
Tensor sinusoidal_table(std::int64_t positions, std::int64_t width);

// cos and sin of position * 10000^(-2k / head_dim) for k < head_dim / 2: (2, positions, head_dim / 2).
Tensor rope_table(std::int64_t positions, std::int64_t head_dim);

// Rotates the pairs (k, k + head_dim / 2) of x (B, H, T, head_dim), as Llama pairs them; the last number of
// an odd head_dim stays.
Tensor rotate(const Tensor& x, const Tensor& table);

// The slopes of ALiBi (Press et al. 2022): 2^(-8h / heads) for a power of two, and between them otherwise.
std::vector<double> alibi_slopes(std::int64_t heads);

// -slope * |i - j| for each head: (heads, positions, positions).
Tensor alibi_bias(const Tensor& slopes, std::int64_t positions);

// The bucket of T5 for each offset key - query from -(positions - 1) to positions - 1: half of the buckets
// (all, when causal) are for exact small distances, the others grow logarithmically up to 128.
std::vector<std::int64_t> relative_buckets(std::int64_t positions, std::int64_t buckets, bool causal);

// The bias of each head from a table (buckets, heads): (heads, positions, positions); from a stack of K
// tables (K, heads, positions, positions). `buckets` holds the buckets of the offsets of `limit` positions.
Tensor relative_bias(const Tensor& table, const Tensor& buckets, std::int64_t limit, std::int64_t positions);

}  // namespace plimsoll::model

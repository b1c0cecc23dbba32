#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "plimsoll/kernels/number.h"

// Queries or keys by head: an RMS norm over the numbers of a head (where it has one), then the rotation of
// number i against number i + half by an angle of its position (where it has one).
namespace plimsoll::kernels {

// Heads of these sizes: multiples of 4 up to this.
constexpr int largest_head = 256;

struct HeadShape {
    Number number;
    int runs;
    std::int64_t tokens;     // of a run: examples x positions
    std::int64_t positions;  // of an example
    int heads, head_dim;
    std::int64_t stride;  // numbers from a token to the next, of the input
    float epsilon;
};

// x (runs, tokens, heads, head_dim) with gaps between tokens to y without. weight (runs, head_dim) or null;
// cos and sin (positions, head_dim / 2) or null; scales (runs, tokens, heads) is kept for the gradient of a
// norm.
void heads_forward(const HeadShape& shape, const void* x, const void* weight, const float* cos,
                   const float* sin, void* y, float* scales, cudaStream_t stream);

// How many partial sums of a run heads_backward() makes of the gradient by weight.
int heads_partials(const HeadShape& shape);

// The gradient by x without gaps, and partial sums (runs, heads_partials(), head_dim) of that by weight.
void heads_backward(const HeadShape& shape, const void* gradient, const void* x, const void* weight,
                    const float* cos, const float* sin, const float* scales, void* by_x, float* partials,
                    cudaStream_t stream);

}  // namespace plimsoll::kernels

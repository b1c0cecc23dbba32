#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "plimsoll/kernels/number.h"

// Norms of the rows of a matrix (runs, rows, width) without gaps, each run with a weight of its own.
namespace plimsoll::kernels {

// Widths that the kernels take: even ones up to this.
constexpr int largest_norm_width = 1024;

struct NormShape {
    Number number;
    int runs;
    std::int64_t rows;  // of a run
    int width;
    bool centred;  // layer norm; otherwise RMS norm, which has neither mean nor bias
};

// What a row is multiplied by and added to: weight and bias (runs, width); the bias may be null.
struct NormWeights {
    const void* weight;
    const void* bias;
};

// What is kept of each row for the gradient, (runs, rows): mean (null without centring) and
// 1 / sqrt(variance + epsilon), or 1 / sqrt(mean square + epsilon).
struct NormMoments {
    float* mean;
    float* scale;
};

// y = (x - mean) * scale * weight + bias, row by row.
void norm_forward(const NormShape& shape, const void* x, const NormWeights& weights, float epsilon, void* y,
                  const NormMoments& moments, cudaStream_t stream);

// How many partial sums of a run norm_backward() makes, and how many numbers each of them has: width for the
// weight, and as many again for the bias of a layer norm.
int norm_partials(const NormShape& shape);
int norm_sums(const NormShape& shape);

// The gradient by x, and partial sums (runs, norm_partials(), norm_sums()) of those by weight and bias.
void norm_backward(const NormShape& shape, const void* gradient, const void* x, const void* weight,
                   const NormMoments& moments, void* by_x, float* partials, cudaStream_t stream);

}  // namespace plimsoll::kernels

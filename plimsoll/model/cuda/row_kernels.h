#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

// Kernels over matrices of many short rows, (rows, width) without gaps; no type of torch here.
namespace plimsoll::model {

enum class Number { bf16, fp32 };

// Widths that the norm kernels take: even ones up to this.
constexpr int largest_norm_width = 1024;

struct NormShape {
    Number number;
    std::int64_t rows;
    int width;
};

// y = (x - mean) * scale * weight + bias row by row, with scale = 1 / sqrt(variance + epsilon); mean and
// scale (rows) are kept for the gradient. The bias may be null.
void norm_forward(const NormShape& shape, const void* x, const void* weight, const void* bias, float epsilon,
                  void* y, float* mean, float* scale, cudaStream_t stream);

// How many partial sums norm_backward() makes.
int norm_partials(const NormShape& shape);

// The gradient by x; and partial sums (norm_partials(), 2, width) of the gradients by weight and bias.
void norm_backward(const NormShape& shape, const void* gradient, const void* x, const void* weight,
                   const float* mean, const float* scale, void* by_x, float* partials, cudaStream_t stream);

// Sums of the columns of (rows, width) numbers, an even width, in a fixed order: partial sums of bands of
// rows first, then of the bands.
int column_partials(std::int64_t rows);
void column_sums(Number number, const void* matrix, std::int64_t rows, std::int64_t width, float* partials,
                 cudaStream_t stream);
// The sums of (bands, width) partial sums as numbers.
void join_partials(Number number, const float* partials, int bands, std::int64_t width, void* sums,
                   cudaStream_t stream);

}  // namespace plimsoll::model

#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "plimsoll/kernels/number.h"

// The gate of a feed-forward layer: y = activation(a) * b for rows (a, b) of 2 * width numbers.
namespace plimsoll::kernels {

enum class Gate { silu, gelu, relu };

struct GateShape {
    Number number;
    Gate gate;
    std::int64_t rows;
    std::int64_t width;  // of a and of b: an even number
};

// both (rows, 2 * width) to y (rows, width).
void gate_forward(const GateShape& shape, const void* both, void* y, cudaStream_t stream);

// The gradient by both, (rows, 2 * width).
void gate_backward(const GateShape& shape, const void* gradient, const void* both, void* by_both,
                   cudaStream_t stream);

}  // namespace plimsoll::kernels

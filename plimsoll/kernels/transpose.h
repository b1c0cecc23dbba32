#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "plimsoll/kernels/number.h"

namespace plimsoll::kernels {

struct TransposeShape {
    Number number;
    std::int64_t matrices;
    int rows, columns;  // of x
};

// y (matrices, columns, rows) = x (matrices, rows, columns) with rows and columns exchanged; with `base` (of
// y's shape, or null) it is base + factor * that.
void transpose(const TransposeShape& shape, const void* x, const void* base, float factor, void* y,
               cudaStream_t stream);

}  // namespace plimsoll::kernels

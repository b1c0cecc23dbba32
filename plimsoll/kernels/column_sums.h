#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "plimsoll/kernels/number.h"

// Sums over the rows of a matrix (runs, rows, width) without gaps, in a fixed order: of bands of rows first,
// then of the bands.
namespace plimsoll::kernels {

struct ColumnShape {
    Number number;
    int runs;
    std::int64_t rows, width;  // of a run; an even width
};

// Bands of a run.
int column_bands(const ColumnShape& shape);
// partials (runs, column_bands(), width).
void column_sums(const ColumnShape& shape, const void* matrix, float* partials, cudaStream_t stream);

// (runs, bands, width) partial sums as (runs, width) numbers.
void join_partials(Number number, const float* partials, int runs, int bands, std::int64_t width, void* sums,
                   cudaStream_t stream);

}  // namespace plimsoll::kernels

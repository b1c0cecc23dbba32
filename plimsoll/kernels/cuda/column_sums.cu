#include <algorithm>

#include "plimsoll/kernels/column_sums.h"
#include "plimsoll/kernels/cuda/pairs.h"

namespace plimsoll::kernels {
namespace {

constexpr int warps = 8;  // of a block
constexpr dim3 block{warp_lanes, warps};

unsigned blocks_of(std::int64_t count, std::int64_t each) {
    return static_cast<unsigned>((count + each - 1) / each);
}

// Block (x, y, z) sums band y of run z, 64 columns from 64 x on; its warps take every eighth row.
template <class T>
__global__ void band_sums_kernel(const T* matrix, std::int64_t rows, std::int64_t width, float* partials) {
    __shared__ float2 shared[warps][warp_lanes];
    const std::int64_t column = 2 * (static_cast<std::int64_t>(blockIdx.x) * warp_lanes + threadIdx.x);
    const std::int64_t band = (rows + gridDim.y - 1) / gridDim.y, first = band * blockIdx.y;
    const std::int64_t end = first + band < rows ? first + band : rows;
    const T* mine = matrix + blockIdx.z * rows * width;
    float2 sum{0, 0};
    if (column < width) {
#pragma unroll 8
        for (std::int64_t row = first + threadIdx.y; row < end; row += warps) {
            const float2 value = load_pair(mine + row * width + column);
            sum = {sum.x + value.x, sum.y + value.y};
        }
    }
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= width) return;
    float2 total{0, 0};
    for (int warp = 0; warp < warps; ++warp) {
        total = {total.x + shared[warp][threadIdx.x].x, total.y + shared[warp][threadIdx.x].y};
    }
    store_pair(partials + (static_cast<std::int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * width + column,
               total);
}

// Block (x, y) joins the bands of 32 columns of run y.
template <class T>
__global__ void join_partials_kernel(const float* partials, int bands, std::int64_t width, T* sums) {
    __shared__ float shared[warps][warp_lanes];
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * warp_lanes + threadIdx.x;
    const float* mine = partials + blockIdx.y * bands * width;
    float sum = 0;
    if (column < width) {
#pragma unroll 8
        for (int band = static_cast<int>(threadIdx.y); band < bands; band += warps)
            sum += mine[band * width + column];
    }
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= width) return;
    float total = 0;
    for (int warp = 0; warp < warps; ++warp) total += shared[warp][threadIdx.x];
    store_one(sums + blockIdx.y * width + column, total);
}

}  // namespace

int column_bands(const ColumnShape& shape) {
    constexpr std::int64_t most = 256, least_rows = 64;
    const std::int64_t most_of_run = std::max<std::int64_t>(1, most / shape.runs);
    return static_cast<int>(std::clamp<std::int64_t>(shape.rows / least_rows, 1, most_of_run));
}

void column_sums(const ColumnShape& shape, const void* matrix, float* partials, cudaStream_t stream) {
    const dim3 grid(blocks_of(shape.width, 2 * warp_lanes), static_cast<unsigned>(column_bands(shape)),
                    static_cast<unsigned>(shape.runs));
    if (shape.number == Number::bf16) {
        band_sums_kernel<<<grid, block, 0, stream>>>(static_cast<const bf16*>(matrix), shape.rows,
                                                     shape.width, partials);
    } else {
        band_sums_kernel<<<grid, block, 0, stream>>>(static_cast<const float*>(matrix), shape.rows,
                                                     shape.width, partials);
    }
}

void join_partials(Number number, const float* partials, int runs, int bands, std::int64_t width, void* sums,
                   cudaStream_t stream) {
    const dim3 grid(blocks_of(width, warp_lanes), static_cast<unsigned>(runs));
    if (number == Number::bf16) {
        join_partials_kernel<<<grid, block, 0, stream>>>(partials, bands, width, static_cast<bf16*>(sums));
    } else {
        join_partials_kernel<<<grid, block, 0, stream>>>(partials, bands, width, static_cast<float*>(sums));
    }
}

}  // namespace plimsoll::kernels

// One warp has one row at a time, two neighbouring numbers a lane and load; sums over rows are kept in
// registers, then joined in shared memory and at last over blocks, always in the same order.
#include <algorithm>

#include <cuda_bf16.h>

#include "plimsoll/model/cuda/row_kernels.h"

namespace plimsoll::model {
namespace {

constexpr int lanes = 32;
constexpr int warps = 8;          // of a block
constexpr int most_blocks = 528;  // four for each multiprocessor of an H200

using bf16 = __nv_bfloat16;

__device__ float2 load(const bf16* from) {
    return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(from));
}
__device__ float2 load(const float* from) { return *reinterpret_cast<const float2*>(from); }
__device__ void store(bf16* to, float2 value) {
    *reinterpret_cast<__nv_bfloat162*>(to) = __float22bfloat162_rn(value);
}
__device__ void store(float* to, float2 value) { *reinterpret_cast<float2*>(to) = value; }
__device__ void put(bf16* to, float value) { *to = __float2bfloat16_rn(value); }
__device__ void put(float* to, float value) { *to = value; }

__device__ float over_warp(float value) {
    for (int distance = lanes / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffU, value, distance);
    return value;
}

// The column of a lane's pair number `pair`.
__device__ int column_of(int pair) { return 2 * (pair * lanes + static_cast<int>(threadIdx.x)); }

// `pairs` pairs a lane: width <= 64 * pairs.
template <class T, int pairs>
__device__ void load_row(const T* row, int width, float2 (&values)[pairs]) {
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
        values[p] = column_of(p) < width ? load(row + column_of(p)) : float2{0, 0};
    }
}

template <class T, int pairs>
__global__ void norm_forward_kernel(const T* x, const T* weight, const T* bias, float epsilon,
                                    std::int64_t rows, int width, T* y, float* means, float* scales) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * warps + threadIdx.y;
    if (row >= rows) return;
    float2 values[pairs];
    load_row<T, pairs>(x + row * width, width, values);
    float sum = 0;
#pragma unroll
    for (int p = 0; p < pairs; ++p) sum += values[p].x + values[p].y;
    const float mean = over_warp(sum) / static_cast<float>(width);
    float squares = 0;
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
        if (column_of(p) >= width) continue;
        const float a = values[p].x - mean, b = values[p].y - mean;
        squares += a * a + b * b;
    }
    const float scale = rsqrtf(over_warp(squares) / static_cast<float>(width) + epsilon);
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
        const int column = column_of(p);
        if (column >= width) continue;
        const float2 w = load(weight + column), b = bias ? load(bias + column) : float2{0, 0};
        store(y + row * width + column,
              {(values[p].x - mean) * scale * w.x + b.x, (values[p].y - mean) * scale * w.y + b.y});
    }
    if (threadIdx.x == 0) {
        means[row] = mean;
        scales[row] = scale;
    }
}

// Adds the warps' sums of a block in the order of the warps: into sums[0 .. width).
template <int pairs>
__device__ void join_warps(const float2 (&values)[pairs], int width, float* shared, float* sums) {
    __syncthreads();
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
        const int column = column_of(p);
        if (column < width) *reinterpret_cast<float2*>(shared + threadIdx.y * width + column) = values[p];
    }
    __syncthreads();
    for (int column = static_cast<int>(threadIdx.y * lanes + threadIdx.x); column < width;
         column += warps * lanes) {
        float sum = 0;
        for (int warp = 0; warp < warps; ++warp) sum += shared[warp * width + column];
        sums[column] = sum;
    }
}

template <class T, int pairs>
__global__ void norm_backward_kernel(const T* gradient, const T* x, const T* weight, const float* means,
                                     const float* scales, std::int64_t rows, int width, T* by_x,
                                     float* partials) {
    extern __shared__ float shared[];
    float2 by_weight[pairs] = {}, by_bias[pairs] = {};
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * warps + threadIdx.y; row < rows;
         row += static_cast<std::int64_t>(gridDim.x) * warps) {
        float2 normed[pairs], slope[pairs], w[pairs];
        load_row<T, pairs>(x + row * width, width, normed);
        load_row<T, pairs>(gradient + row * width, width, slope);
        load_row<T, pairs>(weight, width, w);
        const float mean = means[row], scale = scales[row];
        float sum = 0, product = 0;
#pragma unroll
        for (int p = 0; p < pairs; ++p) {
            normed[p] = {(normed[p].x - mean) * scale, (normed[p].y - mean) * scale};
            by_weight[p].x += slope[p].x * normed[p].x;
            by_weight[p].y += slope[p].y * normed[p].y;
            by_bias[p].x += slope[p].x;
            by_bias[p].y += slope[p].y;
            slope[p] = {slope[p].x * w[p].x, slope[p].y * w[p].y};  // zero beyond the width
            sum += slope[p].x + slope[p].y;
            product += slope[p].x * normed[p].x + slope[p].y * normed[p].y;
        }
        sum = over_warp(sum) / static_cast<float>(width);
        product = over_warp(product) / static_cast<float>(width);
#pragma unroll
        for (int p = 0; p < pairs; ++p) {
            const int column = column_of(p);
            if (column >= width) continue;
            store(by_x + row * width + column, {scale * (slope[p].x - sum - normed[p].x * product),
                                                scale * (slope[p].y - sum - normed[p].y * product)});
        }
    }
    float* mine = partials + static_cast<std::int64_t>(blockIdx.x) * 2 * width;
    join_warps<pairs>(by_weight, width, shared, mine);
    join_warps<pairs>(by_bias, width, shared, mine + width);
}

// A block sums a band of rows, 64 columns; its warps take every eighth row.
template <class T>
__global__ void column_sums_kernel(const T* matrix, std::int64_t rows, std::int64_t width, float* partials) {
    __shared__ float2 shared[warps][lanes];
    const std::int64_t column = 2 * (static_cast<std::int64_t>(blockIdx.x) * lanes + threadIdx.x);
    const std::int64_t band = (rows + gridDim.y - 1) / gridDim.y, first = band * blockIdx.y;
    const std::int64_t end = first + band < rows ? first + band : rows;
    float2 sum{0, 0};
    if (column < width) {
#pragma unroll 8
        for (std::int64_t row = first + threadIdx.y; row < end; row += warps) {
            const float2 value = load(matrix + row * width + column);
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
    store(partials + blockIdx.y * width + column, total);
}

template <class T>
__global__ void join_partials_kernel(const float* partials, int bands, std::int64_t width, T* sums) {
    __shared__ float shared[warps][lanes];
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * lanes + threadIdx.x;
    float sum = 0;
    if (column < width) {
#pragma unroll 8
        for (int band = static_cast<int>(threadIdx.y); band < bands; band += warps)
            sum += partials[band * width + column];
    }
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= width) return;
    float total = 0;
    for (int warp = 0; warp < warps; ++warp) total += shared[warp][threadIdx.x];
    put(sums + column, total);
}

// Calls action.template operator()<T, pairs>() for the type and the smallest number of pairs that holds the
// width.
template <class T, class Action>
void with_pairs(int width, const Action& action) {
    const int needed = (width + 2 * lanes - 1) / (2 * lanes);
    if (needed <= 1) return action.template operator()<T, 1>();
    if (needed <= 2) return action.template operator()<T, 2>();
    if (needed <= 3) return action.template operator()<T, 3>();
    if (needed <= 4) return action.template operator()<T, 4>();
    if (needed <= 8) return action.template operator()<T, 8>();
    action.template operator()<T, 16>();
}

template <class Action>
void with_shape(const NormShape& shape, const Action& action) {
    if (shape.number == Number::bf16) return with_pairs<bf16>(shape.width, action);
    with_pairs<float>(shape.width, action);
}

unsigned blocks_for(std::int64_t count, std::int64_t each) {
    return static_cast<unsigned>((count + each - 1) / each);
}

constexpr dim3 block{lanes, warps};

}  // namespace

void norm_forward(const NormShape& shape, const void* x, const void* weight, const void* bias, float epsilon,
                  void* y, float* mean, float* scale, cudaStream_t stream) {
    with_shape(shape, [&]<class T, int pairs>() {
        norm_forward_kernel<T, pairs><<<blocks_for(shape.rows, warps), block, 0, stream>>>(
            static_cast<const T*>(x), static_cast<const T*>(weight), static_cast<const T*>(bias), epsilon,
            shape.rows, shape.width, static_cast<T*>(y), mean, scale);
    });
}

int norm_partials(const NormShape& shape) {
    return static_cast<int>(std::min<std::int64_t>(most_blocks, (shape.rows + warps - 1) / warps));
}

void norm_backward(const NormShape& shape, const void* gradient, const void* x, const void* weight,
                   const float* mean, const float* scale, void* by_x, float* partials, cudaStream_t stream) {
    const auto bytes = static_cast<std::size_t>(warps * shape.width) * sizeof(float);
    with_shape(shape, [&]<class T, int pairs>() {
        norm_backward_kernel<T, pairs><<<static_cast<unsigned>(norm_partials(shape)), block, bytes, stream>>>(
            static_cast<const T*>(gradient), static_cast<const T*>(x), static_cast<const T*>(weight), mean,
            scale, shape.rows, shape.width, static_cast<T*>(by_x), partials);
    });
}

int column_partials(std::int64_t rows) {
    constexpr std::int64_t most = 256, least_rows = 64;
    return static_cast<int>(std::clamp<std::int64_t>(rows / least_rows, 1, most));
}

void column_sums(Number number, const void* matrix, std::int64_t rows, std::int64_t width, float* partials,
                 cudaStream_t stream) {
    const dim3 grid(blocks_for(width, 2 * lanes), static_cast<unsigned>(column_partials(rows)));
    if (number == Number::bf16) {
        column_sums_kernel<<<grid, block, 0, stream>>>(static_cast<const bf16*>(matrix), rows, width,
                                                       partials);
    } else {
        column_sums_kernel<<<grid, block, 0, stream>>>(static_cast<const float*>(matrix), rows, width,
                                                       partials);
    }
}

void join_partials(Number number, const float* partials, int bands, std::int64_t width, void* sums,
                   cudaStream_t stream) {
    const unsigned grid = blocks_for(width, lanes);
    if (number == Number::bf16) {
        join_partials_kernel<<<grid, block, 0, stream>>>(partials, bands, width, static_cast<bf16*>(sums));
    } else {
        join_partials_kernel<<<grid, block, 0, stream>>>(partials, bands, width, static_cast<float*>(sums));
    }
}

}  // namespace plimsoll::model

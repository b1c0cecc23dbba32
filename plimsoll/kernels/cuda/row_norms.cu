// One warp has one row at a time, two neighbouring numbers a lane and load; sums over rows are kept in
// registers, then joined in shared memory and at last over blocks, always in the same order.
#include <algorithm>

#include "plimsoll/kernels/cuda/pairs.h"
#include "plimsoll/kernels/row_norms.h"

namespace plimsoll::kernels {
namespace {

constexpr int warps = 8;          // of a block
constexpr int most_blocks = 528;  // four for each multiprocessor of an H200
constexpr dim3 block{warp_lanes, warps};

// The column of a lane's pair number `pair`.
__device__ int column_of(int pair) { return 2 * (pair * warp_lanes + static_cast<int>(threadIdx.x)); }

// `pairs` pairs a lane: width <= 64 * pairs.
template <class T, int pairs>
__device__ void load_row(const T* row, int width, float2 (&values)[pairs]) {
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
        values[p] = column_of(p) < width ? load_pair(row + column_of(p)) : float2{0, 0};
    }
}

template <int pairs>
__device__ float mean_of(const float2 (&values)[pairs], int width) {
    float sum = 0;
#pragma unroll
    for (int p = 0; p < pairs; ++p) sum += values[p].x + values[p].y;
    return sum_over<warp_lanes>(sum) / static_cast<float>(width);
}

template <int pairs>
__device__ float mean_square(const float2 (&values)[pairs], float mean, int width) {
    float squares = 0;
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
        if (column_of(p) >= width) continue;
        const float a = values[p].x - mean, b = values[p].y - mean;
        squares += a * a + b * b;
    }
    return sum_over<warp_lanes>(squares) / static_cast<float>(width);
}

template <class T, int pairs, bool centred>
__global__ void norm_forward_kernel(NormShape shape, const T* x, const T* weight, const T* bias,
                                    float epsilon, T* y, float* means, float* scales) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * warps + threadIdx.y;
    if (row >= shape.rows * shape.runs) return;
    const int width = shape.width;
    const std::int64_t of_run = row / shape.rows * width;
    float2 values[pairs];
    load_row<T, pairs>(x + row * width, width, values);
    const float mean = centred ? mean_of<pairs>(values, width) : 0;
    const float scale = rsqrtf(mean_square<pairs>(values, mean, width) + epsilon);
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
        const int column = column_of(p);
        if (column >= width) continue;
        const float2 w = load_pair(weight + of_run + column),
                     b = bias ? load_pair(bias + of_run + column) : float2{0, 0};
        store_pair(y + row * width + column,
                   {(values[p].x - mean) * scale * w.x + b.x, (values[p].y - mean) * scale * w.y + b.y});
    }
    if (threadIdx.x != 0) return;
    if (centred) means[row] = mean;
    scales[row] = scale;
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
    for (int column = static_cast<int>(threadIdx.y * warp_lanes + threadIdx.x); column < width;
         column += warps * warp_lanes) {
        float sum = 0;
        for (int warp = 0; warp < warps; ++warp) sum += shared[warp * width + column];
        sums[column] = sum;
    }
}

// Block (x, y) takes every gridDim.x-th group of rows of run y.
template <class T, int pairs, bool centred>
__global__ void norm_backward_kernel(NormShape shape, const T* gradient, const T* x, const T* weight,
                                     const float* means, const float* scales, T* by_x, float* partials) {
    extern __shared__ float shared[];
    const int width = shape.width;
    const std::int64_t first = blockIdx.y * shape.rows;
    float2 by_weight[pairs] = {}, by_bias[pairs] = {}, w[pairs];
    load_row<T, pairs>(weight + static_cast<std::int64_t>(blockIdx.y) * width, width, w);
    for (std::int64_t own = static_cast<std::int64_t>(blockIdx.x) * warps + threadIdx.y; own < shape.rows;
         own += static_cast<std::int64_t>(gridDim.x) * warps) {
        const std::int64_t row = first + own;
        float2 normed[pairs], slope[pairs];
        load_row<T, pairs>(x + row * width, width, normed);
        load_row<T, pairs>(gradient + row * width, width, slope);
        const float mean = centred ? means[row] : 0, scale = scales[row];
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
        sum = centred ? sum_over<warp_lanes>(sum) / static_cast<float>(width) : 0;
        product = sum_over<warp_lanes>(product) / static_cast<float>(width);
#pragma unroll
        for (int p = 0; p < pairs; ++p) {
            const int column = column_of(p);
            if (column >= width) continue;
            store_pair(by_x + row * width + column, {scale * (slope[p].x - sum - normed[p].x * product),
                                                     scale * (slope[p].y - sum - normed[p].y * product)});
        }
    }
    const int sums = centred ? 2 * width : width;
    float* mine = partials + (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x) * sums;
    join_warps<pairs>(by_weight, width, shared, mine);
    if (centred) join_warps<pairs>(by_bias, width, shared, mine + width);
}

// Calls action.template operator()<T, pairs>() for the smallest number of pairs that holds the width.
template <class T, class Action>
void with_pairs(int width, const Action& action) {
    const int needed = (width + 2 * warp_lanes - 1) / (2 * warp_lanes);
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

}  // namespace

void norm_forward(const NormShape& shape, const void* x, const NormWeights& weights, float epsilon, void* y,
                  const NormMoments& moments, cudaStream_t stream) {
    const unsigned grid = blocks_for(shape.rows * shape.runs, warps);
    with_shape(shape, [&]<class T, int pairs>() {
        const auto kernel =
            shape.centred ? norm_forward_kernel<T, pairs, true> : norm_forward_kernel<T, pairs, false>;
        kernel<<<grid, block, 0, stream>>>(
            shape, static_cast<const T*>(x), static_cast<const T*>(weights.weight),
            static_cast<const T*>(weights.bias), epsilon, static_cast<T*>(y), moments.mean, moments.scale);
    });
}

int norm_partials(const NormShape& shape) {
    constexpr int least = 8;
    const std::int64_t most = std::max(least, most_blocks / shape.runs);
    return static_cast<int>(std::min(most, (shape.rows + warps - 1) / warps));
}

int norm_sums(const NormShape& shape) { return shape.centred ? 2 * shape.width : shape.width; }

void norm_backward(const NormShape& shape, const void* gradient, const void* x, const void* weight,
                   const NormMoments& moments, void* by_x, float* partials, cudaStream_t stream) {
    const auto bytes = static_cast<std::size_t>(warps * shape.width) * sizeof(float);
    const dim3 grid(static_cast<unsigned>(norm_partials(shape)), static_cast<unsigned>(shape.runs));
    with_shape(shape, [&]<class T, int pairs>() {
        const auto kernel =
            shape.centred ? norm_backward_kernel<T, pairs, true> : norm_backward_kernel<T, pairs, false>;
        kernel<<<grid, block, bytes, stream>>>(shape, static_cast<const T*>(gradient),
                                               static_cast<const T*>(x), static_cast<const T*>(weight),
                                               moments.mean, moments.scale, static_cast<T*>(by_x), partials);
    });
}

}  // namespace plimsoll::kernels

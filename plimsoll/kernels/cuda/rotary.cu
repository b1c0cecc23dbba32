// A team of lanes has one head of one token: the pair of numbers (2 i, 2 i + 1) of its first half and the one
// of its second half are of one lane, so that the rotation needs no other.
#include <algorithm>

#include "plimsoll/kernels/cuda/pairs.h"
#include "plimsoll/kernels/rotary.h"

namespace plimsoll::kernels {
namespace {

constexpr int threads = 256;
constexpr int most_blocks = 528;

// Two pairs of numbers of a head: of its first half and of its second.
struct Quad {
    float2 low, high;
};

template <class T>
__device__ Quad load_quad(const T* head, int pair, int half) {
    return {load_pair(head + 2 * pair), load_pair(head + half + 2 * pair)};
}

template <class T>
__device__ void store_quad(T* head, int pair, int half, const Quad& quad) {
    store_pair(head + 2 * pair, quad.low);
    store_pair(head + half + 2 * pair, quad.high);
}

__device__ float squares_of(const Quad& q) {
    return q.low.x * q.low.x + q.low.y * q.low.y + q.high.x * q.high.x + q.high.y * q.high.y;
}

__device__ Quad times(const Quad& a, const Quad& b) {
    return {{a.low.x * b.low.x, a.low.y * b.low.y}, {a.high.x * b.high.x, a.high.y * b.high.y}};
}

__device__ Quad times(const Quad& a, float b) {
    return {{a.low.x * b, a.low.y * b}, {a.high.x * b, a.high.y * b}};
}

__device__ float sum_of(const Quad& q) { return q.low.x + q.low.y + q.high.x + q.high.y; }

// Turned by the angle, or back with the sine negated.
__device__ Quad turned(const Quad& q, float2 cos, float2 sin) {
    return {{q.low.x * cos.x - q.high.x * sin.x, q.low.y * cos.y - q.high.y * sin.y},
            {q.high.x * cos.x + q.low.x * sin.x, q.high.y * cos.y + q.low.y * sin.y}};
}

// Where a team's head is: `head` counts over tokens and heads of the run blockIdx.y.
struct HeadOffsets {
    std::int64_t input, output, position, row;
};

__device__ HeadOffsets place_of(const HeadShape& shape, std::int64_t head) {
    const std::int64_t token = head / shape.heads, number = head - token * shape.heads;
    const std::int64_t first = blockIdx.y * shape.tokens;
    const std::int64_t row = first * shape.heads + head;
    return {(first + token) * shape.stride + number * shape.head_dim, row * shape.head_dim,
            token % shape.positions, row};
}

template <class T, int lanes, bool normed, bool rotated>
__global__ void heads_forward_kernel(HeadShape shape, const T* x, const T* weight, const float* cos,
                                     const float* sin, T* y, float* scales) {
    constexpr int teams = threads / lanes;
    const int lane = static_cast<int>(threadIdx.x) % lanes, half = shape.head_dim / 2;
    const std::int64_t head = static_cast<std::int64_t>(blockIdx.x) * teams + threadIdx.x / lanes;
    const bool inside = head < shape.tokens * shape.heads;
    const HeadOffsets place = place_of(shape, inside ? head : 0);
    const bool first = 2 * lane < half, second = 2 * (lane + lanes) < half;
    Quad one{}, two{};
    if (first) one = load_quad(x + place.input, lane, half);
    if (second) two = load_quad(x + place.input, lane + lanes, half);
    if constexpr (normed) {
        const float sum = sum_over<lanes>(squares_of(one) + squares_of(two));
        const float scale = rsqrtf(sum / static_cast<float>(shape.head_dim) + shape.epsilon);
        const T* own = weight + static_cast<std::int64_t>(blockIdx.y) * shape.head_dim;
        if (first) one = times(times(one, scale), load_quad(own, lane, half));
        if (second) two = times(times(two, scale), load_quad(own, lane + lanes, half));
        if (inside && lane == 0) scales[place.row] = scale;
    }
    if constexpr (rotated) {
        const std::int64_t at = place.position * half;
        if (first) one = turned(one, load_pair(cos + at + 2 * lane), load_pair(sin + at + 2 * lane));
        if (second)
            two = turned(two, load_pair(cos + at + 2 * (lane + lanes)),
                         load_pair(sin + at + 2 * (lane + lanes)));
    }
    if (!inside) return;
    if (first) store_quad(y + place.output, lane, half, one);
    if (second) store_quad(y + place.output, lane + lanes, half, two);
}

// The gradient of one quad before the rotation.
template <class T, bool rotated>
__device__ Quad unturned(const T* gradient, const float* cos, const float* sin, std::int64_t at, int pair,
                         int half) {
    const Quad g = load_quad(gradient, pair, half);
    if constexpr (!rotated) return g;
    const float2 c = load_pair(cos + at + 2 * pair), s = load_pair(sin + at + 2 * pair);
    return turned(g, c, {-s.x, -s.y});
}

__device__ void add_to(Quad& sum, const Quad& term) {
    sum = {{sum.low.x + term.low.x, sum.low.y + term.low.y},
           {sum.high.x + term.high.x, sum.high.y + term.high.y}};
}

template <class T, int lanes, bool normed, bool rotated>
__global__ void heads_backward_kernel(HeadShape shape, const T* gradient, const T* x, const T* weight,
                                      const float* cos, const float* sin, const float* scales, T* by_x,
                                      float* partials) {
    constexpr int teams = threads / lanes;
    extern __shared__ float shared[];  // (teams, head_dim)
    const int lane = static_cast<int>(threadIdx.x) % lanes, half = shape.head_dim / 2;
    const int team = static_cast<int>(threadIdx.x) / lanes;
    const bool first = 2 * lane < half, second = 2 * (lane + lanes) < half;
    const std::int64_t all = shape.tokens * shape.heads;
    Quad sum_one{}, sum_two{};
    // Every team makes as many rounds, because a sum over lanes needs the whole warp.
    for (std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * teams; begin < all;
         begin += static_cast<std::int64_t>(gridDim.x) * teams) {
        const std::int64_t head = begin + team;
        const bool inside = head < all;
        const HeadOffsets place = place_of(shape, inside ? head : 0);
        const std::int64_t at = place.position * half;
        Quad one{}, two{};
        if (first) one = unturned<T, rotated>(gradient + place.output, cos, sin, at, lane, half);
        if (second) two = unturned<T, rotated>(gradient + place.output, cos, sin, at, lane + lanes, half);
        if constexpr (normed) {
            const float scale = scales[place.row];
            const T* own = weight + static_cast<std::int64_t>(blockIdx.y) * shape.head_dim;
            Quad x_one{}, x_two{};
            if (first) x_one = times(load_quad(x + place.input, lane, half), scale);
            if (second) x_two = times(load_quad(x + place.input, lane + lanes, half), scale);
            if (inside) add_to(sum_one, times(one, x_one)), add_to(sum_two, times(two, x_two));
            if (first) one = times(one, load_quad(own, lane, half));
            if (second) two = times(two, load_quad(own, lane + lanes, half));
            const float product = sum_over<lanes>(sum_of(times(one, x_one)) + sum_of(times(two, x_two))) /
                                  static_cast<float>(shape.head_dim);
            add_to(one, times(x_one, -product));
            add_to(two, times(x_two, -product));
            one = times(one, scale), two = times(two, scale);
        }
        if (!inside) continue;
        if (first) store_quad(by_x + place.output, lane, half, one);
        if (second) store_quad(by_x + place.output, lane + lanes, half, two);
    }
    if constexpr (normed) {
        float* mine = shared + team * shape.head_dim;
        if (first) store_quad(mine, lane, half, sum_one);
        if (second) store_quad(mine, lane + lanes, half, sum_two);
        __syncthreads();
        float* results =
            partials + (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x) * shape.head_dim;
        for (int i = static_cast<int>(threadIdx.x); i < shape.head_dim; i += threads) {
            float sum = 0;
            for (int t = 0; t < teams; ++t) sum += shared[t * shape.head_dim + i];
            results[i] = sum;
        }
    }
}

// Calls action.template operator()<T, lanes>(): each lane has at most two quads.
template <class T, class Action>
void with_lanes(int head_dim, const Action& action) {
    const int quads = (head_dim / 2 + 1) / 2;
    if (quads <= 8) return action.template operator()<T, 8>();
    if (quads <= 16) return action.template operator()<T, 16>();
    action.template operator()<T, 32>();
}

template <class Action>
void with_shape(const HeadShape& shape, const Action& action) {
    if (shape.number == Number::bf16) return with_lanes<bf16>(shape.head_dim, action);
    with_lanes<float>(shape.head_dim, action);
}

std::int64_t teams_needed(const HeadShape& shape, int lanes) {
    const std::int64_t teams = threads / lanes;
    return (shape.tokens * shape.heads + teams - 1) / teams;
}

}  // namespace

void heads_forward(const HeadShape& shape, const void* x, const void* weight, const float* cos,
                   const float* sin, void* y, float* scales, cudaStream_t stream) {
    with_shape(shape, [&]<class T, int lanes>() {
        const auto kernel = weight ? (cos ? heads_forward_kernel<T, lanes, true, true>
                                          : heads_forward_kernel<T, lanes, true, false>)
                                   : (cos ? heads_forward_kernel<T, lanes, false, true>
                                          : heads_forward_kernel<T, lanes, false, false>);
        const dim3 grid(static_cast<unsigned>(teams_needed(shape, lanes)), static_cast<unsigned>(shape.runs));
        kernel<<<grid, threads, 0, stream>>>(shape, static_cast<const T*>(x), static_cast<const T*>(weight),
                                             cos, sin, static_cast<T*>(y), scales);
    });
}

int heads_partials(const HeadShape& shape) {
    constexpr int least = 8;
    const std::int64_t most = std::max(least, most_blocks / shape.runs);
    return static_cast<int>(std::min(most, teams_needed(shape, warp_lanes)));
}

void heads_backward(const HeadShape& shape, const void* gradient, const void* x, const void* weight,
                    const float* cos, const float* sin, const float* scales, void* by_x, float* partials,
                    cudaStream_t stream) {
    with_shape(shape, [&]<class T, int lanes>() {
        const auto kernel = weight ? (cos ? heads_backward_kernel<T, lanes, true, true>
                                          : heads_backward_kernel<T, lanes, true, false>)
                                   : (cos ? heads_backward_kernel<T, lanes, false, true>
                                          : heads_backward_kernel<T, lanes, false, false>);
        const auto bytes = static_cast<std::size_t>(threads / lanes * shape.head_dim) * sizeof(float);
        const dim3 grid(static_cast<unsigned>(heads_partials(shape)), static_cast<unsigned>(shape.runs));
        kernel<<<grid, threads, bytes, stream>>>(shape, static_cast<const T*>(gradient),
                                                 static_cast<const T*>(x), static_cast<const T*>(weight), cos,
                                                 sin, scales, static_cast<T*>(by_x), partials);
    });
}

}  // namespace plimsoll::kernels

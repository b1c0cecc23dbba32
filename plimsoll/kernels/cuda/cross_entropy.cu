// A row belongs to one warp when it is short, otherwise to a block. Bytes decide: forward reads the logits
// once, backward reads them once and writes as much.
#include "plimsoll/kernels/cross_entropy.h"
#include "plimsoll/kernels/cuda/pairs.h"

namespace plimsoll::kernels {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / warp_lanes;
constexpr std::int64_t longest_of_a_warp = 1024;
constexpr float lowest = -3.4e38f;

// The largest number so far, and the sum of exp(number - largest).
struct Running {
    float largest, sum;
};

__device__ Running joined(Running a, Running b) {
    const float largest = fmaxf(a.largest, b.largest);
    return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
}

__device__ Running with(Running all, float x) {
    if (x <= all.largest) return {all.largest, all.sum + __expf(x - all.largest)};
    return {x, all.sum * __expf(all.largest - x) + 1};
}

__device__ Running over_warp(Running mine) {
#pragma unroll
    for (int distance = warp_lanes / 2; distance > 0; distance /= 2) {
        mine = joined(mine, {__shfl_xor_sync(0xffffffffU, mine.largest, distance),
                             __shfl_xor_sync(0xffffffffU, mine.sum, distance)});
    }
    return mine;
}

// Sixteen bytes of numbers as floats.
template <class T>
struct Packed {
    static constexpr int count = 16 / sizeof(T);
    float values[count];
};

template <class T>
__device__ Packed<T> load_packed(const T* from) {
    const uint4 raw = *reinterpret_cast<const uint4*>(from);
    const T* numbers = reinterpret_cast<const T*>(&raw);
    Packed<T> result;
#pragma unroll
    for (int i = 0; i < Packed<T>::count; ++i) result.values[i] = load_one(numbers + i);
    return result;
}

template <class T>
__device__ void store_packed(T* to, const Packed<T>& packed) {
    uint4 raw;
    T* numbers = reinterpret_cast<T*>(&raw);
#pragma unroll
    for (int i = 0; i < Packed<T>::count; ++i) store_one(numbers + i, packed.values[i]);
    *reinterpret_cast<uint4*>(to) = raw;
}

// `team` threads share a row: a warp (32) or the block. `packed` rows start at multiples of sixteen bytes.
template <class T, int team, bool packed>
__global__ void forward_kernel(LogitsShape shape, const T* logits, const std::int64_t* targets,
                               std::int64_t ignored, float* losses, float* logsumexp) {
    const int lane = static_cast<int>(threadIdx.x) % team;
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (threads / team) + threadIdx.x / team;
    const bool inside = row < shape.rows;
    Running mine{lowest, 0};
    if (inside) {
        const T* numbers = logits + row * shape.stride;
        std::int64_t column = lane;
        if constexpr (packed) {
            constexpr int each = Packed<T>::count;
            const std::int64_t whole = shape.classes / each * each;
            for (std::int64_t at = static_cast<std::int64_t>(lane) * each; at < whole; at += team * each) {
                const Packed<T> some = load_packed(numbers + at);
                float largest = some.values[0];
#pragma unroll
                for (int i = 1; i < each; ++i) largest = fmaxf(largest, some.values[i]);
                Running next{largest, 0};
#pragma unroll
                for (int i = 0; i < each; ++i) next.sum += __expf(some.values[i] - largest);
                mine = joined(mine, next);
            }
            column += whole;
        }
        for (; column < shape.classes; column += team) mine = with(mine, load_one(numbers + column));
    }
    mine = over_warp(mine);
    if constexpr (team > warp_lanes) {
        __shared__ Running of_warps[warps];
        if (threadIdx.x % warp_lanes == 0) of_warps[threadIdx.x / warp_lanes] = mine;
        __syncthreads();
        mine = of_warps[0];
        for (int warp = 1; warp < warps; ++warp) mine = joined(mine, of_warps[warp]);
    }
    if (!inside || lane != 0) return;
    const float whole = mine.largest + __logf(mine.sum);
    const std::int64_t target = targets[row];
    logsumexp[row] = whole;
    losses[row] = target == ignored ? 0 : whole - load_one(logits + row * shape.stride + target);
}

template <class T, int team, bool packed>
__global__ void backward_kernel(LogitsShape shape, const T* logits, const std::int64_t* targets,
                                std::int64_t ignored, const float* logsumexp, const float* gradient,
                                T* by_logits) {
    const int lane = static_cast<int>(threadIdx.x) % team;
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * (threads / team) + threadIdx.x / team;
    if (row >= shape.rows) return;
    const std::int64_t target = targets[row];
    const float factor = target == ignored ? 0 : gradient[row], whole = logsumexp[row];
    const T* numbers = logits + row * shape.stride;
    T* results = by_logits + row * shape.stride;
    const auto slope = [&](float x, std::int64_t column) {
        if (factor == 0 || column >= shape.classes) return 0.0f;
        return factor * (__expf(x - whole) - (column == target ? 1.0f : 0.0f));
    };
    std::int64_t column = lane;
    if constexpr (packed) {
        constexpr int each = Packed<T>::count;
        const std::int64_t packs = shape.stride / each * each;
        for (std::int64_t at = static_cast<std::int64_t>(lane) * each; at < packs; at += team * each) {
            Packed<T> some = load_packed(numbers + at);
#pragma unroll
            for (int i = 0; i < each; ++i) some.values[i] = slope(some.values[i], at + i);
            store_packed(results + at, some);
        }
        column += packs;
    }
    for (; column < shape.stride; column += team)
        store_one(results + column, slope(load_one(numbers + column), column));
}

// Calls action.template operator()<T, team, packed>() for the shape.
template <class T, class Action>
void with_team(const LogitsShape& shape, const Action& action) {
    const bool packed = shape.stride % Packed<T>::count == 0;
    if (shape.classes <= longest_of_a_warp) {
        packed ? action.template operator()<T, warp_lanes, true>()
               : action.template operator()<T, warp_lanes, false>();
    } else {
        packed ? action.template operator()<T, threads, true>()
               : action.template operator()<T, threads, false>();
    }
}

template <class Action>
void with_shape(const LogitsShape& shape, const Action& action) {
    if (shape.number == Number::bf16) return with_team<bf16>(shape, action);
    with_team<float>(shape, action);
}

unsigned blocks_for(const LogitsShape& shape, int team) {
    const std::int64_t each = threads / team;
    return static_cast<unsigned>((shape.rows + each - 1) / each);
}

}  // namespace

void cross_entropy_forward(const LogitsShape& shape, const void* logits, const std::int64_t* targets,
                           std::int64_t ignored, float* losses, float* logsumexp, cudaStream_t stream) {
    with_shape(shape, [&]<class T, int team, bool packed>() {
        forward_kernel<T, team, packed><<<blocks_for(shape, team), threads, 0, stream>>>(
            shape, static_cast<const T*>(logits), targets, ignored, losses, logsumexp);
    });
}

void cross_entropy_backward(const LogitsShape& shape, const void* logits, const std::int64_t* targets,
                            std::int64_t ignored, const float* logsumexp, const float* gradient,
                            void* by_logits, cudaStream_t stream) {
    with_shape(shape, [&]<class T, int team, bool packed>() {
        backward_kernel<T, team, packed><<<blocks_for(shape, team), threads, 0, stream>>>(
            shape, static_cast<const T*>(logits), targets, ignored, logsumexp, gradient,
            static_cast<T*>(by_logits));
    });
}

}  // namespace plimsoll::kernels

// Bytes decide: forward reads two numbers and writes one, backward reads three and writes two.
#include <algorithm>

#include "plimsoll/kernels/cuda/pairs.h"
#include "plimsoll/kernels/gated.h"

namespace plimsoll::kernels {
namespace {

constexpr int threads = 256;
constexpr std::int64_t most_blocks = 132 * 16;

// activation(x) and its derivative.
struct Activated {
    float value, slope;
};

struct Silu {
    static __device__ Activated at(float x) {
        const float share = 1 / (1 + __expf(-x));
        return {x * share, share * (1 + x * (1 - share))};
    }
};
struct Gelu {
    static __device__ Activated at(float x) {
        const float share = 0.5f * (1 + erff(x * 0.70710678f));
        return {x * share, share + x * 0.39894228f * __expf(-0.5f * x * x)};
    }
};
struct Relu {
    static __device__ Activated at(float x) { return {fmaxf(x, 0), x > 0 ? 1.0f : 0.0f}; }
};

// `width` in pairs of numbers.
template <class T, class Act>
__global__ void gate_forward_kernel(const T* both, std::int64_t rows, std::int64_t width, T* y) {
    const std::int64_t all = rows * width, stride = static_cast<std::int64_t>(gridDim.x) * threads;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < all;
         i += stride) {
        const std::int64_t row = i / width, pair = i - row * width;
        const T* from = both + 4 * row * width + 2 * pair;
        const float2 a = load_pair(from), b = load_pair(from + 2 * width);
        store_pair(y + 2 * i, {Act::at(a.x).value * b.x, Act::at(a.y).value * b.y});
    }
}

template <class T, class Act>
__global__ void gate_backward_kernel(const T* gradient, const T* both, std::int64_t rows, std::int64_t width,
                                     T* by_both) {
    const std::int64_t all = rows * width, stride = static_cast<std::int64_t>(gridDim.x) * threads;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < all;
         i += stride) {
        const std::int64_t row = i / width, pair = i - row * width, place = 4 * row * width + 2 * pair;
        const float2 a = load_pair(both + place), b = load_pair(both + place + 2 * width),
                     g = load_pair(gradient + 2 * i);
        const Activated first = Act::at(a.x), second = Act::at(a.y);
        store_pair(by_both + place, {g.x * b.x * first.slope, g.y * b.y * second.slope});
        store_pair(by_both + place + 2 * width, {g.x * first.value, g.y * second.value});
    }
}

// Calls action.template operator()<T, Act>() for the shape.
template <class T, class Action>
void with_gate(Gate gate, const Action& action) {
    if (gate == Gate::silu) return action.template operator()<T, Silu>();
    if (gate == Gate::gelu) return action.template operator()<T, Gelu>();
    action.template operator()<T, Relu>();
}

template <class Action>
void with_shape(const GateShape& shape, const Action& action) {
    if (shape.number == Number::bf16) return with_gate<bf16>(shape.gate, action);
    with_gate<float>(shape.gate, action);
}

unsigned blocks_for(const GateShape& shape) {
    const std::int64_t pairs = shape.rows * shape.width / 2;
    return static_cast<unsigned>(std::clamp<std::int64_t>((pairs + threads - 1) / threads, 1, most_blocks));
}

}  // namespace

void gate_forward(const GateShape& shape, const void* both, void* y, cudaStream_t stream) {
    with_shape(shape, [&]<class T, class Act>() {
        gate_forward_kernel<T, Act><<<blocks_for(shape), threads, 0, stream>>>(
            static_cast<const T*>(both), shape.rows, shape.width / 2, static_cast<T*>(y));
    });
}

void gate_backward(const GateShape& shape, const void* gradient, const void* both, void* by_both,
                   cudaStream_t stream) {
    with_shape(shape, [&]<class T, class Act>() {
        gate_backward_kernel<T, Act><<<blocks_for(shape), threads, 0, stream>>>(
            static_cast<const T*>(gradient), static_cast<const T*>(both), shape.rows, shape.width / 2,
            static_cast<T*>(by_both));
    });
}

}  // namespace plimsoll::kernels

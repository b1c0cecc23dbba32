// Bytes decide: 12 read and 12 written for each parameter, 2 to 4 for its gradient, 2 for the rounded copy.
#include <algorithm>

#include "plimsoll/kernels/adamw.h"
#include "plimsoll/kernels/cuda/pairs.h"

namespace plimsoll::kernels {
namespace {

constexpr int threads = 256;
constexpr std::int64_t most_blocks = 132 * 8;
constexpr float against_zero = 1e-6f;

// What is the same for all numbers of a run.
struct RunNumbers {
    AdamWRun settings;
    float rate, scale, first_correction, second_root;
};

__device__ RunNumbers numbers_of(const AdamWState& state, int run) {
    const AdamWRun settings = state.settings[run];
    const double steps = state.steps[run];
    const float norm = state.norms[run];
    const float scale = settings.clip > 0 ? fminf(settings.clip / (norm + against_zero), 1.0f) : 1.0f;
    return {settings, static_cast<float>(state.rates[run]), scale,
            static_cast<float>(1 - pow(static_cast<double>(settings.beta1), steps)),
            static_cast<float>(sqrt(1 - pow(static_cast<double>(settings.beta2), steps)))};
}

template <class T>
__global__ void adamw_kernel(AdamWRows rows, AdamWState state) {
    const int run = static_cast<int>(blockIdx.y);
    const RunNumbers run_numbers = numbers_of(state, run);
    const AdamWRun& settings = run_numbers.settings;
    if (!settings.active) return;
    float* values = state.values + run * rows.stride;
    float* firsts = state.first + run * rows.memory_stride;
    float* seconds = state.second + run * rows.memory_stride;
    const T* gradients = static_cast<const T*>(state.gradients) + run * rows.gradient_stride;
    bf16* copy = state.copy ? static_cast<bf16*>(state.copy) + run * rows.copy_stride : nullptr;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * threads;
    int part = 0;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < rows.size;
         i += stride) {
        while (part + 1 < rows.parts && i >= state.parts[part].end) ++part;
        const AdamWPart of_part = state.parts[part];
        const float gradient = load_one(gradients + i) * run_numbers.scale;
        const float rate = run_numbers.rate * of_part.rate;
        const float first = settings.beta1 * firsts[i] + (1 - settings.beta1) * gradient;
        const float second = settings.beta2 * seconds[i] + (1 - settings.beta2) * gradient * gradient;
        const float root = sqrtf(second) / run_numbers.second_root + settings.epsilon * of_part.epsilon;
        const float kept = 1 - rate * settings.decay * of_part.decay;
        const float value = values[i] * kept - rate / run_numbers.first_correction * (first / root);
        firsts[i] = first;
        seconds[i] = second;
        values[i] = value;
        if (copy) store_one(copy + i, value);
    }
}

}  // namespace

void adamw(const AdamWRows& rows, const AdamWState& state, cudaStream_t stream) {
    const std::int64_t blocks = std::clamp<std::int64_t>((rows.size + threads - 1) / threads, 1,
                                                         std::max<std::int64_t>(1, most_blocks / rows.runs));
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(rows.runs));
    if (rows.gradient == Number::bf16)
        adamw_kernel<bf16><<<grid, threads, 0, stream>>>(rows, state);
    else
        adamw_kernel<float><<<grid, threads, 0, stream>>>(rows, state);
}

}  // namespace plimsoll::kernels

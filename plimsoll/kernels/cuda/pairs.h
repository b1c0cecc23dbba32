#pragma once

#include <cuda_bf16.h>

// Device code that the kernels share: two neighbouring numbers at a time, sums over the lanes of a warp.
namespace plimsoll::kernels {

using bf16 = __nv_bfloat16;

constexpr int warp_lanes = 32;

__device__ inline float2 load_pair(const bf16* from) {
    return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(from));
}
__device__ inline float2 load_pair(const float* from) { return *reinterpret_cast<const float2*>(from); }
__device__ inline void store_pair(bf16* to, float2 value) {
    *reinterpret_cast<__nv_bfloat162*>(to) = __float22bfloat162_rn(value);
}
__device__ inline void store_pair(float* to, float2 value) { *reinterpret_cast<float2*>(to) = value; }

__device__ inline float load_one(const bf16* from) { return __bfloat162float(*from); }
__device__ inline float load_one(const float* from) { return *from; }
__device__ inline void store_one(bf16* to, float value) { *to = __float2bfloat16_rn(value); }
__device__ inline void store_one(float* to, float value) { *to = value; }

// The sum over `lanes` neighbouring lanes of a warp, in each of them; always in the same order.
template <int lanes>
__device__ float sum_over(float value) {
#pragma unroll
    for (int distance = lanes / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffU, value, distance);
    return value;
}

}  // namespace plimsoll::kernels

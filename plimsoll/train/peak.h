#pragma once

#include <cstdint>

#include <torch/types.h>

namespace plimsoll::train {

// FLOP/s of one large square matrix product of `dtype` on `device` with the threads of this process: the
// fastest of several within about 0.15 s. Measured once per process, device and type.
double gemm_rate(torch::Device device, torch::Dtype dtype);

// The largest resident size of this process so far, in bytes.
std::uint64_t resident_peak();

}  // namespace plimsoll::train

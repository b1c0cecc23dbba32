#include "plimsoll/base/device.h"

#include <cuda_runtime_api.h>

#include "plimsoll/base/format.h"

namespace plimsoll {

CudaFacts cuda_facts() {
    CudaFacts facts{.built = true};
    int version = 0;
    cudaRuntimeGetVersion(&version);
    facts.runtime_version = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
    int count = 0;
    if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
        facts.problem = cudaGetErrorString(code);
        return facts;
    }
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) continue;
        facts.gpus.push_back(
            {properties.name, properties.major, properties.minor, properties.totalGlobalMem});
    }
    if (facts.gpus.empty()) facts.problem = "no CUDA device";
    return facts;
}

}  // namespace plimsoll

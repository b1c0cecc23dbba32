#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

// One GPU as its driver describes it.
struct GpuFacts {
    std::string name;
    int compute_major = 0, compute_minor = 0;
    std::uint64_t memory_bytes = 0;
};

// What this binary and this machine know about CUDA; cuda/ answers in a CUDA build, no_cuda/ in the others.
struct CudaFacts {
    bool built = false;           // was this binary compiled with CUDA
    std::string runtime_version;  // "13.0", empty when not built
    std::string problem;          // why no GPU can be used, empty when one can
    std::vector<GpuFacts> gpus;
};

CudaFacts cuda_facts();

// The widest SIMD set this CPU offers, by name, best first: {"avx512f", "avx2", "sse2"}.
std::vector<std::string> simd_sets();

}  // namespace plimsoll

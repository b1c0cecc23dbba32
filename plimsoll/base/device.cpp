#include "plimsoll/base/device.h"

namespace plimsoll {

std::vector<std::string> simd_sets() {
    std::vector<std::string> sets;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) sets.emplace_back("avx512f");
    if (__builtin_cpu_supports("avx2")) sets.emplace_back("avx2");
    sets.emplace_back("sse2");
#elif defined(__aarch64__)
    sets.emplace_back("neon");
#endif
    return sets;
}

}  // namespace plimsoll

#include "plimsoll/base/check.h"
#include "plimsoll/rank/simd/kernels.h"

namespace plimsoll::rank {

#ifdef PLIMSOLL_X86_KERNELS

bool simd_runs(Simd simd) {
    switch (simd) {
        case Simd::plain:
            return true;
        case Simd::avx2:
            return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
        case Simd::avx512:
            return __builtin_cpu_supports("avx512f") != 0;
    }
    return false;
}

const Kernels& kernels_for(Simd simd) {
    PLIMSOLL_CHECK(simd_runs(simd), "kernels this machine cannot run");
    if (simd == Simd::avx512) return simd::avx512;
    return simd == Simd::avx2 ? simd::avx2 : simd::plain;
}

#else

bool simd_runs(Simd simd) { return simd == Simd::plain; }

const Kernels& kernels_for(Simd simd) {
    PLIMSOLL_CHECK(simd_runs(simd), "kernels this machine cannot run");
    return simd::plain;
}

#endif

Simd best_simd() {
    if (simd_runs(Simd::avx512)) return Simd::avx512;
    return simd_runs(Simd::avx2) ? Simd::avx2 : Simd::plain;
}

std::size_t workspace_size(const GramProgram& program, std::size_t lanes) {
    const std::size_t d = program.width;
    return ((3 + program.heads) * d * d + 4 * d) * lanes;
}

std::size_t workspace_size(const SquareProgram& program, std::size_t lanes) {
    return (program.inputs + program.nodes) * lanes;
}

}  // namespace plimsoll::rank

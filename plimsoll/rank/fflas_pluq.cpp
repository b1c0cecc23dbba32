#include "plimsoll/rank/fflas_pluq.h"

#include <fflas-ffpack/fflas-ffpack-config.h>
#include <fflas-ffpack/ffpack/ffpack.h>
#include <givaro/modular-balanced.h>

namespace plimsoll::rank {

bool pluq_available() {
#if defined(__SSE4_1__)
    return __builtin_cpu_supports("sse4.1") != 0;
#else
    return true;
#endif
}

std::size_t pluq_rank(const PrimeField& field, MatrixView<double> matrix) {
    const Givaro::ModularBalanced<double> f_p(field.p);
    return FFPACK::Rank(f_p, matrix.rows(), matrix.cols(), matrix.data(), matrix.stride());
}

}  // namespace plimsoll::rank

#include "plimsoll/rank/elimination/fflas_pluq.h"

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

std::size_t pluq_rank(const BalancedField& field, MatrixView<double> matrix) {
    const Givaro::ModularBalanced<double> f_p(field.p);
    return FFPACK::Rank(f_p, matrix.rows(), matrix.cols(), matrix.data(), matrix.stride());
}

DenseMatrix<double> pluq_null_space(const BalancedField& field, MatrixView<double> matrix) {
    const Givaro::ModularBalanced<double> f_p(field.p);
    double* basis = nullptr;
    std::size_t stride = 0, dimension = 0;
    FFPACK::NullSpaceBasis(f_p, FFLAS::FflasRight, matrix.rows(), matrix.cols(), matrix.data(),
                           matrix.stride(), basis, stride, dimension);
    DenseMatrix<double> result(matrix.cols(), dimension);
    for (std::size_t i = 0; i < matrix.cols(); ++i) {
        for (std::size_t j = 0; j < dimension; ++j) result(i, j) = basis[i * stride + j];
    }
    FFLAS::fflas_delete(basis);
    return result;
}

}  // namespace plimsoll::rank

#include "plimsoll/base/check.h"
#include "plimsoll/rank/elimination/fflas_pluq.h"

// The twin of fflas_pluq.cpp for builds without FFLAS-FFPACK: everything goes to the growing LU.
namespace plimsoll::rank {

bool pluq_available() { return false; }

std::size_t pluq_rank(const BalancedField&, MatrixView<double>) {
    PLIMSOLL_CHECK(pluq_available(), "FFLAS-FFPACK is not in this build");
    return 0;
}

DenseMatrix<double> pluq_null_space(const BalancedField&, MatrixView<double>) {
    PLIMSOLL_CHECK(pluq_available(), "FFLAS-FFPACK is not in this build");
    return {};
}

}  // namespace plimsoll::rank

#pragma once

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/rank/balanced_field.h"
#include "plimsoll/rank/dense_matrix.h"

// FFLAS-FFPACK behind two functions: its headers take seconds to compile, so that one file includes them.
namespace plimsoll::rank {

// Whether this build has FFLAS-FFPACK and this processor the instructions it was compiled for.
bool pluq_available();

// The rank of a matrix of residues, which is destroyed, by PLUQ; needs pluq_available().
std::size_t pluq_rank(const BalancedField& field, MatrixView<double> matrix);

// A basis of the vectors that a matrix of residues, which is destroyed, maps to zero: one column each.
DenseMatrix<double> pluq_null_space(const BalancedField& field, MatrixView<double> matrix);

}  // namespace plimsoll::rank

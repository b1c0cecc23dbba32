#pragma once

#include <cstddef>
#include <vector>

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/field.h"

namespace plimsoll::rank {

// A largest invertible part of a small matrix of residues: as many rows and columns as its rank, ascending,
// and the inverse of what they have in common.
struct InvertiblePart {
    std::vector<std::size_t> rows, cols;
    DenseMatrix<double> inverse;
};

// The part found without pivoting (by products) when every leading minor is invertible, else by elimination
// with pivots, which takes longer and serves any matrix.
InvertiblePart invertible_part(const PrimeField& field, MatrixView<const double> matrix);

// Turns a square matrix into its inverse by products; false, with the matrix destroyed, when some leading
// minor is zero.
bool invert_without_pivots(const PrimeField& field, MatrixView<double> matrix);

}  // namespace plimsoll::rank

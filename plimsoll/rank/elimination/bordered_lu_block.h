#pragma once

#include <cstddef>
#include <vector>

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/rank/balanced_field.h"
#include "plimsoll/rank/dense_matrix.h"

namespace plimsoll::rank {

// A largest invertible part of a small matrix of residues: as many rows and columns as its rank, ascending,
// and a block LU of what they have in common. Diagonal blocks are in U and in L by turns, the other factor
// having the identity there.
struct InvertiblePart {
    std::vector<std::size_t> rows, cols;
    DenseMatrix<double> factors;                // L below and U above the diagonal blocks
    std::vector<DenseMatrix<double>> inverses;  // of the diagonal blocks, first to last
    bool first_in_left = false;                 // the first diagonal block is in L

    [[nodiscard]] std::size_t rank() const { return rows.size(); }
};

// The part found without pivoting (by products) when every leading minor is invertible, else by elimination
// with pivots, which takes longer and serves any matrix.
InvertiblePart invertible_part(const BalancedField& field, MatrixView<const double> matrix,
                               bool first_in_left);

// columns = L^-1 columns, for columns of rank() entries.
void solve_left(const BalancedField& field, const InvertiblePart& part, MatrixView<double> columns);

// rows = rows U^-1, for rows of rank() entries.
void solve_right(const BalancedField& field, const InvertiblePart& part, MatrixView<double> rows);

// Turns a square matrix into its inverse by products; false, with the matrix destroyed, when some leading
// minor is zero.
bool invert_without_pivots(const BalancedField& field, MatrixView<double> matrix);

}  // namespace plimsoll::rank

#pragma once

#include <vector>

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/rank/balanced_field.h"

// Products of matrices of residues, exact: BLAS sums as many products as a double can hold, then the sums are
// reduced. Callers have seen lapack::load() succeed.
namespace plimsoll::rank {

// At most this many products are summed between reductions, so that a widened operand stays in the cache.
inline constexpr std::size_t longest_sum = 1024;

// out -= left right.
void subtract_product(const BalancedField& field, MatrixView<const double> left,
                      MatrixView<const double> right, MatrixView<double> out);

// The same with one factor in single precision; `scratch` holds the part of it in use as doubles.
void subtract_product(const BalancedField& field, MatrixView<const float> left,
                      MatrixView<const double> right, MatrixView<double> out, std::vector<double>& scratch);
void subtract_product(const BalancedField& field, MatrixView<const double> left,
                      MatrixView<const float> right, MatrixView<double> out, std::vector<double>& scratch);

// out = left right.
void set_product(const BalancedField& field, MatrixView<const double> left, MatrixView<const double> right,
                 MatrixView<double> out);

// out = -left right.
void set_negative_product(const BalancedField& field, MatrixView<const double> left,
                          MatrixView<const double> right, MatrixView<double> out);

}  // namespace plimsoll::rank

#include "plimsoll/rank/elimination/blas_product.h"

#include <algorithm>

#include "plimsoll/rank/elimination/residue_kernels.h"
#include "plimsoll/rank/lapack.h"

namespace plimsoll::rank {
namespace {

MatrixView<const double> as_doubles(MatrixView<const double> part, std::vector<double>&) { return part; }

MatrixView<const double> as_doubles(MatrixView<const float> part, std::vector<double>& scratch) {
    scratch.resize(std::max(scratch.size(), part.rows() * part.cols()));
    const MatrixView<double> wide(scratch.data(), part.rows(), part.cols());
    for (std::size_t i = 0; i < part.rows(); ++i) widen(part.row(i), wide.row(i));
    return {wide.data(), wide.rows(), wide.cols()};
}

void reduce_rows(const BalancedField& field, MatrixView<double> matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) reduce_all(field, matrix.row(i));
}

// Hands each piece of the inner dimension that is exact without a reduction to `add`, and reduces after it.
template <class Left, class Right, class Add>
void by_exact_sums(const BalancedField& field, MatrixView<Left> left, MatrixView<Right> right,
                   MatrixView<double> out, std::vector<double>& scratch, Add add) {
    PLIMSOLL_CHECK(left.cols() == right.rows(), "shapes of a product");
    if (out.rows() == 0 || out.cols() == 0) return;
    const std::size_t step = std::min(longest_sum, field.exact_products());
    for (std::size_t from = 0; from < left.cols(); from += step) {
        const std::size_t count = std::min(step, left.cols() - from);
        add(as_doubles(left.block(0, from, left.rows(), count), scratch),
            as_doubles(right.block(from, 0, count, right.cols()), scratch), out);
        reduce_rows(field, out);
    }
}

void fill_with_zeros(MatrixView<double> matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) std::ranges::fill(matrix.row(i), 0.0);
}

}  // namespace

void subtract_product(const BalancedField& field, MatrixView<const double> left,
                      MatrixView<const double> right, MatrixView<double> out) {
    std::vector<double> unused;
    by_exact_sums(field, left, right, out, unused, lapack::subtract_product);
}

void subtract_product(const BalancedField& field, MatrixView<const float> left,
                      MatrixView<const double> right, MatrixView<double> out, std::vector<double>& scratch) {
    by_exact_sums(field, left, right, out, scratch, lapack::subtract_product);
}

void subtract_product(const BalancedField& field, MatrixView<const double> left,
                      MatrixView<const float> right, MatrixView<double> out, std::vector<double>& scratch) {
    by_exact_sums(field, left, right, out, scratch, lapack::subtract_product);
}

void set_product(const BalancedField& field, MatrixView<const double> left, MatrixView<const double> right,
                 MatrixView<double> out) {
    std::vector<double> unused;
    fill_with_zeros(out);
    by_exact_sums(field, left, right, out, unused, lapack::add_product);
}

void set_negative_product(const BalancedField& field, MatrixView<const double> left,
                          MatrixView<const double> right, MatrixView<double> out) {
    fill_with_zeros(out);
    subtract_product(field, left, right, out);
}

}  // namespace plimsoll::rank

#include "plimsoll/rank/elimination/bordered_lu_block.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "plimsoll/rank/elimination/blas_product.h"
#include "plimsoll/rank/elimination/residue_kernels.h"

namespace plimsoll::rank {
namespace {

using Matrix = DenseMatrix<double>;

// Diagonal blocks of this size: their inverses cost a multiplication an entry for each of its rows, and
// products with fewer rows are slower.
constexpr std::size_t diagonal_block = 128;

// Below this size rows are combined one by one; above it products are faster.
constexpr std::size_t smallest_split = 48;

Matrix copy_of(MatrixView<const double> matrix) {
    Matrix copy(matrix.rows(), matrix.cols());
    for (std::size_t i = 0; i < matrix.rows(); ++i)
        std::ranges::copy(matrix.row(i), copy.view().row(i).begin());
    return copy;
}

void scale(const BalancedField& field, double factor, std::span<double> row) {
    for (double& entry : row) entry = field.multiply(factor, entry);
}

// One step of Gauss-Jordan inversion in place: afterwards column `k` is that of the inverse so far.
void sweep(const BalancedField& field, MatrixView<double> matrix, std::size_t k) {
    const double inverse = field.inverse(matrix(k, k));
    matrix(k, k) = 1;
    scale(field, inverse, matrix.row(k));
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        if (i == k) continue;
        const double factor = matrix(i, k);
        matrix(i, k) = 0;
        subtract_multiple(field, factor, matrix.row(k), matrix.row(i));
    }
}

bool invert_small(const BalancedField& field, MatrixView<double> matrix) {
    for (std::size_t k = 0; k < matrix.rows(); ++k) {
        if (matrix(k, k) == 0) return false;
        sweep(field, matrix, k);
    }
    return true;
}

void swap_rows(MatrixView<double> matrix, std::size_t i, std::size_t k) {
    if (i != k) std::ranges::swap_ranges(matrix.row(i), matrix.row(k));
}

// The first row from `from` on that is not zero in `col`, or rows() if there is none.
std::size_t find_pivot(MatrixView<double> matrix, std::size_t from, std::size_t col) {
    while (from < matrix.rows() && matrix(from, col) == 0) ++from;
    return from;
}

// Subtracts row `pivot` from those below it so that `col` becomes zero there.
void clear_below(const BalancedField& field, MatrixView<double> matrix, std::size_t pivot, std::size_t col) {
    const double inverse = field.inverse(matrix(pivot, col));
    for (std::size_t i = pivot + 1; i < matrix.rows(); ++i) {
        if (matrix(i, col) == 0) continue;
        subtract_multiple(field, field.multiply(matrix(i, col), inverse), matrix.row(pivot).subspan(col),
                          matrix.row(i).subspan(col));
    }
}

// Rows and columns of a largest invertible part; `matrix` is destroyed.
void find_profile(const BalancedField& field, MatrixView<double> matrix, InvertiblePart& part) {
    std::vector<std::size_t> order(matrix.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t col = 0; col < matrix.cols() && part.cols.size() < matrix.rows(); ++col) {
        const std::size_t rank = part.cols.size();
        const std::size_t pivot = find_pivot(matrix, rank, col);
        if (pivot == matrix.rows()) continue;
        swap_rows(matrix, pivot, rank);
        std::swap(order[pivot], order[rank]);
        clear_below(field, matrix, rank, col);
        part.cols.push_back(col);
    }
    part.rows.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(part.cols.size()));
    std::ranges::sort(part.rows);
}

Matrix chosen(MatrixView<const double> matrix, const InvertiblePart& part) {
    Matrix result(part.rows.size(), part.cols.size());
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
        for (std::size_t j = 0; j < part.cols.size(); ++j) result(i, j) = matrix(part.rows[i], part.cols[j]);
    }
    return result;
}

// Moves columns back: swapping rows i and k before inverting swaps columns i and k of the inverse.
void undo_swaps(MatrixView<double> inverse, const std::vector<std::size_t>& swapped_with) {
    for (std::size_t k = swapped_with.size(); k-- > 0;) {
        if (swapped_with[k] == k) continue;
        for (std::size_t i = 0; i < inverse.rows(); ++i)
            std::swap(inverse(i, k), inverse(i, swapped_with[k]));
    }
}

void invert_with_pivots(const BalancedField& field, MatrixView<double> matrix) {
    std::vector<std::size_t> swapped_with(matrix.rows());
    for (std::size_t k = 0; k < matrix.rows(); ++k) {
        swapped_with[k] = find_pivot(matrix, k, k);
        PLIMSOLL_CHECK(swapped_with[k] < matrix.rows(), "the chosen part is invertible");
        swap_rows(matrix, swapped_with[k], k);
        sweep(field, matrix, k);
    }
    undo_swaps(matrix, swapped_with);
}

void replace_by_product(const BalancedField& field, MatrixView<const double> left,
                        MatrixView<const double> right, MatrixView<double> place) {
    Matrix product(place.rows(), place.cols());
    set_product(field, left, right, product.view());
    for (std::size_t i = 0; i < place.rows(); ++i) {
        std::ranges::copy(product.view().row(i), place.row(i).begin());
    }
}

// Block LU in place; false, with the matrix destroyed, when some leading minor is zero.
bool factor_without_pivots(const BalancedField& field, MatrixView<double> matrix, bool in_left,
                           std::vector<Matrix>& inverses) {
    for (std::size_t from = 0; from < matrix.rows(); from += diagonal_block, in_left = !in_left) {
        const std::size_t count = std::min(diagonal_block, matrix.rows() - from), next = from + count,
                          rest = matrix.rows() - next;
        Matrix inverse = copy_of(matrix.block(from, from, count, count));
        if (!invert_without_pivots(field, inverse.view())) return false;
        const auto below = matrix.block(next, from, rest, count),
                   beside = matrix.block(from, next, count, rest);
        if (in_left) {
            replace_by_product(field, inverse.view(), beside, beside);
        } else {
            replace_by_product(field, below, inverse.view(), below);
        }
        subtract_product(field, below, beside, matrix.block(next, next, rest, rest));
        inverses.push_back(std::move(inverse));
    }
    return true;
}

// All rows and columns, when no pivot is needed.
std::optional<InvertiblePart> whole(const BalancedField& field, MatrixView<const double> matrix,
                                    bool in_left) {
    InvertiblePart part;
    part.first_in_left = in_left;
    part.factors = copy_of(matrix);
    if (!factor_without_pivots(field, part.factors.view(), in_left, part.inverses)) return std::nullopt;
    part.rows.resize(matrix.rows());
    std::iota(part.rows.begin(), part.rows.end(), std::size_t{0});
    part.cols = part.rows;
    return part;
}

}  // namespace

// With the inverse of A and E = (D - C A^-1 B)^-1, T = A^-1 B and W = C A^-1:
//   inverse of (A B; C D) = (A^-1 + T E W, -T E; -E W, E).
bool invert_without_pivots(const BalancedField& field, MatrixView<double> matrix) {
    const std::size_t size = matrix.rows();
    if (size < smallest_split) return invert_small(field, matrix);
    const std::size_t half = size / 2, rest = size - half;
    const auto a = matrix.block(0, 0, half, half), b = matrix.block(0, half, half, rest);
    const auto c = matrix.block(half, 0, rest, half), d = matrix.block(half, half, rest, rest);
    if (!invert_without_pivots(field, a)) return false;
    Matrix t(half, rest), w(rest, half);
    set_product(field, a, b, t.view());
    set_product(field, c, a, w.view());
    subtract_product(field, c, t.view(), d);
    if (!invert_without_pivots(field, d)) return false;
    set_negative_product(field, t.view(), d, b);
    set_negative_product(field, d, w.view(), c);
    subtract_product(field, b, w.view(), a);
    return true;
}

InvertiblePart invertible_part(const BalancedField& field, MatrixView<const double> matrix,
                               bool first_in_left) {
    if (matrix.rows() == matrix.cols()) {
        if (auto part = whole(field, matrix, first_in_left)) return std::move(*part);
    }
    InvertiblePart part;
    part.first_in_left = first_in_left;
    find_profile(field, copy_of(matrix).view(), part);
    part.factors = chosen(matrix, part);
    if (part.rank() == 0) return part;
    part.inverses.push_back(part.factors);
    invert_with_pivots(field, part.inverses.front().view());
    return part;
}

void solve_left(const BalancedField& field, const InvertiblePart& part, MatrixView<double> columns) {
    std::size_t from = 0;
    bool in_left = part.first_in_left;
    for (const Matrix& inverse : part.inverses) {
        const auto solved = columns.block(0, 0, from, columns.cols());
        const auto next = columns.block(from, 0, inverse.rows(), columns.cols());
        subtract_product(field, part.factors.view().block(from, 0, inverse.rows(), from), solved, next);
        if (in_left) replace_by_product(field, inverse.view(), next, next);
        from += inverse.rows();
        in_left = !in_left;
    }
}

void solve_right(const BalancedField& field, const InvertiblePart& part, MatrixView<double> rows) {
    std::size_t from = 0;
    bool in_left = part.first_in_left;
    for (const Matrix& inverse : part.inverses) {
        const auto solved = rows.block(0, 0, rows.rows(), from);
        const auto next = rows.block(0, from, rows.rows(), inverse.rows());
        subtract_product(field, solved, part.factors.view().block(0, from, from, inverse.rows()), next);
        if (!in_left) replace_by_product(field, next, inverse.view(), next);
        from += inverse.rows();
        in_left = !in_left;
    }
}

}  // namespace plimsoll::rank

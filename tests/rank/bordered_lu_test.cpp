#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/rank/elimination/blas_product.h"
#include "plimsoll/rank/elimination/bordered_lu_block.h"
#include "tests/rank/made_sources.h"

namespace plimsoll::rank {
namespace {

using made::Matrix;
using made::matrix_of_rank;
using made::random_residues;

// Products in 128-bit integers.
Matrix plain_product(const BalancedField& field, const Matrix& left, const Matrix& right) {
    Matrix product(left.rows(), right.cols());
    for (std::size_t i = 0; i < left.rows(); ++i) {
        for (std::size_t j = 0; j < right.cols(); ++j) {
            __int128 sum = 0;
            for (std::size_t k = 0; k < left.cols(); ++k) {
                sum += static_cast<__int128>(left(i, k)) * static_cast<__int128>(right(k, j));
            }
            product(i, j) = field.from_integer(static_cast<std::int64_t>(sum % field.p));
        }
    }
    return product;
}

void expect_equal(const Matrix& a, const Matrix& b) {
    ASSERT_EQ(a.rows(), b.rows());
    ASSERT_EQ(a.cols(), b.cols());
    for (std::size_t i = 0; i < a.rows(); ++i) {
        for (std::size_t j = 0; j < a.cols(); ++j) ASSERT_EQ(a(i, j), b(i, j)) << i << ", " << j;
    }
}

Matrix identity(std::size_t size) {
    Matrix matrix(size, size);
    for (std::size_t i = 0; i < size; ++i) matrix(i, i) = 1;
    return matrix;
}

// Odd residues close to the largest one: sums beyond 2^53 would lose their last bit.
Matrix large_residues(const BalancedField& field, std::size_t rows, std::size_t cols, double sign) {
    RandomStream stream(rows + cols, "tests/rank/large");
    Matrix matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
        for (double& entry : matrix.view().row(i)) {
            const double below = std::min(field.half() - 1, static_cast<double>(stream.below(1000)));
            const double size = field.half() - below;
            entry = sign * (std::fmod(size, 2) == 0 ? size - 1 : size);
        }
    }
    return matrix;
}

TEST(BlasProduct, IsExactForTheLargestEntriesAndManyOfThem) {
    ASSERT_TRUE(lapack::load().ok());
    for (const std::uint32_t p : {3U, 65537U, 4194301U, default_prime, 8388593U}) {
        const BalancedField field{p};
        for (const std::size_t inner : {1U, 511U, 512U, 513U, 1025U, 2500U}) {
            for (const double sign : {1.0, -1.0}) {
                const Matrix left = large_residues(field, 3, inner, 1),
                             right = large_residues(field, inner, 2, sign);
                Matrix product(3, 2);
                set_product(field, left.view(), right.view(), product.view());
                expect_equal(product, plain_product(field, left, right));
            }
        }
    }
}

TEST(BlasProduct, AllFormsAgree) {
    ASSERT_TRUE(lapack::load().ok());
    const BalancedField field;
    const Matrix left = random_residues(field, 20, 700, 1), right = random_residues(field, 700, 30, 2);
    const Matrix product = plain_product(field, left, right);
    DenseMatrix<float> left_float(20, 700), right_float(700, 30);
    for (std::size_t i = 0; i < 20; ++i) {
        for (std::size_t k = 0; k < 700; ++k) left_float(i, k) = static_cast<float>(left(i, k));
    }
    for (std::size_t k = 0; k < 700; ++k) {
        for (std::size_t j = 0; j < 30; ++j) right_float(k, j) = static_cast<float>(right(k, j));
    }
    std::vector<double> scratch;
    Matrix a = product, b = product, c = product, negative(20, 30);
    subtract_product(field, left.view(), right.view(), a.view());
    subtract_product(field, std::as_const(left_float).view(), right.view(), b.view(), scratch);
    subtract_product(field, left.view(), std::as_const(right_float).view(), c.view(), scratch);
    for (const Matrix* rest : {&a, &b, &c}) expect_equal(*rest, Matrix(20, 30));
    set_negative_product(field, left.view(), right.view(), negative.view());
    for (std::size_t i = 0; i < 20; ++i) {
        for (std::size_t j = 0; j < 30; ++j) EXPECT_EQ(negative(i, j), -product(i, j));
    }
}

// P A Q = L U says: L^-1 (P A Q) U^-1 is the identity.
void expect_factors(const BalancedField& field, const Matrix& matrix, const InvertiblePart& part) {
    Matrix rest(part.rank(), part.rank());
    for (std::size_t i = 0; i < part.rank(); ++i) {
        for (std::size_t j = 0; j < part.rank(); ++j) rest(i, j) = matrix(part.rows[i], part.cols[j]);
    }
    solve_left(field, part, rest.view());
    solve_right(field, part, rest.view());
    expect_equal(rest, identity(part.rank()));
}

TEST(InvertiblePart, OfARandomMatrixIsAllOfIt) {
    ASSERT_TRUE(lapack::load().ok());
    const BalancedField field;
    for (const std::size_t size : {1U, 2U, 47U, 48U, 128U, 129U, 300U}) {
        for (const bool in_left : {false, true}) {
            const Matrix matrix = random_residues(field, size, size, size);
            const InvertiblePart part = invertible_part(field, matrix.view(), in_left);
            EXPECT_EQ(part.rank(), size);
            EXPECT_EQ(part.inverses.size(), (size + 127) / 128) << "no pivots were needed";
            expect_factors(field, matrix, part);
        }
    }
}

TEST(InvertiblePart, IsFoundWhereLeadingMinorsAreZero) {
    ASSERT_TRUE(lapack::load().ok());
    const BalancedField field;
    for (const std::size_t size : {2U, 49U, 130U}) {
        Matrix matrix = random_residues(field, size, size, size);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; i + j + 1 < size; ++j) matrix(i, j) = 0;
        }
        for (const bool in_left : {false, true}) {
            const InvertiblePart part = invertible_part(field, matrix.view(), in_left);
            EXPECT_EQ(part.rank(), size);
            expect_factors(field, matrix, part);
        }
    }
}

TEST(InvertiblePart, InverseByProducts) {
    ASSERT_TRUE(lapack::load().ok());
    const BalancedField field;
    for (const std::size_t size : {1U, 2U, 47U, 48U, 49U, 97U, 130U}) {
        const Matrix matrix = random_residues(field, size, size, size);
        Matrix inverse = matrix;
        ASSERT_TRUE(invert_without_pivots(field, inverse.view()));
        expect_equal(plain_product(field, matrix, inverse), identity(size));
    }
}

TEST(InvertiblePart, WithoutPivotsSaysWhenAMinorIsZero) {
    ASSERT_TRUE(lapack::load().ok());
    const BalancedField field;
    for (const std::size_t at : {0U, 1U, 30U, 60U, 119U}) {
        Matrix matrix = identity(120);
        matrix(at, at) = 0;
        EXPECT_FALSE(invert_without_pivots(field, matrix.view())) << at;
    }
}

TEST(InvertiblePart, IsAsLargeAsTheRankAndInvertible) {
    ASSERT_TRUE(lapack::load().ok());
    const BalancedField field;
    for (const std::size_t rank : {0U, 1U, 33U, 60U}) {
        const Matrix matrix = matrix_of_rank(field, 60, 80, rank, rank);
        const InvertiblePart part = invertible_part(field, matrix.view(), false);
        ASSERT_EQ(part.rows.size(), rank);
        ASSERT_EQ(part.cols.size(), rank);
        EXPECT_TRUE(std::ranges::is_sorted(part.rows));
        EXPECT_TRUE(std::ranges::is_sorted(part.cols));
        expect_factors(field, matrix, part);
    }
}

}  // namespace
}  // namespace plimsoll::rank

#include <gtest/gtest.h>

#include "plimsoll/rank/elimination/elimination.h"
#include "tests/rank/made_sources.h"

namespace plimsoll::rank {
namespace {

using made::finite;
using made::Matrix;
using made::matrix_of_rank;
using made::MatrixSource;

class LongMatrix : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!fflas_available()) GTEST_SKIP() << "no FFLAS-FFPACK here";
    }
    BalancedField field_;
};

Matrix transposed(const Matrix& matrix) {
    Matrix result(matrix.cols(), matrix.rows());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (std::size_t j = 0; j < matrix.cols(); ++j) result(j, i) = matrix(i, j);
    }
    return result;
}

void expect_rank(const MatrixSource& source, std::size_t rank) {
    const EliminationResult found = rank_of_long(source, {});
    EXPECT_EQ(found.rank, rank);
    EXPECT_EQ(found.rank, rank_by_flint(source, source.max_rows(), source.max_cols()));
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(found.saturated);
}

TEST_F(LongMatrix, KnownRanksHighAndWide) {
    for (const std::size_t rank : {0, 1, 30, 56, 60}) {
        for (const std::size_t rows : {90, 91, 200, 1000}) {
            const Matrix matrix = matrix_of_rank(field_, rows, 60, rank, rows + rank);
            expect_rank(finite(field_, matrix), rank);
            expect_rank(finite(field_, transposed(matrix)), rank);
        }
    }
}

// All the rank in rows that an even spread leaves out, a few at the very end among them.
TEST_F(LongMatrix, RowsThatWereNotChosenCount) {
    constexpr std::size_t rows = 300, cols = 40;
    const Matrix full = matrix_of_rank(field_, rows, cols, cols, 7);
    for (const std::size_t kept : {1, 2, 7, 39}) {
        Matrix sparse(rows, cols);
        for (std::size_t i = 0; i < kept; ++i) {
            std::ranges::copy(full.view().row(rows - 1 - i), sparse.view().row(rows - 1 - i).begin());
        }
        expect_rank(finite(field_, sparse), kept);
        expect_rank(finite(field_, transposed(sparse)), kept);
    }
}

// The same row many times over: the chosen part has rank one.
TEST_F(LongMatrix, RepeatedRowsAddNothing) {
    Matrix repeated(500, 30);
    const Matrix few = matrix_of_rank(field_, 3, 30, 3, 9);
    for (std::size_t i = 0; i < repeated.rows(); ++i) {
        std::ranges::copy(few.view().row(i % 100 == 99 ? i / 100 % 3 : 0), repeated.view().row(i).begin());
    }
    expect_rank(finite(field_, repeated), 3);
}

TEST_F(LongMatrix, IsChosenForLongMatricesThatFit) {
    EliminationLimits limits;
    EXPECT_TRUE(suits_long_rank(finite(field_, Matrix(90, 60)), limits));
    EXPECT_TRUE(suits_long_rank(finite(field_, Matrix(60, 90)), limits));
    EXPECT_FALSE(suits_long_rank(finite(field_, Matrix(89, 60)), limits));
    limits.max_bytes = long_bytes(60) - 1;
    EXPECT_FALSE(suits_long_rank(finite(field_, Matrix(90, 60)), limits));
    limits = {};
    limits.max_size = 89;
    EXPECT_FALSE(suits_long_rank(finite(field_, Matrix(90, 60)), limits));
}

// Too little memory for the products: what was seen is reported, as a lower bound.
TEST_F(LongMatrix, SaysWhenItSawOnlyAPart) {
    const MatrixSource source = finite(field_, matrix_of_rank(field_, 2000, 60, 20, 3));
    EliminationLimits limits;
    limits.max_bytes = long_bytes(60);
    const EliminationResult found = rank_of_long(source, limits);
    EXPECT_EQ(found.rank, 20U);
    EXPECT_TRUE(found.saturated);
    EXPECT_FALSE(found.complete);
    EXPECT_LE(found.bytes, limits.max_bytes);
}

}  // namespace
}  // namespace plimsoll::rank

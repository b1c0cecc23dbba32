#include "plimsoll/rank/singular_values.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/rank/lapack.h"

namespace plimsoll::rank {
namespace {

using Matrix = DenseMatrix<double>;

Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    RandomStream random(seed, "tests/rank");
    Matrix matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) matrix(i, j) = random.uniform() - 0.5;
    }
    return matrix;
}

// The product by its definition; nothing of the code under test.
Matrix plain_product(const Matrix& left, const Matrix& right) {
    Matrix product(left.rows(), right.cols());
    for (std::size_t i = 0; i < left.rows(); ++i) {
        for (std::size_t k = 0; k < left.cols(); ++k) {
            for (std::size_t j = 0; j < right.cols(); ++j) product(i, j) += left(i, k) * right(k, j);
        }
    }
    return product;
}

Matrix transpose(const Matrix& matrix) {
    Matrix turned(matrix.cols(), matrix.rows());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (std::size_t j = 0; j < matrix.cols(); ++j) turned(j, i) = matrix(i, j);
    }
    return turned;
}

const Matrix& fixed(const Matrix& matrix) { return matrix; }

double largest_row_norm(const Matrix& matrix) {
    double largest = 0;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        double square = 0;
        for (const double entry : matrix.view().row(i)) square += entry * entry;
        largest = std::max(largest, std::sqrt(square));
    }
    return largest;
}

Spectrum by_gram(const Matrix& matrix, double roundoff = double_roundoff) {
    Matrix gram(matrix.cols(), matrix.cols());
    add_gram(matrix.view(), gram.view());
    return spectrum_from_gram(gram.view(), largest_row_norm(matrix), roundoff);
}

void expect_same_values(const Spectrum& a, const Spectrum& b, double relative, std::size_t count) {
    ASSERT_GE(a.values.size(), count);
    ASSERT_GE(b.values.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(a.values[i], b.values[i], relative * a.values[0]) << i;
    }
}

// One-sided Jacobi: turn pairs of columns until all are orthogonal; the norms that remain are the singular
// values. Slow, and nothing of LAPACK in it.
std::vector<double> jacobi_values(Matrix a) {
    for (int sweep = 0; sweep < 30; ++sweep) {
        for (std::size_t p = 0; p < a.cols(); ++p) {
            for (std::size_t q = p + 1; q < a.cols(); ++q) {
                double pp = 0, qq = 0, pq = 0;
                for (std::size_t i = 0; i < a.rows(); ++i) {
                    pp += a(i, p) * a(i, p);
                    qq += a(i, q) * a(i, q);
                    pq += a(i, p) * a(i, q);
                }
                const double angle = std::atan2(2 * pq, pp - qq) / 2;
                const double c = std::cos(angle), s = std::sin(angle);
                for (std::size_t i = 0; i < a.rows(); ++i) {
                    const double left = a(i, p), right = a(i, q);
                    a(i, p) = c * left + s * right;
                    a(i, q) = c * right - s * left;
                }
            }
        }
    }
    std::vector<double> values(a.cols());
    for (std::size_t i = 0; i < a.rows(); ++i) {
        for (std::size_t j = 0; j < a.cols(); ++j) values[j] += a(i, j) * a(i, j);
    }
    for (double& value : values) value = std::sqrt(value);
    std::sort(values.rbegin(), values.rend());
    return values;
}

class SingularValues : public ::testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(prepare_singular_values(1).ok()); }
};

TEST_F(SingularValues, OfADiagonalMatrixAreItsEntries) {
    Matrix matrix(3, 5);
    matrix(0, 0) = 3;
    matrix(1, 1) = -4;
    const Spectrum spectrum = spectrum_of(fixed(matrix).view());
    EXPECT_THAT(spectrum.values, ::testing::Pointwise(::testing::DoubleNear(1e-14), {4.0, 3.0, 0.0}));
    EXPECT_EQ(spectrum.numerical_rank, 2);
    EXPECT_NEAR(spectrum.stable_rank, 25.0 / 16, 1e-14);
    const double p = 4.0 / 7, q = 3.0 / 7;
    EXPECT_NEAR(spectrum.effective_rank, std::pow(p, -p) * std::pow(q, -q), 1e-14);
}

TEST_F(SingularValues, OfAReflectionAreOnes) {
    // I - 2 v v^T / v^T v has all singular values 1: every rank equals the size.
    const std::size_t size = 20;
    const Matrix v = random_matrix(size, 1, 3);
    double square = 0;
    for (std::size_t i = 0; i < size; ++i) square += v(i, 0) * v(i, 0);
    Matrix matrix(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) matrix(i, j) = (i == j) - 2 * v(i, 0) * v(j, 0) / square;
    }
    const Spectrum spectrum = spectrum_of(fixed(matrix).view());
    EXPECT_NEAR(spectrum.stable_rank, 20, 1e-12);
    EXPECT_NEAR(spectrum.effective_rank, 20, 1e-12);
    EXPECT_EQ(spectrum.numerical_rank, 20);
}

TEST_F(SingularValues, RankOfAProductOfFactorsIsTheirInnerSize) {
    for (std::size_t inner = 1; inner <= 24; inner += 5) {
        const Matrix matrix =
            plain_product(random_matrix(40, inner, inner), random_matrix(inner, 24, inner + 100));
        EXPECT_EQ(spectrum_of(matrix.view()).numerical_rank, static_cast<std::int64_t>(inner));
        EXPECT_EQ(by_gram(matrix).numerical_rank, static_cast<std::int64_t>(inner));
    }
}

TEST_F(SingularValues, AreThoseOfJacobisMethod) {
    const Matrix matrix = random_matrix(19, 12, 11);
    EXPECT_THAT(spectrum_of(matrix.view()).values,
                ::testing::Pointwise(::testing::DoubleNear(1e-13), jacobi_values(matrix)));
}

// Law: |A|_F^2 is the sum of the squares, and turning a matrix changes nothing.
TEST_F(SingularValues, KeepTheFrobeniusNormAndTheTranspose) {
    const Matrix matrix = random_matrix(17, 31, 7);
    double square = 0;
    for (std::size_t i = 0; i < 17; ++i) {
        for (const double entry : matrix.view().row(i)) square += entry * entry;
    }
    const Spectrum spectrum = spectrum_of(matrix.view());
    double sum = 0;
    for (const double value : spectrum.values) sum += value * value;
    EXPECT_NEAR(sum, square, 1e-12 * square);
    expect_same_values(spectrum, spectrum_of(fixed(transpose(matrix)).view()), 1e-14, 17);
}

TEST_F(SingularValues, ThreeWaysToOneSpectrum) {
    const Matrix left = random_matrix(60, 9, 1), right = random_matrix(9, 45, 2);
    const Matrix formed = plain_product(left, right);
    const Spectrum direct = spectrum_of(formed.view());
    expect_same_values(direct, spectrum_of_product(left.view(), right.view()), 1e-13, 9);
    expect_same_values(direct, by_gram(formed), 1e-7, 9);
    EXPECT_EQ(spectrum_of_product(left.view(), right.view()).values.size(), 9);
}

// k above min(m, n): the product itself is the smaller thing.
TEST_F(SingularValues, OfAProductWithALargeInnerSize) {
    const Matrix left = random_matrix(8, 50, 1), right = random_matrix(50, 13, 2);
    const Spectrum product = spectrum_of_product(left.view(), right.view());
    EXPECT_EQ(product.values.size(), 8);
    expect_same_values(spectrum_of(fixed(plain_product(left, right)).view()), product, 1e-13, 8);
}

TEST_F(SingularValues, ViewsWithAStrideAreReadInPlace) {
    const Matrix whole = random_matrix(20, 30, 5);
    Matrix part(10, 6);
    for (std::size_t i = 0; i < 10; ++i) {
        for (std::size_t j = 0; j < 6; ++j) part(i, j) = whole(i + 3, j + 4);
    }
    const auto block = whole.view().block(3, 4, 10, 6);
    expect_same_values(spectrum_of(fixed(part).view()), spectrum_of(block), 1e-14, 6);
    const Matrix right = random_matrix(6, 9, 8);
    expect_same_values(spectrum_of_product(fixed(part).view(), right.view()),
                       spectrum_of_product(block, right.view()), 1e-13, 6);
}

// `matrix` with `bits` significant bits in each entry.
Matrix rounded(Matrix matrix, int bits) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (double& entry : matrix.view().row(i)) {
            int exponent = 0;
            const double fraction = std::frexp(entry, &exponent);
            entry = std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
        }
    }
    return matrix;
}

// A matrix of rank 5 keeps it when its entries are rounded to a few bits; the tolerance of doubles would not
// see that.
TEST_F(SingularValues, RoundedEntriesKeepTheRank) {
    for (const int bits : {24, 11, 8, 4}) {
        const Matrix matrix =
            rounded(plain_product(random_matrix(200, 5, 1), random_matrix(5, 150, 2)), bits);
        const double roundoff = std::ldexp(1, -bits);
        EXPECT_EQ(spectrum_of(matrix.view(), roundoff).numerical_rank, 5) << bits;
        EXPECT_EQ(by_gram(matrix, roundoff).numerical_rank, 5) << bits;
        EXPECT_EQ(spectrum_of(matrix.view()).numerical_rank, 150) << bits;
    }
}

// The same for a product of a rounded factor of rank 5 with another one, by either way of calculating it.
TEST_F(SingularValues, RoundedFactorsKeepTheRankOfTheirProduct) {
    for (const int bits : {24, 11, 8, 5}) {
        const double roundoff = std::ldexp(1, -bits);
        const Matrix left = rounded(plain_product(random_matrix(200, 5, 1), random_matrix(5, 20, 2)), bits);
        const Matrix right = rounded(random_matrix(20, 150, 3), bits);
        EXPECT_EQ(spectrum_of_product(left.view(), right.view(), roundoff).numerical_rank, 5) << bits;
        EXPECT_EQ(spectrum_of_product(left.view(), right.view()).numerical_rank, 20) << bits;
        const Matrix turned = transpose(left);
        EXPECT_EQ(spectrum_of_product(turned.view(), left.view(), roundoff).numerical_rank, 5) << bits;
    }
}

// Half the digits are gone in a Gram matrix, and the tolerance says so instead of counting noise.
TEST_F(SingularValues, GramDoesNotCountWhatItCannotSee) {
    Matrix matrix(4, 4);
    for (std::size_t i = 0; i < 4; ++i) matrix(i, i) = std::pow(10, -3.0 * static_cast<double>(i));
    EXPECT_EQ(spectrum_of(fixed(matrix).view()).numerical_rank, 4);
    EXPECT_EQ(by_gram(matrix).numerical_rank, 3);
}

TEST_F(SingularValues, NormsBoundTheLargestValueFromAboveByAFifth) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Matrix matrix = random_matrix(30, 20, seed);
        const double largest = spectrum_of(matrix.view()).values[0];
        const FactorNorms norms = norms_of(matrix.view());
        EXPECT_GE(norms.two, largest);
        EXPECT_LE(norms.two, 1.2001 * largest);
        EXPECT_LE(norms.noise, largest * std::sqrt(20.0));
    }
}

TEST_F(SingularValues, OfNothingAndOfZero) {
    const Matrix empty(0, 5), zero(4, 3);
    EXPECT_TRUE(spectrum_of(empty.view()).values.empty());
    const Spectrum spectrum = spectrum_of(zero.view());
    EXPECT_EQ(spectrum.numerical_rank, 0);
    EXPECT_EQ(spectrum.stable_rank, 0);
    EXPECT_EQ(spectrum.effective_rank, 0);
    EXPECT_EQ(by_gram(zero).numerical_rank, 0);
}

TEST_F(SingularValues, SummaryCountsValuesAboveTheTolerance) {
    const Spectrum spectrum = summary_of({1, 4, 2}, 1);
    EXPECT_THAT(spectrum.values, ::testing::ElementsAre(4, 2, 1));
    EXPECT_EQ(spectrum.numerical_rank, 2);
}

TEST_F(SingularValues, ShapesThatDoNotFitAreBugs) {
    const Matrix left(2, 3), right(4, 2);
    EXPECT_THROW(static_cast<void>(spectrum_of_product(left.view(), right.view())), Bug);
}

TEST_F(SingularValues, LapackNamesItsFile) { EXPECT_THAT(lapack::file(), ::testing::HasSubstr("/")); }

}  // namespace
}  // namespace plimsoll::rank

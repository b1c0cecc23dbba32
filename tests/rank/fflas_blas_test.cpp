#include <array>

#include <gtest/gtest.h>

#include "plimsoll/rank/lapack.h"

// Each routine FFLAS-FFPACK calls by name reaches its namesake with the arguments in their places.
extern "C" {
void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double,
                 double*, int);
void cblas_sgemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*,
                 int);
void cblas_dtrsm(int, int, int, int, int, int, int, double, const double*, int, double*, int);
void cblas_dgemv(int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
void cblas_sgemv(int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
void cblas_daxpy(int, double, const double*, int, double*, int);
void cblas_saxpy(int, float, const float*, int, float*, int);
void cblas_dcopy(int, const double*, int, double*, int);
void cblas_scopy(int, const float*, int, float*, int);
double cblas_ddot(int, const double*, int, const double*, int);
float cblas_sdot(int, const float*, int, const float*, int);
void cblas_dscal(int, double, double*, int);
void cblas_sscal(int, float, float*, int);
}

namespace plimsoll::rank {
namespace {

constexpr int row_major = 101, as_is = 111, transposed = 112, lower = 122, non_unit = 131, from_left = 141;

template <class T>
struct Routines;
template <>
struct Routines<double> {
    static constexpr auto gemm = cblas_dgemm;
    static constexpr auto gemv = cblas_dgemv;
    static constexpr auto axpy = cblas_daxpy;
    static constexpr auto copy = cblas_dcopy;
    static constexpr auto dot = cblas_ddot;
    static constexpr auto scal = cblas_dscal;
};
template <>
struct Routines<float> {
    static constexpr auto gemm = cblas_sgemm;
    static constexpr auto gemv = cblas_sgemv;
    static constexpr auto axpy = cblas_saxpy;
    static constexpr auto copy = cblas_scopy;
    static constexpr auto dot = cblas_sdot;
    static constexpr auto scal = cblas_sscal;
};

template <class T>
class FflasBlas : public ::testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(lapack::load().ok()); }
};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(FflasBlas, Precisions);

TYPED_TEST(FflasBlas, MatricesByMatricesAndVectors) {
    using T = TypeParam;
    using Call = Routines<T>;
    const std::array<T, 6> a = {1, 2, 3, 4, 5, 6};  // 2 x 3
    const std::array<T, 6> b = {1, 0, 2, 1, 0, 3};  // 3 x 2, or the transpose of a 2 x 3
    std::array<T, 4> c = {1, 1, 1, 1};
    Call::gemm(row_major, as_is, as_is, 2, 2, 3, 1, a.data(), 3, b.data(), 2, 10, c.data(), 2);
    EXPECT_EQ(c, (std::array<T, 4>{15, 21, 24, 33}));
    Call::gemm(row_major, as_is, transposed, 2, 2, 3, 2, a.data(), 3, b.data(), 3, 0, c.data(), 2);
    EXPECT_EQ(c, (std::array<T, 4>{14, 20, 32, 44}));
    const std::array<T, 4> x = {1, 9, 2, 9};  // every second entry
    std::array<T, 5> y = {1, 8, 1, 8, 1};
    Call::gemv(row_major, transposed, 2, 3, 2, a.data(), 3, x.data(), 2, 1, y.data(), 2);
    EXPECT_EQ(y, (std::array<T, 5>{19, 8, 25, 8, 31}));
}

TYPED_TEST(FflasBlas, Vectors) {
    using T = TypeParam;
    using Call = Routines<T>;
    const std::array<T, 4> x = {1, 9, 2, 9};
    std::array<T, 4> y = {3, 8, 8, 4};
    EXPECT_EQ(Call::dot(2, x.data(), 2, y.data(), 3), T(11));
    Call::axpy(2, 10, x.data(), 2, y.data(), 3);
    EXPECT_EQ(y, (std::array<T, 4>{13, 8, 8, 24}));
    Call::copy(2, x.data(), 2, y.data(), 3);
    EXPECT_EQ(y, (std::array<T, 4>{1, 8, 8, 2}));
    Call::scal(2, 5, y.data(), 3);
    EXPECT_EQ(y, (std::array<T, 4>{5, 8, 8, 10}));
}

TEST(FflasBlasTriangles, AreSolved) {
    ASSERT_TRUE(lapack::load().ok());
    const std::array<double, 4> triangle = {2, 99, 3, 4};
    std::array<double, 4> right = {2, 4, 11, 10};  // 2 x 2
    cblas_dtrsm(row_major, from_left, lower, as_is, non_unit, 2, 2, 1, triangle.data(), 2, right.data(), 2);
    EXPECT_EQ(right, (std::array<double, 4>{1, 2, 2, 1}));
}

}  // namespace
}  // namespace plimsoll::rank

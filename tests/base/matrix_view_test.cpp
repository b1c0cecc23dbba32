#include "plimsoll/base/matrix_view.h"

#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

class MatrixViewTest : public ::testing::Test {
  protected:
    MatrixViewTest() { std::iota(values_.begin(), values_.end(), 0); }
    std::vector<int> values_ = std::vector<int>(12);
};

TEST_F(MatrixViewTest, ElementsLieRowByRow) {
    const MatrixView<int> view(values_.data(), 3, 4);
    EXPECT_EQ(view(1, 2), 6);
    EXPECT_THAT(view.row(2), ElementsAre(8, 9, 10, 11));
    view(0, 0) = 50;
    EXPECT_EQ(values_[0], 50);
}

TEST_F(MatrixViewTest, ABlockOfABlockIsABlock) {
    const MatrixView<int> view(values_.data(), 3, 4);
    const auto inner = view.block(1, 1, 2, 3).block(0, 1, 2, 2);
    EXPECT_THAT(inner.row(0), ElementsAre(6, 7));
    EXPECT_THAT(inner.row(1), ElementsAre(10, 11));
    EXPECT_EQ(inner.stride(), 4U);
}

TEST_F(MatrixViewTest, ABlockOutsideIsABug) {
    const MatrixView<int> view(values_.data(), 3, 4);
    EXPECT_THROW((void)view.block(2, 0, 2, 1), Bug);
    EXPECT_THROW((void)view.block(0, 3, 1, 2), Bug);
    EXPECT_THROW((void)view.block(SIZE_MAX, 0, 2, 1), Bug) << "the sum must not wrap around";
    EXPECT_THROW(MatrixView<int>(values_.data(), 1, 4, 3), Bug);
}

}  // namespace
}  // namespace plimsoll

#include "plimsoll/verify/field_rank.h"

#include <gtest/gtest.h>

#include "plimsoll/base/random.h"

namespace plimsoll::verify {
namespace {

const nets::PrimeField field;

TEST(FieldRank, IsTheRankAProductWasBuiltWith) {
    RandomStream stream(1, "tests/field-rank");
    for (std::size_t r = 0; r <= 6; ++r) {
        const auto product = nets::product(field, nets::random_matrix(field, 9, r, stream),
                                           nets::random_matrix(field, r, 7, stream));
        EXPECT_EQ(field_rank(field, product), r);
    }
}

TEST(FieldRank, FindsPivotsBelowZeros) {
    EXPECT_EQ(field_rank(field, {{0, 1, 0}, {0, 0, 0}, {2, 0, 0}}), 2U);
    EXPECT_EQ(field_rank(field, FieldMatrix(3, 0)), 0U);
}

// x_0 x_2 + x_1 x_3 with (x_0, x_1) on side A has rank 2; all of it on one side has rank 1.
TEST(FieldRank, SampledRankOfAnInnerProduct) {
    SplitFunction f{.rows = 1, .cols = 4, .left = left_columns(1, 4, 2), .value = [](const FieldMatrix& x) {
                        return field.add(field.multiply(x(0, 0), x(0, 2)), field.multiply(x(0, 1), x(0, 3)));
                    }};
    EXPECT_EQ(sampled_rank(f, 8, 3).rank, 2U);
    EXPECT_TRUE(sampled_rank(f, 8, 3).exact);
    EXPECT_FALSE(sampled_rank(f, 4, 3).exact);
    f.left = {true, false, true, false};
    EXPECT_EQ(sampled_rank(f, 8, 3).rank, 2U);
    f.left = left_columns(1, 4, 4);
    EXPECT_EQ(sampled_rank(f, 8, 3).rank, 1U);
}

}  // namespace
}  // namespace plimsoll::verify

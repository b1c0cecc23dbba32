// The chance of error, against exact binomials and against what small fields really do.
#include "plimsoll/rank/error_bound.h"

#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/nets/prime_field.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::rank {
namespace {

TEST(ErrorBoundTest, IsTheFormula) {
    // 2 binom(6, 3) (3/1000)^2
    EXPECT_NEAR(hidden_rank_log10(5, 2, 3, 1000), std::log10(2 * 20 * 9e-6), 1e-12);
}

TEST(ErrorBoundTest, NeverExceedsOne) {
    EXPECT_EQ(hidden_rank_log10(1000, 1, 27, 29), 0);
    EXPECT_EQ(hidden_rank_log10(1000, 50, 29, 29), 0);
    EXPECT_EQ(hidden_rank_log10(1000, 0, 3, 8386141), 0);
}

TEST(ErrorBoundTest, SlackGrowsWithTheDegree) {
    EXPECT_EQ(slack_for(8000, 27, 8386141), 20);
    const std::size_t deep = slack_for(8000, 6561, 8386141);
    EXPECT_GT(deep, 20);
    EXPECT_LE(hidden_rank_log10(8000, deep, 6561, 8386141), -12);
    EXPECT_GT(hidden_rank_log10(8000, deep - 1, 6561, 8386141), -12);
}

TEST(ErrorBoundTest, AddsChances) {
    EXPECT_NEAR(add_log10(-3, -3), std::log10(2e-3), 1e-12);
    EXPECT_EQ(add_log10(-HUGE_VAL, -5), -5);
    EXPECT_EQ(add_log10(0, 0), 0);
}

// f(a, b) = 1 + a b + (a b)^2 has rank 3 and degree 2 on either side. Over F_11 samples hide it often enough
// to be counted; the share stays below the bound for one size.
TEST(ErrorBoundTest, HoldsWhereItCanBeCounted) {
    const nets::PrimeField field(11);
    RandomStream stream(3, "error_bound_test");
    constexpr int draws = 20'000;
    constexpr std::size_t size = 4;
    int hidden = 0;
    for (int draw = 0; draw < draws; ++draw) {
        nets::Matrix<std::uint64_t> scores(size, size);
        std::uint64_t a[size], b[size];
        for (std::size_t i = 0; i < size; ++i) a[i] = stream.below(11), b[i] = stream.below(11);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                const std::uint64_t ab = field.multiply(a[i], b[j]);
                scores(i, j) = field.add(1, field.add(ab, field.multiply(ab, ab)));
            }
        }
        hidden += testing::rank_mod_p(field, scores) <= size - 2 ? 1 : 0;
    }
    // At one size: 2 binom(4, 2) (2/11)^2 = 0.397.
    EXPECT_GT(hidden, draws / 1000);
    EXPECT_LT(hidden, draws * 397 / 1000);
}

}  // namespace
}  // namespace plimsoll::rank

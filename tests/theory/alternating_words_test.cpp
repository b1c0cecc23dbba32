// D3: the counts behind the Weyl product against all pairs, and the product against ranks and known sums.
#include "plimsoll/theory/attainment/alternating_words.h"

#include <map>

#include <gtest/gtest.h>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "tests/support/sampled_rank.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

TEST(CanonicalExponents, AddUpToThePowerAndFollowTheirFormula) {
    for_seeds(60, [](RandomStream& stream) {
        const std::int64_t nu = random_between(stream, 2, 40),
                           total = random_between(stream, 0, stream.below(2) == 0 ? 50 : 5000);
        const CanonicalSteps steps(nu, total);
        std::int64_t floors = 0;
        for (std::int64_t r = 0; r < nu; ++r) floors += 2 * total * r / (nu * (nu - 1));
        const std::int64_t left = total - floors;
        ASSERT_TRUE(left >= 0 && left < nu);
        Integer sum = 0;
        for (std::int64_t r = 0; r < nu; ++r) {
            EXPECT_EQ(steps.at(r), Integer(2 * total * r / (nu * (nu - 1)) + (r >= nu - left ? 1 : 0)));
            sum += steps.at(r);
        }
        EXPECT_EQ(sum, Integer(total));
    });
    EXPECT_EQ(CanonicalSteps(1, 40).at(0), Integer(40));
}

using PairCounts = std::map<std::pair<std::int64_t, std::string>, std::int64_t>;

TEST(CanonicalExponents, CountsAreThoseOfAllPairs) {
    for_seeds(60, [](RandomStream& stream) {
        const std::int64_t nu = random_between(stream, 1, 30), total = random_between(stream, 0, 900);
        const CanonicalSteps steps(nu, total);
        PairCounts differences, sums, all_differences, all_sums;
        steps.for_differences([&](std::int64_t delta, std::int64_t rest, std::int64_t count) {
            differences[{delta, (steps.slope() * delta + rest).text()}] += count;
        });
        steps.for_sums([&](std::int64_t sigma, std::int64_t rest, std::int64_t count) {
            sums[{sigma, (steps.base() * 2 + steps.slope() * sigma + rest).text()}] += count;
        });
        for (std::int64_t r = 0; r < nu; ++r) {
            for (std::int64_t s = 0; s < nu; ++s) {
                ++all_sums[{r + s, (steps.at(r) + steps.at(s)).text()}];
                if (s < r) ++all_differences[{r - s, (steps.at(r) - steps.at(s)).text()}];
            }
        }
        EXPECT_EQ(differences, all_differences);
        EXPECT_EQ(sums, all_sums);
    });
    EXPECT_THROW(CanonicalSteps(0, 3), Bug);
}

struct WordRank {
    AlternatingWord word;
    std::int64_t rank;
};

// Ranks of the kernel (u^T al (be al)^k v)^Lam over all corners, measured by a prototype.
TEST(AlternatingWords, SumsAreTheMeasuredRanks) {
    for (const auto& [word, rank] : {WordRank{{2, 1, 3, 1}, 7},
                                     {{2, 1, 3, 4}, 25},
                                     {{3, 1, 2, 2}, 125},
                                     {{3, 1, 3, 3}, 1000},
                                     {{4, 2, 3, 1}, 475},
                                     {{4, 2, 2, 2}, 1659},
                                     {{5, 2, 2, 1}, 275},
                                     {{5, 2, 3, 1}, 2024},
                                     {{6, 2, 2, 1}, 594}}) {
        EXPECT_EQ(d3_sum(word), Integer(rank)) << word.block << " " << word.corner;
    }
}

// (p'^T (X_A X_B)^k X_A p)^Lam with X_A = alpha P Q^T, Q^T P = 0, written for n = 2 and 3, nu = 1.
std::size_t word_kernel_rank(std::size_t n, std::uint64_t exponent, std::size_t samples) {
    const nets::PrimeField field;
    const auto split = testing::split_columns(n, n + 2, {0, 1});
    return testing::sampled_rank(field, split, samples, 5, [&](const testing::FieldMatrix& x) {
        const auto entry = [&](std::size_t i, std::size_t side) -> std::uint64_t {
            if (side == 0 || i + 1 < n) return x(i, side);
            // The last entry of Q makes Q^T P zero.
            std::uint64_t dot = 0;
            for (std::size_t j = 0; j + 1 < n; ++j) dot = field.add(dot, field.multiply(x(j, 0), x(j, 1)));
            return field.multiply(field.subtract(0, dot), field.inverse(x(n - 1, 0)));
        };
        std::uint64_t corner = 0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                const auto weight = field.multiply(entry(i, 1), entry(j, 0));
                corner = field.add(corner, field.multiply(weight, x(i, j + 2)));
            }
        }
        return nets::power(field, corner, exponent);
    });
}

TEST(AlternatingWords, OneCornerIsTheRankOfThePower) {
    EXPECT_EQ(word_kernel_rank(2, 3, 12), 7U);
    EXPECT_EQ(word_kernel_rank(2, 12, 30), 25U);
    EXPECT_EQ(word_kernel_rank(3, 2, 30), 27U);
}

TEST(AlternatingWords, IntegerLogarithmAndDoubleAgree) {
    for (const auto& [L, L0, d] : {std::tuple{3, 2, 6},
                                   {4, 2, 6},
                                   {4, 2, 10},
                                   {5, 3, 14},
                                   {6, 3, 40},
                                   {7, 2, 30},
                                   {6, 5, 41},
                                   {9, 4, 63},
                                   {20, 3, 17}}) {
        const AlternatingWord word = alternating_word(L, L0, d);
        const Ball ball = d3_canonical_log3(word, 64);
        EXPECT_TRUE(ball.contains(log3(Ball(d3_canonical(word), 400)))) << L << " " << L0 << " " << d;
        EXPECT_NEAR(fast::d3_canonical_log3(word), ball.middle(), 1e-10 * ball.middle());
    }
}

TEST(AlternatingWords, CanonicalIsBelowTheSumAndTheSumBelowTheBound) {
    for (const auto& [L, L0, d] :
         {std::tuple{3, 2, 6}, {4, 2, 6}, {4, 3, 8}, {4, 2, 10}, {5, 2, 10}, {4, 2, 14}}) {
        const AlternatingWord word = alternating_word(L, L0, d);
        EXPECT_LE(d3_canonical(word), d3_sum(word));
        EXPECT_LE(d3_sum(word), full_bound(L, d)) << L << " " << L0 << " " << d;
    }
    EXPECT_EQ(d3_sum(alternating_word(4, 2, 14)), Integer(2'447'187'637));
    EXPECT_EQ(d3_canonical(alternating_word(4, 2, 10)), Integer(74'529));
    EXPECT_FALSE(has_alternating_word(4, 2, 5));
    EXPECT_FALSE(has_alternating_word(4, 4, 64));
    EXPECT_FALSE(has_alternating_word(4, 1, 64));
    EXPECT_THROW((void)alternating_word(2, 2, 64), Bug);
}

}  // namespace
}  // namespace plimsoll::theory

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/capacity/numerator_bounds.h"
#include "plimsoll/theory/capacity/unequal_sides.h"

namespace plimsoll::theory {
namespace {

// sum_i h_i s^(2i) from the exact h-vector.
Ball direct(const std::vector<Integer>& h, double s) {
    constexpr int bits = 512;
    const Ball root = Ball::from_double(s, bits), t = root * root;
    Ball sum(0, bits), power(1, bits);
    for (const Integer& number : h) {
        sum = sum + Ball(number, bits) * power;
        power = power * t;
    }
    return log(sum);
}

// Two ways to one number: the average of det(1 + s g)^(d-q+1) over O(q) is the numerator.
TEST(Numerator, IsTheAverageOverTheOrthogonalGroup) {
    for (std::int64_t d = 2; d <= 14; ++d) {
        for (std::int64_t q = 1; q < d; ++q) {
            const auto h = invariant_forms({d, q}).numerator();
            for (const double s : {1e-6, 0.125, 0.5, 0.875, 1 - 1e-9, 1.0}) {
                const Ball average = log_numerator({d, q}, s, 64);
                ASSERT_TRUE(average.is_finite());
                EXPECT_TRUE(average.overlaps(direct(h, s))) << d << " " << q << " " << s;
                EXPECT_LE(average.upper() - average.lower(), 1e-12) << d << " " << q << " " << s;
            }
        }
    }
}

// At s = 1 it is the degree of Harris and Tu, at sizes no h-vector reaches.
TEST(Numerator, IsTheDegreeAtOne) {
    for (const auto& [d, q] : {std::pair{64, 32}, {128, 120}, {192, 96}, {300, 7}, {256, 25}, {4096, 3}}) {
        EXPECT_TRUE(log_numerator({d, q}, 1, 64).overlaps(RankVariety{d, q}.log_degree(64))) << d << " " << q;
    }
}

// s^(qm) N(1/s^2) = N(s^2) for d - q odd: compare ln N(t) with the theorem's bound and with its own reversal.
TEST(Numerator, LiesAboveTheTheoremsBoundAndBelowTheDegree) {
    for (const auto& [d, q] : {std::pair{40, 11}, {40, 12}, {100, 50}, {200, 9}}) {
        const RankVariety variety{d, q};
        for (const double s : {0.1, 0.4, 0.9}) {
            const Ball value = log_numerator(variety, s, 64), degree = variety.log_degree(64);
            const Ball power(Integer(q) * (d - q + 1), 64);
            EXPECT_EQ(less(value, degree), Verdict::proved);
            EXPECT_EQ(less(degree + power * log(Ball::from_double((1 + s) / 2, 64)), value), Verdict::proved);
        }
    }
}

// Within a few nats of the exact sums on both sides; 2.06 and 3.4 are the most seen.
TEST(NumeratorBounds, EncloseTheExactSumWithinAFewNats) {
    for (std::int64_t d = 2; d <= 16; ++d) {
        for (std::int64_t q = 1; q < d; ++q) {
            const HilbertFunction forms = invariant_forms({d, q});
            NumeratorBounds bounds({d, q}, 64);
            for (const std::int64_t k : {1, 2, 5, 13, 40, 364, 9841}) {
                const ::testing::ScopedTrace trace(
                    __FILE__, __LINE__,
                    std::to_string(d) + " " + std::to_string(q) + " " + std::to_string(k));
                const Ball truth = log(Ball(forms.cumulative(k), 200));
                const auto upper = bounds.upper(k), lower = bounds.lower(k);
                ASSERT_TRUE(upper.has_value());
                EXPECT_NE(less(*upper, truth), Verdict::proved) << "upper bound below the exact value";
                EXPECT_LE((*upper - truth).upper(), 2.5);
                if (!lower) continue;
                EXPECT_NE(less(truth, *lower), Verdict::proved) << "lower bound above the exact value";
                if (k >= 40) {
                    EXPECT_LE((truth - *lower).upper(), 6);
                }
            }
        }
    }
}

// Odd N: the sides differ and meet far from the middle.
TEST(UnequalSides, EncloseTheExactSum) {
    for (std::int64_t d = 2; d <= 12; ++d) {
        for (std::int64_t q = 1; q < d; ++q) {
            for (const std::int64_t L : {1, 2, 3, 4, 6, 9}) {
                const ::testing::ScopedTrace trace(
                    __FILE__, __LINE__,
                    std::to_string(d) + " " + std::to_string(q) + " L " + std::to_string(L));
                for (const auto& [a, b] : {std::pair{q + 1, q}, {q, q + 1}}) {
                    const auto [lower, upper] = enclose_unequal_sides({d, a}, {d, b}, gram_count(L), 64);
                    const Ball truth = log(Ball(split_bound(L, d, a, b), 400));
                    EXPECT_NE(less(truth, lower), Verdict::proved) << "lower end above the exact value";
                    EXPECT_NE(less(upper, truth), Verdict::proved) << "upper end below the exact value";
                    EXPECT_LE((upper - lower).upper(), std::max(9.0, 0.05 * truth.middle()));  // 8.1 at d = 2
                }
            }
        }
    }
}

}  // namespace
}  // namespace plimsoll::theory

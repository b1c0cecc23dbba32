#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "plimsoll/theory/papers/levine_bounds.h"
#include "tests/theory/laws.h"

// Corollaries 1 and 2 and Table 1 of Levine et al. 2020.
namespace plimsoll::theory {
namespace {

// E2: the printed 2e17 and 2e5 come from MID-K.
TEST(LevineCorollaryOne, NumbersOfTheErratum) {
    const auto width = [](std::int64_t d, std::int64_t shallow, DeepLower which) {
        return corollary1_min_width({6, d, 16}, shallow, which, 128).middle();
    };
    const auto near = [](double value, double expected) { EXPECT_NEAR(value / expected, 1, 1e-4); };
    near(width(1000, 2, DeepLower::eq6), 7.3362e15);
    near(width(1000, 3, DeepLower::eq6), 7.6136e4);
    near(width(1000, 2, DeepLower::midk), 1.5504e17);
    near(width(1000, 3, DeepLower::midk), 1.9469e5);
    near(width(1000, 2, DeepLower::ms), 1.0009e25);
    near(width(1000, 3, DeepLower::ms), 4.9253e7);
    EXPECT_NEAR(width(1024, 2, DeepLower::eq6) / 1.195e16, 1, 1e-3);
    EXPECT_NEAR(width(1024, 3, DeepLower::midk) / 2.216e5, 1, 1e-3);
    EXPECT_NEAR(width(1024, 2, DeepLower::ms) / 1.574e25, 1, 1e-3);
}

// Two ways: at the minimal width T3 of the shallow network equals the deep network's lower bound.
TEST(LevineCorollaryOne, MinimalWidthSolvesItsEquation) {
    for (const std::int64_t shallow : {2, 3, 4}) {
        const AttentionShape deep{6, 1000, 16};
        const Ball width = corollary1_min_width(deep, shallow, DeepLower::midk, 200);
        const Ball t3 = Ball(gram_count(shallow), 200) * log3(width + Ball(16, 200));
        EXPECT_TRUE(t3.overlaps(mid_k_log3(deep, 200)));
    }
}

TEST(LevineCorollaryTwo, BetaTwoIsARootAndTheOneOfTheErratum) {
    for (const auto& [L, d, H] : {std::tuple{24, 1024, 16}, {48, 1024, 16}, {12, 64, 4}, {96, 12288, 96}}) {
        const AttentionShape deep{L, d, H};
        const Ball beta = corollary2_beta2(deep, 96);
        ASSERT_GE(beta.accuracy_bits(), 80);
        const auto gain = [&](const Ball& b) {
            const Ball width = pow(Ball(3, 160), b) * Ball(d, 160);
            const Ball bracket = log3(width - Ball(H, 160)) - log3(width) + Ball(2, 160) - log3(Ball(2, 160));
            return width / Ball(9, 160) * bracket - t2_upper_log3(L, d, 160);
        };
        const Ball step = Ball::from_double(1e-15, 160);
        EXPECT_EQ(less(gain(beta.lower_end() - step), Ball(0, 160)), Verdict::proved);
        EXPECT_EQ(less(Ball(0, 160), gain(beta.upper_end() + step)), Verdict::proved);
        // E18: about log3 L + 2.1.
        EXPECT_NEAR(beta.middle(), std::log(static_cast<double>(L)) / std::log(3.0) + 2.1, 0.3);
    }
    EXPECT_NEAR(corollary2_beta2({24, 1024, 16}, 64).middle(), 5.04, 5e-3);
    EXPECT_TRUE(corollary2_beta1(12, 729, 64).contains(Rational(Integer(1), Integer(2))));
}

TEST(LevineTableOne, DepthsOfTheErratum) {
    const double real[] = {5.4343, 6.4073, 7.3903, 8.3810, 9.3778, 10.3796};
    for (std::int64_t i = 0; i < 6; ++i) {
        const Integer size = pow(Integer(10), static_cast<std::uint64_t>(7 + i));
        const Ball depth = table1_depth(size, 128);
        EXPECT_NEAR(depth.middle(), real[i], 5e-5);
        EXPECT_EQ(table1_depth_round(size), Integer(5 + i));
        EXPECT_EQ(table1_depth_ceil(size), Integer(6 + i));
        // It solves 12 L 9^L = size, and its ceiling and rounding are those of the real number.
        const Ball solved = Ball(12, 128) * depth * pow(Ball(9, 128), depth);
        EXPECT_TRUE(solved.overlaps(Ball(size, 128)));
        EXPECT_EQ(*depth.unique_floor() + 1, table1_depth_ceil(size));
        EXPECT_EQ((depth + Ball(Rational(Integer(1), Integer(2)), 128)).unique_floor(),
                  table1_depth_round(size));
    }
    EXPECT_EQ(table1_depth_ceil(108), Integer(1));  // 12 * 1 * 9 exactly
    EXPECT_EQ(table1_depth_ceil(109), Integer(2));
    EXPECT_EQ(table1_depth_round(108), Integer(1));
    EXPECT_EQ(table1_depth_ceil(1), Integer(1));
    EXPECT_EQ(table1_depth_round(1), Integer(0));
}

TEST(BracketedRoot, EnclosesASquareRootToTheBitsAskedFor) {
    const auto parabola = [](const Ball& x) { return x * x - Ball(2, 300); };
    const Ball root = bracketed_root(parabola, 1, 2, 200);
    EXPECT_TRUE(root.overlaps(sqrt(Ball(2, 300))));
    EXPECT_GE(root.accuracy_bits(), 190);
    // A root that is hit exactly ends the search and lies in the bracket.
    const Ball exact_root = bracketed_root([](const Ball& x) { return x - Ball(1, 100); }, 0, 2, 100);
    EXPECT_TRUE(exact_root.contains(Rational(1)));
}

}  // namespace
}  // namespace plimsoll::theory

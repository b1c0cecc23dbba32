#include <gtest/gtest.h>

#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/navon_bounds.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

TEST(NavonLayer, BinomialFormIsNeverAboveThePrintedOne) {
    for (std::int64_t n = 1; n <= 12; ++n) {
        for (std::int64_t k = 1; k <= 12; ++k) {
            EXPECT_LE(navon_layer_binomial(k, n), navon_layer(k, n));
            EXPECT_EQ(navon_layer_binomial(k, n), binomial(n * k + 1, 2) + k);
        }
    }
    EXPECT_EQ(navon_square(7), Integer(28));
}

TEST(NavonRecursion, GrowsByTheLayerAndAlternates) {
    for (std::int64_t n = 1; n <= 5; ++n) {
        for (std::int64_t m = 1; m <= 5; ++m) {
            EXPECT_EQ(navon_recursion_alternating(0, n, m), Integer(2));
            for (std::int64_t p = 1; p <= 6; ++p) {
                const Integer before = navon_recursion_alternating(p - 1, n, m);
                EXPECT_EQ(navon_recursion_alternating(p, n, m), navon_layer(before, p % 2 == 1 ? n : m));
                if (n == m) {
                    EXPECT_EQ(navon_recursion(p, n), navon_recursion_alternating(p, n, n));
                }
            }
        }
    }
}

// ERRATA section 1: max(n,m)^2 k_p + 1 <= (2 max^2 + 1)^(2^p), hence T5.5 whenever H min(m,n)^2 >= 2.
TEST(NavonTheorem55, FollowsFromTheRecursionWhenTheOtherFactorIsAtLeastTwo) {
    int tested = 0;
    for (std::int64_t n = 1; n <= 6; ++n) {
        for (std::int64_t m = 1; m <= 6; ++m) {
            for (std::int64_t H = 1; H <= 3; ++H) {
                const std::int64_t small = std::min(n, m), large = std::max(n, m);
                if (H * small * small < 2) continue;
                for (std::int64_t p = 1; p <= 8; ++p) {
                    EXPECT_LE(navon_recursion(p, large), navon_t55({p, m, n, H}))
                        << n << " " << m << " " << p;
                    EXPECT_LE(navon_recursion_alternating(p, n, m), navon_t55({p, m, n, H}));
                    ++tested;
                }
            }
        }
    }
    EXPECT_EQ(tested, 776);
}

// E44: with H min(m,n)^2 = 1 the printed recursion fails from these depths on.
TEST(NavonTheorem55, DepthsAtWhichThePrintedRecursionFails) {
    const auto first_failure = [](std::int64_t n) {
        for (std::int64_t p = 1; p <= 11; ++p) {
            if (navon_recursion(p, n) > navon_t55({p, 1, n, 1})) return p;
        }
        return std::int64_t{0};
    };
    EXPECT_EQ(first_failure(1), 1);
    EXPECT_EQ(first_failure(2), 5);
    EXPECT_EQ(first_failure(3), 7);
    EXPECT_EQ(first_failure(4), 8);
    EXPECT_EQ(first_failure(5), 9);
    EXPECT_EQ(first_failure(6), 10);
    // With rows and columns in turn, or with the binomial form, only n = m = 1 fails.
    for (std::int64_t n = 2; n <= 6; ++n) {
        Integer k = 2;
        for (std::int64_t p = 1; p <= 10; ++p) {
            EXPECT_LE(navon_recursion_alternating(p, n, 1), navon_t55({p, 1, n, 1}));
            k = navon_layer_binomial(k, n);
            EXPECT_LE(k, navon_t55({p, 1, n, 1}));
        }
    }
}

TEST(NavonUpper, LogarithmsContainTheExactBounds) {
    for (std::int64_t p = 1; p <= 6; ++p) {
        for (std::int64_t m = 1; m <= 5; ++m) {
            for (std::int64_t n = 1; n <= 5; ++n) {
                const NavonShape shape{p, m, n, 2};
                EXPECT_TRUE(navon_t55_log3(shape, 64).contains(log3(Ball(navon_t55(shape), 400))));
                EXPECT_TRUE(navon_t56_log3(shape, 64).contains(log3(Ball(navon_t56(shape), 400))));
                EXPECT_LT(navon_t55(shape), navon_t56(shape));
            }
        }
    }
}

TEST(NavonLower, IsLevinesAndBelowTheUpperBoundOfAttention) {
    for (std::int64_t p = 1; p <= 8; ++p) {
        for (const std::int64_t m : {10, 100, 1000, 10'000}) {
            const NavonShape shape{p, m, m, 2};
            EXPECT_TRUE(navon_t57_log3(shape, 128).overlaps(t1_lower_log3({p, m, 2}, 128)));
            const Real lower = [&](int bits) { return navon_t57_log3(shape, bits); };
            const Real upper = [&](int bits) { return navon_t56_log3(shape, bits); };
            EXPECT_TRUE(certainly_less(lower, upper));
            // gap(p) = (1/9) (3/2)^p [log3(m-H) - p + 2 - log3 2] / log3(2 H m^2 n^2)
            const Ball bracket = log3(Ball(m - 2, 128)) + Ball(2 - p, 128) - log3(Ball(2, 128));
            const Ball base = log3(Ball(Integer(4) * m * m * m * m, 128));
            const Rational growth = pow(Rational(Integer(3), Integer(2)), static_cast<std::uint64_t>(p)) / 9;
            EXPECT_TRUE((Ball(growth, 128) * bracket / base).overlaps(navon_gap(shape, 128)));
        }
    }
}

struct FirstDepth {
    std::string label;
    Integer m, n, H;
    std::int64_t depth;  // 0: never inside p < log3 m
};

// ERRATA section 1, "first depth at which T5.7 lower > T5.5 upper".
TEST(NavonCorollary59, FirstDepthsOfTheErratum) {
    const auto edge = [](std::int64_t p) { return power_of_three(p) + 1; };
    const Integer vast = power_of_three(400);
    const std::vector<FirstDepth> table{
        {"n=H=1, wide", vast, 1, 1, 8},
        {"n=m, wide", vast, vast, 1, 9},
        {"n=m^2-1, wide", vast, vast * vast - 1, 1, 10},
        {"n=m, H=m/2-1, wide", vast, vast, floor_div(vast, 2) - 1, 10},
        {"worst allowed, wide", vast, vast * vast - 1, floor_div(vast, 2) - 1, 11},
        {"768x196", 768, 196, 12, 0},
        {"1024x512", 1024, 512, 16, 0},
        {"4096x2048", 4096, 2048, 32, 0},
        {"3^12", power_of_three(12), 512, 16, 0},
        {"3^14", power_of_three(14), 512, 16, 12},
        {"3^15", power_of_three(15), 1024, 16, 11},
        {"3^20", power_of_three(20), 1024, 16, 10},
    };
    for (const auto& row : table) {
        const auto found = navon_first_depth(row.m, row.n, row.H);
        EXPECT_EQ(found.value_or(0), row.depth) << row.label;
    }
    // At the edge of the regime, m = 3^p + 1: the first p at which the gap exceeds 1.
    const auto first_edge = [&](auto n_of, auto H_of) {
        for (std::int64_t p = 2;; ++p) {
            const Integer m = edge(p);
            const NavonShape shape{p, m, n_of(m), H_of(m)};
            if (less(Ball(1, 256), navon_gap(shape, 256)) == Verdict::proved) return p;
        }
    };
    const auto one = [](const Integer&) { return Integer(1); };
    const auto self = [](const Integer& m) { return m; };
    const auto square = [](const Integer& m) { return m * m - 1; };
    const auto half = [](const Integer& m) { return floor_div(m, 2) - 1; };
    EXPECT_EQ(first_edge(one, one), 13);
    EXPECT_EQ(first_edge(self, one), 15);
    EXPECT_EQ(first_edge(square, one), 16);
    EXPECT_EQ(first_edge(self, half), 18);
    EXPECT_EQ(first_edge(square, half), 19);
    const Integer m = edge(13);
    EXPECT_NEAR(navon_gap({13, m, 1, 1}, 128).middle(), 1.112, 5e-4);
    EXPECT_NEAR(navon_gap({13, m, square(m), half(m)}, 128).middle(), 0.175, 5e-4);
}

// E46: in log3 m < p < log2 m the comparison uses T2-LOWER and stops short of log2 m.
TEST(NavonCorollary59, SecondWindowStopsBeforeItsEnd) {
    const auto window = [](std::uint64_t exponent) {
        const Integer m = pow(Integer(3), exponent);
        std::pair<std::int64_t, std::int64_t> out{0, 0};
        for (auto p = static_cast<std::int64_t>(exponent) + 1;
             pow(Integer(2), static_cast<std::uint64_t>(p)) < m; ++p) {
            const Real lower = [&](int bits) { return t2_lower_log3({p, m, 1}, bits); };
            const Real upper = [&](int bits) { return navon_t55_log3({p, m, m, 1}, bits); };
            if (!certainly_less(upper, lower)) continue;
            if (out.first == 0) out.first = p;
            out.second = p;
        }
        return out;
    };
    EXPECT_EQ(window(10), (std::pair<std::int64_t, std::int64_t>{0, 0}));
    EXPECT_EQ(window(20), (std::pair<std::int64_t, std::int64_t>{22, 26}));
    EXPECT_EQ(window(40), (std::pair<std::int64_t, std::int64_t>{42, 59}));
    EXPECT_EQ(window(80), (std::pair<std::int64_t, std::int64_t>{82, 122}));
}

TEST(NavonWindow, RatioAndBase) {
    EXPECT_TRUE(navon_window(8, 256, 128).contains(Rational(1)));
    EXPECT_NEAR(navon_alpha(64).middle(), 1.5849625007, 1e-10);
    EXPECT_TRUE(navon_base(1, 128).contains(Rational(Integer(3), Integer(2))));
    // 3 / 2^alpha > 1 exactly while alpha < log2 3.
    EXPECT_EQ(less(Ball(1, 64), navon_base(Rational(Integer(158), Integer(100)), 64)), Verdict::proved);
    EXPECT_EQ(less(navon_base(Rational(Integer(159), Integer(100)), 64), Ball(1, 64)), Verdict::proved);
}

}  // namespace
}  // namespace plimsoll::theory

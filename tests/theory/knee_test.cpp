// The knee T: what a layer does to capacity around it, and how far from it the line beyond holds.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/capacity/fast_capacity.h"
#include "plimsoll/theory/papers/levine_bounds.h"

namespace plimsoll::theory {
namespace {

Integer gram_entries(std::int64_t d) { return RankVariety{d, d}.ambient(); }

// g(x) of docs/bounds/capacity-knee.md: kappa is (D / ln 3) g(C / 2D), up to a logarithm.
double entropy_growth(double x) { return (1 + x) * std::log1p(x) - x * std::log(x); }

TEST(Knee, KappaIsTheGrowthFunctionUpToALogarithm) {
    for (const std::int64_t d : {4, 16, 64, 768, 1024, 4096, 12288}) {
        const double D = gram_entries(d).to_double(), T = knee_depth({d, d}, 64).middle();
        for (std::int64_t L = 1; static_cast<double>(L) <= T + 12; ++L) {
            const double x = gram_count(L).to_double() / (2 * D);
            const double off = full_bound_log3(L, d, 64).middle() - D * entropy_growth(x) / std::log(3.0);
            EXPECT_LE(off, 0) << d << " " << L;
            EXPECT_GE(off, -1 - std::log(static_cast<double>(d)) / std::log(3.0)) << d << " " << L;
        }
    }
}

// What the page and the commands say of T: the layer that ends there multiplies kappa by g(1/e) / g(1/(3e)).
TEST(Knee, ALayerDoublesCapacityAtItAndDoesMoreBefore) {
    const double e = std::exp(1.0), at_knee = entropy_growth(1 / e) / entropy_growth(1 / (3 * e));
    EXPECT_NEAR(at_knee, 2.057, 0.001);
    for (const double d : {64.0, 768.0, 1024.0, 4096.0, 12288.0}) {
        for (const double share : {0.02, 0.1, 0.25, 0.5, 1.0, 2.0}) {
            const double N = std::max(16.0, 2 * std::round(share * d / 2)), T = fast::knee_depth(d, N);
            const auto factor = [&](double depth) {
                return fast::capacity_log3(depth, d, N) / fast::capacity_log3(depth - 1, d, N);
            };
            if (N >= 2 * d) {
                EXPECT_NEAR(factor(T), at_knee, 0.02) << d << " " << N;
            }
            EXPECT_GT(factor(T), 2) << d << " " << N;
            EXPECT_LT(factor(T), 2.3) << d << " " << N;
            for (double depth = T - 1; depth > 3; --depth) EXPECT_GT(factor(depth), 2.05) << d << " " << N;
            for (double depth = T + 1; depth < T + 9; ++depth) EXPECT_LT(factor(depth), 2) << d << " " << N;
        }
    }
}

// Mixers: g(1/e) / g(1/(2e)) = 1.56 at the knee, more before it, less after it.
TEST(Knee, AMixingLayerMultipliesCapacityByLessThanTwo) {
    const double e = std::exp(1.0), at_knee = entropy_growth(1 / e) / entropy_growth(1 / (2 * e));
    EXPECT_NEAR(at_knee, 1.557, 0.001);
    for (const std::int64_t side : {16, 64, 128}) {
        const double knee = mixer_knee(side, side, 64).middle();
        for (std::int64_t p = 4; static_cast<double>(p) < knee + 5; ++p) {
            const double factor =
                mixer_rows_log3(side, side, p, 64).middle() / mixer_rows_log3(side, side, p - 1, 64).middle();
            EXPECT_LT(factor, 2) << side << " " << p;
            EXPECT_EQ(factor > at_knee, static_cast<double>(p) < knee) << side << " " << p << " " << factor;
        }
    }
}

// At d = 1024 the factors at L = 8 to 13; at 13 the line D (L - T) has 346,277 of 574,700.
TEST(Knee, FactorsAtWidth1024) {
    const auto kappa = [](std::int64_t L) { return full_bound_log3(L, 1024, 64).middle(); };
    const std::array factors{2.58, 2.52, 2.42, 2.30, 2.13, 1.91};
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const auto L = static_cast<std::int64_t>(i) + 8;
        EXPECT_NEAR(kappa(L) / kappa(L - 1), factors.at(i), 0.006) << L;
    }
    const double D = gram_entries(1024).to_double(), T = knee_depth({1024, 1024}, 64).middle();
    EXPECT_NEAR(kappa(13), 574'700, 50);
    EXPECT_NEAR(D * (13 - T), 346'277, 50);
}

// kappa lies between D (L - T) and D (L - T) + 2 D^2 / (3^L ln 3), up to a logarithm.
TEST(Knee, TheLineBeyondItAndItsError) {
    for (const std::int64_t d : {16, 64, 768, 1024, 4096}) {
        const double T = knee_depth({d, d}, 64).middle(), D = gram_entries(d).to_double();
        const double slack = 1 + std::log(static_cast<double>(d)) / std::log(3.0);
        for (auto L = static_cast<std::int64_t>(T) + 1; static_cast<double>(L) < 2 * T + 4; ++L) {
            const double off = full_bound_log3(L, d, 64).middle() - D * (static_cast<double>(L) - T);
            EXPECT_GE(off, -slack) << d << " " << L;
            EXPECT_LE(off, 2 * D * D / (std::pow(3.0, static_cast<double>(L)) * std::log(3.0)) + slack)
                << d << " " << L;
        }
    }
}

}  // namespace
}  // namespace plimsoll::theory

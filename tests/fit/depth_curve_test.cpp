#include "plimsoll/fit/decide/depth_curve.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "plimsoll/fit/decide/curve_form.h"

namespace plimsoll::fit {
namespace {

constexpr CurveNoise quiet{1e-12, 20, 0};

std::vector<DepthMean> means_of(const std::vector<double>& depths,
                                const std::function<double(double)>& value) {
    std::vector<DepthMean> means;
    for (const double depth : depths) means.push_back({depth, value(depth)});
    return means;
}

const std::vector<double> eight{1, 2, 3, 4, 6, 9, 13, 18};

double two_terms(double depth) { return 1.5 + 0.06 / depth + 0.015 * std::log(depth); }

// The lowest place of 0.06 / L + 0.015 ln L is L = 4; it costs at most 0.008 more where the equation says.
TEST(DepthCurve, AnExactCurveIsFoundAgain) {
    const auto curve = *DepthCurve::make(means_of(eight, two_terms), quiet, 1.5);
    const Basin basin = curve.basin(0.008);
    EXPECT_NEAR(basin.best, 4, 0.13);  // a step of the grid
    EXPECT_NEAR(two_terms(basin.low) - two_terms(4), 0.008, 2e-4);
    EXPECT_NEAR(two_terms(basin.high) - two_terms(4), 0.008, 2e-4);
    EXPECT_FALSE(basin.open_below);
    EXPECT_FALSE(basin.open_above);
    for (std::size_t i = 0; i < eight.size(); ++i)
        EXPECT_NEAR(curve.expected(i), two_terms(eight[i]), 1e-5) << eight[i];
}

TEST(DepthCurve, ACommonLevelAndAUnitChangeNoDepth) {
    const auto noisy = [](double depth) { return two_terms(depth) + 0.004 * std::sin(7 * depth); };
    const CurveNoise noise{1e-5, 14, 0};
    const auto basin = DepthCurve::make(means_of(eight, noisy), noise, 1.5)->basin(0.015);
    const auto raised =
        DepthCurve::make(means_of(eight, [&](double depth) { return 7 + noisy(depth); }), noise, 1.5);
    EXPECT_NEAR(raised->basin(0.015).best_interval.low, basin.best_interval.low, 1e-6);
    EXPECT_NEAR(raised->basin(0.015).high, basin.high, 1e-6);
    const auto scaled = DepthCurve::make(means_of(eight, [&](double depth) { return 100 * noisy(depth); }),
                                         {1e-1, 14, 0}, 150);
    EXPECT_NEAR(scaled->basin(1.5).best_interval.high, basin.best_interval.high, 1e-6);
    EXPECT_NEAR(scaled->expected(3), 100 * DepthCurve::make(means_of(eight, noisy), noise, 1.5)->expected(3),
                1e-6);
}

// Between its mean and the curve; nearer to the mean, the less noise there is.
TEST(DepthCurve, WhatIsExpectedLiesBetweenTheMeanAndTheCurve) {
    auto means = means_of(eight, two_terms);
    means[4].value += 0.02;
    const auto expected = [&](double variance) {
        return DepthCurve::make(means, {variance, 14, 0}, 1.5)->expected(4) - two_terms(means[4].depth);
    };
    EXPECT_GT(expected(1e-9), 0.019);
    EXPECT_LT(expected(1e-4), 0.015);
    EXPECT_GT(expected(1e-4), 0);
    EXPECT_LT(expected(1e-3), expected(1e-4));
}

// Two layers cannot, three can: no curve of the form comes near, and the straight lines keep the step.
TEST(DepthCurve, AStepIsNoCurve) {
    const auto step = [](double depth) { return depth < 3 ? -0.3 : -0.95; };
    const auto curve = *DepthCurve::make(means_of(eight, step), {1e-5, 14, 0}, 1);
    EXPECT_GT(curve.deviation(), 0.05);
    const Basin joined = curve.joined().basin(0.01);
    EXPECT_GT(joined.low, 2.9);
    EXPECT_LE(joined.low, 3.01);
    EXPECT_TRUE(joined.open_above);
}

TEST(DepthCurve, AFallingCurveIsOpenAbove) {
    const auto falling = [](double depth) { return 1.5 + 0.2 / depth; };
    const Basin basin = DepthCurve::make(means_of(eight, falling), {1e-7, 14, 0}, 1.5)->basin(0.015);
    EXPECT_TRUE(basin.open_above);
    EXPECT_NEAR(basin.best, 18, 2);
    EXPECT_NEAR(basin.best_interval.high, 18, 1e-6);
}

TEST(DepthCurve, MoreNoiseMeansWiderIntervals) {
    const auto width = [](double variance) {
        const auto at =
            DepthCurve::make(means_of(eight, two_terms), {variance, 14, 0}, 1.5)->basin(0.015).low_interval;
        return std::log(at.high / at.low);
    };
    EXPECT_LT(width(1e-7), width(1e-6));
    EXPECT_LT(width(1e-6), width(1e-5));
}

TEST(DepthCurve, NeedsFourDepthsAndSomethingThatIsKnownOfTheNoise) {
    EXPECT_FALSE(DepthCurve::make(means_of({1, 2, 4}, two_terms), quiet, 1.5).has_value());
    EXPECT_FALSE(DepthCurve::make(means_of(eight, two_terms), {0, 0, 0}, 1.5).has_value());
    EXPECT_TRUE(DepthCurve::make(means_of(eight, two_terms), {0, 0, 1e-5}, 1.5).has_value());
    EXPECT_TRUE(DepthCurve::make(means_of({1, 2, 4, 8}, two_terms), quiet, 1.5).has_value());
}

// Nothing that was seen lies below what the best coefficients leave: steps off them cost, in every direction.
TEST(CurveForm, TheBestCoefficientsLeaveTheLeast) {
    const std::vector<double> values{2.1, 1.4, 1.2, 1.25, 1.3, 1.1, 1.5, 1.6},
        weights{1, 2, 1, 1, 0.5, 1, 1, 3};
    for (const auto& form : curve_forms) {
        const FormFit fit(form, eight, values, weights);
        const auto squares = [&](Coefficients coefficients) {
            double sum = 0;
            for (std::size_t i = 0; i < eight.size(); ++i)
                sum += weights[i] * std::pow(values[i] - curve_value(coefficients, form.basis(eight[i])), 2);
            return sum;
        };
        EXPECT_NEAR(squares(fit.best()), fit.squares(), 1e-12);
        for (std::size_t i = 0; i < curve_coefficients; ++i)
            for (const double step : {-1e-3, 1e-3}) {
                Coefficients off = fit.best();
                off[i] += step;
                EXPECT_GT(squares(off), fit.squares());
            }
    }
}

}  // namespace
}  // namespace plimsoll::fit

#include "plimsoll/report/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/report/statistics/fisher.h"
#include "plimsoll/report/statistics/optimum.h"
#include "plimsoll/report/statistics/student.h"
#include "tests/report/normal_draws.h"

namespace plimsoll::report {
namespace {

using Points = std::vector<std::pair<double, double>>;

// One, two and four degrees of freedom have closed forms; the others are printed in tables to ten figures.
TEST(ReportStudent, QuantilesAreThoseOfTheTables) {
    EXPECT_NEAR(student_quantile(0.95, 1), std::tan(std::numbers::pi * 0.475), 1e-12);
    EXPECT_NEAR(student_quantile(0.95, 2), 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)), 1e-13);
    const double root = std::sqrt(4 * 0.975 * 0.025);
    EXPECT_NEAR(student_quantile(0.95, 4), 2 * std::sqrt(std::cos(std::acos(root) / 3) / root - 1), 1e-13);
    EXPECT_NEAR(student_quantile(0.95, 3), 3.182446305, 5e-10);
    EXPECT_NEAR(student_quantile(0.95, 9), 2.262157163, 5e-10);
    EXPECT_NEAR(student_quantile(0.95, 30), 2.042272456, 5e-10);
    EXPECT_NEAR(student_quantile(0.99, 5), 4.032142984, 5e-10);
    EXPECT_NEAR(student_quantile(0.95, 1000), 1.962339081, 5e-10);
    EXPECT_NEAR(normal_quantile(0.95), 1.959963984540054, 1e-14);
}

// A second way to the same number: the density, integrated by Simpson's rule.
double within_by_integration(double t, std::size_t freedom) {
    const double nu = static_cast<double>(freedom);
    const double scale =
        std::exp(std::lgamma((nu + 1) / 2) - std::lgamma(nu / 2)) / std::sqrt(nu * std::numbers::pi);
    const auto density = [&](double x) { return scale * std::pow(1 + x * x / nu, -(nu + 1) / 2); };
    constexpr int steps = 20'000;
    const double h = t / steps;
    double sum = density(0) + density(t);
    for (int i = 1; i < steps; ++i) sum += density(i * h) * (i % 2 == 1 ? 4 : 2);
    return 2 * sum * h / 3;
}

TEST(ReportStudent, ProbabilitiesAreTheIntegralsOfTheDensity) {
    for (const std::size_t freedom : {1, 2, 3, 4, 7, 20, 61, 200})
        for (const double t : {0.1, 1.0, 2.5, 8.0})
            EXPECT_NEAR(student_within(t, freedom), within_by_integration(t, freedom), 1e-11)
                << freedom << " " << t;
}

TEST(ReportStudent, TheExpansionTakesOverSmoothly) {
    const double sum = student_quantile(0.95, 100'000), expansion = student_quantile(0.95, 100'001);
    EXPECT_NEAR(sum, expansion, 1e-9);
    EXPECT_GT(sum, expansion);
    EXPECT_NEAR(student_quantile(0.95, 1'000'000'000), normal_quantile(0.95), 1e-8);
}

TEST(ReportSummary, SmallCasesByHand) {
    const Summary one = summary({3.5});
    EXPECT_EQ(one.mean, 3.5);
    EXPECT_FALSE(one.deviation || one.interval || one.half_width());
    const Summary two = summary({1, 3});  // deviation sqrt(2), standard error 1, t = 12.706
    EXPECT_EQ(two.mean, 2);
    EXPECT_DOUBLE_EQ(*two.deviation, std::numbers::sqrt2);
    EXPECT_NEAR(two.interval->low, 2 - 12.706204736174, 1e-11);
    EXPECT_NEAR(*two.half_width(), 12.706204736174, 1e-11);
    const Summary equal = summary({0.1, 0.1, 0.1});
    EXPECT_EQ(equal.mean, 0.1);
    EXPECT_EQ(*equal.interval, (Interval{0.1, 0.1}));
    EXPECT_EQ(summary({-1e308, 1e308}).mean, 0);
}

TEST(ReportSummary, OrderDoesNotMatterToTheBit) {
    RandomStream random(3, "order");
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) values.push_back(normal_draw(random) * std::exp(5 * normal_draw(random)));
    const Summary before = summary(values);
    for (int i = 0; i < 20; ++i) {
        std::rotate(values.begin(), values.begin() + 7, values.end());
        std::swap(values[random.below(50)], values[random.below(50)]);
        const Summary after = summary(values);
        EXPECT_EQ(after.mean, before.mean);
        EXPECT_EQ(*after.interval, *before.interval);
    }
}

TEST(ReportSummary, AffineMapsCarryIntervals) {
    RandomStream random(4, "affine");
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<double> values, mapped;
        for (int i = 0; i < 6; ++i) values.push_back(normal_draw(random));
        const double factor = normal_draw(random), shift = 10 * normal_draw(random);
        for (const double value : values) mapped.push_back(factor * value + shift);
        const Summary a = summary(values), b = summary(mapped);
        EXPECT_NEAR(b.mean, factor * a.mean + shift, 1e-12 * (1 + std::abs(shift)));
        EXPECT_NEAR(*b.half_width(), std::abs(factor) * *a.half_width(), 1e-11);
    }
}

TEST(ReportQuantile, LiesStraightBetweenNeighbours) {
    EXPECT_EQ(quantile({1, 2, 4}, 0), 1);
    EXPECT_EQ(quantile({1, 2, 4}, 1), 4);
    EXPECT_EQ(quantile({1, 2, 4}, 0.75), 3);
    EXPECT_EQ(quantile({7}, 0.3), 7);
}

TEST(ReportFit, RecoversExactPolynomials) {
    Points points;
    for (const double x : {100.0, 101.0, 103.0, 110.0, 130.0})
        points.emplace_back(x, 3 - 2 * x + 0.5 * x * x);
    const auto fit = PolynomialFit::make(points, 2);
    ASSERT_TRUE(fit);
    const auto c = fit->coefficients();
    EXPECT_NEAR(c[0], 3, 1e-6);
    EXPECT_NEAR(c[1], -2, 1e-8);
    EXPECT_NEAR(c[2], 0.5, 1e-10);
    EXPECT_NEAR(fit->at(120), 3 - 240 + 7200, 1e-9);
    EXPECT_NEAR(fit->band(120)->high - fit->band(120)->low, 0, 1e-8);
    EXPECT_EQ(fit->freedom(), 2u);
}

// The textbook formulas of a straight line, another way to the same band.
TEST(ReportFit, BandOfALineIsTheTextbooks) {
    const Points points{{1, 2.1}, {2, 2.9}, {3, 4.2}, {4, 4.8}, {6, 7.1}};
    const auto fit = PolynomialFit::make(points, 1);
    double mx = 0, my = 0, sxx = 0, sxy = 0, rss = 0;
    for (const auto& [x, y] : points) mx += x / 5, my += y / 5;
    for (const auto& [x, y] : points) sxx += (x - mx) * (x - mx), sxy += (x - mx) * (y - my);
    const double slope = sxy / sxx;
    for (const auto& [x, y] : points) rss += std::pow(y - my - slope * (x - mx), 2);
    const double s = std::sqrt(rss / 3), t = student_quantile(0.95, 3);
    for (const double x : {0.0, 3.2, 9.0}) {
        const double half = t * s * std::sqrt(0.2 + (x - mx) * (x - mx) / sxx);
        EXPECT_NEAR(fit->at(x), my + slope * (x - mx), 1e-12);
        EXPECT_NEAR(fit->band(x)->low, my + slope * (x - mx) - half, 1e-12);
        EXPECT_NEAR(fit->band(x)->high, my + slope * (x - mx) + half, 1e-12);
    }
    EXPECT_NEAR(fit->leading_interval()->low, slope - t * s / std::sqrt(sxx), 1e-12);
}

TEST(ReportFit, TooFewPlacesOrNoFreedom) {
    EXPECT_FALSE(PolynomialFit::make({{1, 2}, {1, 3}}, 1));
    EXPECT_FALSE(PolynomialFit::make({}, 1));
    const auto through = PolynomialFit::make({{1, 2}, {3, 3}}, 1);
    ASSERT_TRUE(through);
    EXPECT_FALSE(through->band(2) || through->leading_interval());
    EXPECT_DOUBLE_EQ(through->at(2), 2.5);
}

TEST(ReportFit, OrderDoesNotMatterToTheBit) {
    Points points{{1, 2.1}, {2, 2.9}, {3, 4.2}, {4, 4.8}, {6, 7.1}, {2, 3.3}};
    const auto before = PolynomialFit::make(points, 2)->coefficients();
    std::ranges::reverse(points);
    EXPECT_EQ(PolynomialFit::make(points, 2)->coefficients(), before);
}

SeedCurves parabolas(double top, const std::vector<double>& grid, const std::vector<double>& shifts) {
    SeedCurves curves;
    for (std::size_t seed = 0; seed < shifts.size(); ++seed)
        for (const double x : grid)
            curves[std::to_string(seed)][x] = 5 + (x - top) * (x - top) + shifts[seed];
    return curves;
}

TEST(ReportOptimum, ExactParabolasHaveAnExactTop) {
    const auto best = best_point(parabolas(1.3, {0, 1, 2, 4}, {0, 0.5, -0.5}), true, Scale::linear);
    EXPECT_NEAR(best.x, 1.3, 1e-12);
    EXPECT_NEAR(best.y, 5, 1e-12);
    // What all points of a seed share moves no curve: the interval is a point.
    EXPECT_NEAR(best.interval->low, 1.3, 1e-9);
    EXPECT_NEAR(best.interval->high, 1.3, 1e-9);
    EXPECT_FALSE(best.open_below || best.open_above);
}

TEST(ReportOptimum, LogarithmicScaleIsAMapOfX) {
    SeedCurves linear, logarithmic;
    RandomStream random(5, "scale");
    for (const char* seed : {"1", "2", "3"})
        for (const double x : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
            const double y = (x - 0.3) * (x - 0.3) + 0.1 * normal_draw(random);
            linear[seed][x] = y;
            logarithmic[seed][std::exp(x)] = y;
        }
    const auto a = best_point(linear, true, Scale::linear), b = best_point(logarithmic, true, Scale::log);
    EXPECT_NEAR(std::exp(a.x), b.x, 1e-9);
    EXPECT_NEAR(std::exp(a.interval->low), b.interval->low, 1e-9);
    EXPECT_NEAR(std::exp(a.interval->high), b.interval->high, 1e-9);
}

TEST(ReportOptimum, HighestIsLowestOfTheNegative) {
    SeedCurves up, down;
    RandomStream random(6, "sign");
    for (const char* seed : {"1", "2", "3", "4"})
        for (const double x : {1.0, 2.0, 3.0, 4.0, 5.0}) {
            down[seed][x] = std::abs(x - 3.2) + 0.2 * normal_draw(random);
            up[seed][x] = 7 - 2 * down[seed][x];
        }
    const auto a = best_point(down, true, Scale::linear), b = best_point(up, false, Scale::linear);
    EXPECT_NEAR(a.x, b.x, 1e-9);
    EXPECT_NEAR(b.y, 7 - 2 * a.y, 1e-9);
    EXPECT_NEAR(a.interval->low, b.interval->low, 1e-9);
    EXPECT_NEAR(a.interval->high, b.interval->high, 1e-9);
}

TEST(ReportOptimum, EndsAndFewSeedsAreSaid) {
    const auto falling = best_point(parabolas(9, {0, 1, 2}, {0, 0.1, 0.2}), true, Scale::linear);
    EXPECT_EQ(falling.x, 2);
    EXPECT_TRUE(falling.open_above);
    EXPECT_FALSE(falling.open_below);
    const auto alone = best_point(parabolas(1, {0, 1, 2}, {0, 0.1}), true, Scale::linear);
    EXPECT_FALSE(alone.interval);  // two seeds are too few
    EXPECT_EQ(alone.seeds, 2u);
    const auto point = best_point({{"1", {{2, 3}}}, {"2", {{2, 4}}}}, true, Scale::linear);
    EXPECT_TRUE(point.open_above && point.open_below);
}

TEST(ReportOptimum, SeedsNeedNotHaveEveryPlace) {
    auto curves = parabolas(1.3, {0, 1, 2, 4}, {0, 0.01, -0.01});
    curves["0"].erase(4);
    curves["1"].erase(0);
    const auto best = best_point(curves, true, Scale::linear);
    EXPECT_NEAR(best.x, 1.3, 0.05);
    EXPECT_TRUE(best.interval);
}

TEST(Fisher, IsWhatHasAClosedForm) {
    for (const std::size_t below : {1, 2, 3, 8, 21, 60}) {
        for (const double ratio : {0.1, 1.0, 3.5, 20.0}) {
            const double two =
                std::pow(1 + 2 * ratio / static_cast<double>(below), -0.5 * static_cast<double>(below));
            EXPECT_NEAR(fisher_above(ratio, 2, below), two, 1e-8);
            EXPECT_NEAR(fisher_above(ratio, 1, below), 1 - student_within(std::sqrt(ratio), below), 1e-8);
            // The inverse ratio is Fisher's with the degrees exchanged.
            EXPECT_NEAR(fisher_above(1 / ratio, below, 5), 1 - fisher_above(ratio, 5, below), 1e-8);
        }
    }
    EXPECT_NEAR(fisher_above(3.0069, 4, 16), 0.05, 1e-5);  // printed in tables
    EXPECT_NEAR(fisher_above(4.7726, 4, 16), 0.01, 1e-5);
}

}  // namespace
}  // namespace plimsoll::report

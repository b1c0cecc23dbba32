// How often intervals hold the truth, on data whose truth is known. With N trials the share of hits of a 95 %
// interval has the deviation sqrt(0.95 * 0.05 / N); four of them are allowed, which a right interval passes
// but once in 16 000 streams, and the streams are fixed.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "plimsoll/report/statistics/optimum.h"
#include "plimsoll/report/statistics/statistics.h"
#include "tests/report/normal_draws.h"

namespace plimsoll::report {
namespace {

double share_of_hits(int trials, const std::function<bool()>& hit) {
    int hits = 0;
    for (int i = 0; i < trials; ++i) hits += hit() ? 1 : 0;
    return static_cast<double>(hits) / trials;
}
double allowed(int trials) { return 4 * std::sqrt(0.95 * 0.05 / trials); }
bool holds(const Interval& interval, double truth) { return interval.low <= truth && truth <= interval.high; }

TEST(ReportCoverage, StudentsIntervalHoldsTheMean) {
    constexpr int trials = 20'000;
    RandomStream random(1, "coverage/mean");
    for (const int n : {2, 3, 5, 10}) {
        const double share = share_of_hits(trials, [&] {
            std::vector<double> values;
            for (int i = 0; i < n; ++i) values.push_back(7 + 3 * normal_draw(random));
            return holds(*summary(values).interval, 7);
        });
        EXPECT_NEAR(share, 0.95, allowed(trials)) << n;
    }
}

// A paired contrast is the mean of differences: what a pair shares does not widen it.
TEST(ReportCoverage, PairedDifferencesHoldTheDifference) {
    constexpr int trials = 20'000;
    RandomStream random(2, "coverage/pairs");
    double shared_half = 0;
    const double share = share_of_hits(trials, [&] {
        std::vector<double> differences;
        for (int i = 0; i < 5; ++i) {
            const double seed = 100 * normal_draw(random);
            const double a = seed + normal_draw(random), b = seed + 0.5 + normal_draw(random);
            differences.push_back(a - b);
        }
        const Summary found = summary(differences);
        shared_half += *found.half_width() / trials;
        return holds(*found.interval, -0.5);
    });
    EXPECT_NEAR(share, 0.95, allowed(trials));
    EXPECT_LT(shared_half, 3);
}

TEST(ReportCoverage, BandsOfFitsHoldTheCurve) {
    constexpr int trials = 10'000;
    RandomStream random(3, "coverage/fit");
    for (const std::size_t degree : {1u, 2u}) {
        const auto truth = [&](double x) { return 2 - 0.7 * x + (degree == 2 ? 0.3 * x * x : 0); };
        for (const double place : {0.0, 2.2, 5.0}) {
            const double share = share_of_hits(trials, [&] {
                std::vector<std::pair<double, double>> points;
                for (const double x : {0.0, 1.0, 2.0, 3.0, 4.0, 4.0})
                    points.emplace_back(x, truth(x) + 0.4 * normal_draw(random));
                return holds(*PolynomialFit::make(points, degree)->band(place), truth(place));
            });
            EXPECT_NEAR(share, 0.95, allowed(trials)) << degree << " " << place;
        }
    }
}

TEST(ReportCoverage, SlopesHoldTheExponent) {
    constexpr int trials = 10'000;
    RandomStream random(4, "coverage/power");
    const double share = share_of_hits(trials, [&] {
        std::vector<std::pair<double, double>> logs;
        for (const double x : {1.0, 2.0, 4.0, 8.0, 16.0})
            logs.emplace_back(std::log(x), std::log(3.0) - 0.5 * std::log(x) + 0.1 * normal_draw(random));
        return holds(*PolynomialFit::make(logs, 1)->leading_interval(), -0.5);
    });
    EXPECT_NEAR(share, 0.95, allowed(trials));
}

// The bootstrap is no exact interval: its share of hits is measured here and stands in docs/REPORTS.md (0.95,
// 0.94 and 0.95 for 3, 5 and 10 seeds; with two seeds it was 0.87, so that there is none). Four deviations of
// the count below 0.95 are allowed, and 0.98 above: an interval that is always right says little.
TEST(ReportCoverage, BootstrapHoldsTheOptimum) {
    constexpr int trials = 1000;
    RandomStream random(5, "coverage/optimum");
    for (const int seeds : {3, 5, 10}) {
        const double share = share_of_hits(trials, [&] {
            SeedCurves curves;
            for (int seed = 0; seed < seeds; ++seed)
                for (const double x : {-2.0, -1.0, 0.0, 1.0, 2.0})
                    curves[std::to_string(seed)][x] = (x - 0.3) * (x - 0.3) + 0.3 * normal_draw(random);
            return holds(*best_point(curves, true, Scale::linear).interval, 0.3);
        });
        EXPECT_GE(share, 0.95 - allowed(trials)) << seeds;
        EXPECT_LE(share, 0.98) << seeds;
    }
}

}  // namespace
}  // namespace plimsoll::report

#include "plimsoll/fit/law/law.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/fit/law/ladder.h"
#include "tests/fit/looks.h"

namespace plimsoll::fit {
namespace {

using ::testing::HasSubstr;

constexpr double rows = 500;

// Parameters of so many layers of a width.
double parameters_of(double depth, double width) { return 12 * depth * width * width + rows * width; }

// Sizes whose best depths lie on depth = level + slope ln width, known to a factor.
std::vector<SizePoint> on_line(double level, double slope, double factor, std::size_t count = 3) {
    std::vector<SizePoint> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double width = 32 * std::pow(2, static_cast<double>(i));
        const double depth = level + slope * std::log(width);
        points.push_back({parameters_of(depth, width), depth, depth / factor, depth * factor, true, ""});
    }
    return points;
}

TEST(DepthLaw, TheWidthOfADepthCostsTheParameters) {
    for (const double depth : {1.0, 3.7, 24.0})
        EXPECT_NEAR(parameters_of(depth, width_at(1e6, depth, rows)), 1e6, 1e-3);
}

TEST(DepthLaw, ALineThroughThreeSizesIsFoundAndFollowed) {
    const auto law = DepthLaw::fit(on_line(-4, 2.5, 1.1), rows);
    ASSERT_TRUE(law.ok()) << law.error().text();
    EXPECT_NEAR(law->line().level, -4, 1e-9);
    EXPECT_NEAR(law->line().slope, 2.5, 1e-9);
    const double depth = -4 + 2.5 * std::log(1024.0);
    const TargetShape shape = law->at(parameters_of(depth, 1024));
    EXPECT_NEAR(shape.depth.middle, depth, 1e-6);
    EXPECT_NEAR(shape.width.middle, 1024, 1e-3);
    EXPECT_LT(shape.depth.low, depth);
    EXPECT_GT(shape.depth.high, depth);
}

// The same depth at every size is a law too: it stays.
TEST(DepthLaw, ADepthThatDoesNotGrowStays) {
    const auto law = DepthLaw::fit(on_line(4, 0, 1.1), rows);
    EXPECT_NEAR(law->at(3e8).depth.middle, 4, 1e-9);
}

TEST(DepthLaw, WhoKnowsLessAndWhoLooksFurtherHasAWiderBand) {
    const auto sure = DepthLaw::fit(on_line(-4, 2.5, 1.1), rows).value();
    const auto unsure = DepthLaw::fit(on_line(-4, 2.5, 2), rows).value();
    const auto factor = [](const TargetShape& shape) { return shape.depth.high / shape.depth.low; };
    EXPECT_LT(factor(sure.at(3e6)), factor(unsure.at(3e6)));
    EXPECT_LT(factor(sure.at(3e6)), factor(sure.at(3e9)));
    EXPECT_TRUE(sure.at(3e6).told());
    EXPECT_FALSE(unsure.at(3e9).told());
}

// Depths drawn around a known line: the 95 % band of a target holds it about as often as it says.
TEST(DepthLaw, TheBandHoldsTheTruth) {
    RandomStream random(1, "law_test");
    constexpr int trials = 200;
    const double target = -4 + 2.5 * std::log(512.0), factor = std::exp(1.96 * 0.1);
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
        auto points = on_line(-4, 2.5, factor, 4);
        for (auto& point : points) {
            double sum = -6;  // nearly normal
            for (int i = 0; i < 12; ++i) sum += random.uniform();
            const double off = std::exp(0.1 * sum);
            point.depth *= off;
            point.low *= off;
            point.high *= off;
        }
        const auto shape = DepthLaw::fit(points, rows)->at(parameters_of(target, 512));
        held += shape.depth.low <= target && target <= shape.depth.high;
    }
    EXPECT_GE(held, 180);  // of 190 that are promised; three deviations are 9
}

TEST(DepthLaw, TwoSizesAreNoLaw) {
    auto points = on_line(-4, 2.5, 1.1);
    points[1].known = false;
    const auto law = DepthLaw::fit(points, rows);
    ASSERT_FALSE(law.ok());
    EXPECT_THAT(law.error().text(), HasSubstr("known at 2 of 3 sizes, and a law needs 3"));
}

TEST(DepthLaw, TheRulesCostTheTargetToo) {
    const auto shapes = rule_shapes(3e8, rows);
    ASSERT_EQ(shapes.size(), 3U);
    for (const auto& shape : shapes)
        EXPECT_NEAR(parameters_of(shape.depth, shape.width), 3e8, 1) << shape.rule;
    EXPECT_NEAR(shapes[1].width / shapes[1].depth, 64, 1) << shapes[1].rule;
}

TEST(Ladder, ItsSizesAreAFactorApartAndItsTimesAreTheWhole) {
    FitRequest request;
    request.parameters = 200'000;
    request.seconds = 1000;
    const auto rungs = ladder(request, text_look());
    ASSERT_TRUE(rungs.ok()) << rungs.error().text();
    ASSERT_EQ(rungs->size(), 3U);
    double seconds = 0;
    for (const auto& rung : *rungs) seconds += *rung.seconds;
    EXPECT_NEAR(seconds, 1000, 1e-9);
    EXPECT_NEAR(static_cast<double>((*rungs)[2].parameters) / static_cast<double>((*rungs)[0].parameters),
                12.25, 0.01);
    request.parameters = 50'000;
    const auto refused = ladder(request, text_look());
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().text(),
                HasSubstr("would end at 4.08 K; give more --time, or --params 85.8 K or more"));
}

TEST(Ladder, WhatIsNotKnownSaysWhy) {
    LadderOutcome outcome;
    outcome.why_no_law = "the best depth is known at 2 of 3 sizes, and a law needs 3";
    EXPECT_THAT(law_sentences(outcome).front(), HasSubstr("No law: the best depth is known at 2 of 3 sizes"));
    const SizePoint point = point_of(FitOutcome{}, "bytes");
    EXPECT_FALSE(point.known);
    EXPECT_EQ(point.why, "no run had ended");
}

}  // namespace
}  // namespace plimsoll::fit

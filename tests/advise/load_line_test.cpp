#include "plimsoll/advise/load_line.h"

#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/advise/evidence_fit.h"
#include "plimsoll/advise/regret.h"

namespace plimsoll::advise {
namespace {

void expect_same(const LineConstants& a, const LineConstants& b, const std::string& what) {
    // 1e-4: the constants in the source have six digits, and the fit ends when a step gains 1e-14.
    EXPECT_NEAR(a.depth_percent / b.depth_percent, 1, 1e-4) << what;
    EXPECT_NEAR(a.depth_power / b.depth_power, 1, 1e-4) << what;
    EXPECT_NEAR(a.width_percent / b.width_percent, 1, 1e-4) << what;
    EXPECT_NEAR(a.width_power / b.width_power, 1, 1e-4) << what;
}

TEST(LoadLine, FittingTheFileAgainGivesTheConstants) {
    const LineFit fit = fit_all_studies();
    expect_same(fit.all, line_constants(), "all studies");
    ASSERT_EQ(fit.without.size(), constants_without_one_study().size());
    for (std::size_t i = 0; i < fit.without.size(); ++i)
        expect_same(fit.without[i], constants_without_one_study()[i], "without " + fit.studies[i]);
}

// The closed form of the best depth against a search.
TEST(LoadLine, TheBestDepthCostsLeast) {
    for (const double size : {1e5, 1e6, 3e7, 1e9, 1e11}) {
        const double best = best_depth(size);
        for (const double other : {0.7, 0.99, 1.01, 1.5}) {
            const double depth = best * other, width = std::sqrt(size / standard_size(depth, 1));
            EXPECT_GT(depth_cost(depth, width).percent, 0) << size << " " << other;
        }
        const double width = std::sqrt(size / standard_size(best, 1));
        EXPECT_NEAR(depth_cost(best, width).percent, 0, 1e-12);
        EXPECT_NEAR(line_depth(width), best, 1e-9 * best);
    }
}

TEST(LoadLine, TheEndsOfTheValleyCostOnePercent) {
    for (const double size : {2e6, 1e8, 1e9, 1e11}) {
        const Valley valley = valley_at(size);
        for (const double depth : {valley.low, valley.high})
            EXPECT_NEAR(depth_cost(depth, std::sqrt(size / standard_size(depth, 1))).percent, valley_percent,
                        1e-9);
        EXPECT_LE(valley.surely_low, valley.low);
        EXPECT_GE(valley.surely_high, valley.high);
    }
}

// The same number of layers costs more where it is further from the line, and errors grow beyond the
// evidence.
TEST(LoadLine, BeyondTheEvidenceTheBandWidens) {
    const auto widening = [](double size) {
        const Valley valley = valley_at(size);
        return std::log(valley.low / valley.surely_low);
    };
    EXPECT_GT(widening(1e11), widening(1e9));
    EXPECT_TRUE(judge_depth(12, 768).measured);
    EXPECT_FALSE(judge_depth(96, 12288).measured);
}

TEST(LoadLine, FamousShapesAreInsideTheValley) {
    struct Shape {
        std::int64_t depth, width;
    };
    for (const auto& [depth, width] : {Shape{12, 768}, Shape{48, 1600}, Shape{96, 12288}, Shape{32, 4096},
                                       Shape{80, 8192}, Shape{24, 1024}, Shape{30, 576}, Shape{126, 16384}})
        EXPECT_EQ(judge_depth(depth, width).place, ValleySide::inside) << depth << " x " << width;
    EXPECT_EQ(judge_depth(1, 2048).place, ValleySide::too_shallow);
    EXPECT_EQ(judge_depth(200, 256).place, ValleySide::too_deep);
}

// The bar of issue 21: at most 1 % in the mean, and not above the best rival by more than the error between
// studies.
TEST(LoadLine, RegretLeftOutIsBelowTheBar) {
    const RuleRegret ours = regret_left_out(fit_all_studies());
    EXPECT_LE(ours.mean, 1);
    for (const auto& rule : rival_depth_rules()) {
        const RuleRegret rival = regret_of(rule);
        EXPECT_LE(ours.mean, rival.mean + ours.error) << rule.name;
    }
}

TEST(LoadLine, ARuleThatLeavesASweepIsMarked) {
    const RuleRegret deep = regret_of({"1000 layers", [](double) { return 1000.0; }});
    EXPECT_EQ(deep.clamped, deep.groups.size());
    EXPECT_GT(deep.mean, 1);
}

TEST(GroupCurve, KaplansValleysAreThoseOfTheFigure) {
    for (const auto& group : evidence_groups()) {
        if (group.name != "Kaplan 50M") continue;
        const GroupCurve curve = curve_of_group(group);
        EXPECT_GT(curve.best, 8);
        EXPECT_LT(curve.best, 20);
        EXPECT_FALSE(curve.low_at_edge || curve.high_at_edge);
        return;
    }
    FAIL() << "no group Kaplan 50M";
}

}  // namespace
}  // namespace plimsoll::advise

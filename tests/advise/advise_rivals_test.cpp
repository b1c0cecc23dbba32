#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/advise/rivals.h"

namespace plimsoll::advise {
namespace {

AdviceRequest budget_of(std::int64_t parameters, std::int64_t vocab = 32000) {
    AdviceRequest request;
    request.parameters = parameters;
    request.vocab = vocab;
    request.context = 1024;
    return request;
}

const RivalShape* find(const std::vector<RivalShape>& shapes, const std::string& label) {
    for (const auto& shape : shapes) {
        if (shape.label == label) return &shape;
    }
    return nullptr;
}

std::vector<RivalShape> rivals(const AdviceRequest& request, std::vector<std::string>& notes) {
    return rival_shapes(CostModel(request, Block::gpt2, TableRank::full), notes);
}

std::vector<RivalShape> rivals(const AdviceRequest& request) {
    std::vector<std::string> notes;
    return rivals(request, notes);
}

TEST(Rivals, KaplansPointsComeBack) {
    EXPECT_NEAR(*kaplan_loss_percent(50e6, 32), 0.4, 1e-12);
    EXPECT_NEAR(*kaplan_loss_percent(50e6, 700), 4.6, 1e-12);
    EXPECT_NEAR(*kaplan_loss_percent(274e6, 25), 0, 1e-12);
    EXPECT_NEAR(*kaplan_loss_percent(1.5e9, 250), 0.6, 1e-12);
}

TEST(Rivals, KaplansBestAspectsHaveTheLeastLoss) {
    const auto best = kaplan_best_aspects();
    ASSERT_EQ(best.size(), 3U);
    for (const auto& [parameters, aspect] : best)
        for (const double other : {aspect / 1.5, aspect * 1.5})
            EXPECT_LT(*kaplan_loss_percent(parameters, aspect), *kaplan_loss_percent(parameters, other));
}

TEST(Rivals, KaplanLiesBetweenItsNeighbours) {
    const double middle = *kaplan_loss_percent(std::sqrt(50e6 * 274e6), 25);
    EXPECT_NEAR(middle, (*kaplan_loss_percent(50e6, 25) + *kaplan_loss_percent(274e6, 25)) / 2, 1e-9);
    EXPECT_NEAR(*kaplan_loss_percent(50e6, std::sqrt(250.0 * 350)), (0.6 + 2.1) / 2, 1e-9);
}

TEST(Rivals, KaplanIsSilentWhereNothingWasMeasured) {
    EXPECT_FALSE(kaplan_loss_percent(50e6, 3).has_value());
    EXPECT_FALSE(kaplan_loss_percent(50e6, 800).has_value());
    EXPECT_FALSE(kaplan_loss_percent(1e6, 50).has_value());
    EXPECT_FALSE(kaplan_loss_percent(1e11, 50).has_value());
    EXPECT_FALSE(kaplan_loss_percent(100e6, 1000).has_value());  // the 50 M curve ends at 700
}

// ECOSYSTEM 2b: inverting the fit at 1 T gives 94.7 x 29,657; V = 2 is as good as no embedding.
TEST(Rivals, TheFittedLawAtOneTrillion) {
    const auto point = fitted_law_point(budget_of(1'000'000'000'000, 2));
    EXPECT_NEAR(point.depth, 94.7, 0.05);
    EXPECT_NEAR(point.width, 29657, 30);
}

// DESIGN-UI: 100 M with 32000 tokens meets the line at 22.8 x 548.
TEST(Rivals, TheFittedLawAtOneHundredMillion) {
    const auto point = fitted_law_point(budget_of(100'000'000));
    EXPECT_NEAR(point.depth, 22.8, 0.05);
    EXPECT_NEAR(point.width, 548, 1);
}

TEST(Rivals, Table1IsPrintedAtItsSizesAndARuleBetween) {
    EXPECT_EQ(find(rivals(budget_of(100'000'000)), "Levine table 1")->layout.depth, 6);
    EXPECT_EQ(find(rivals(budget_of(10'000'000'000)), "Levine table 1")->layout.depth, 8);
    const auto between = rivals(budget_of(300'000'000));
    EXPECT_EQ(find(between, "Levine table 1"), nullptr);
    EXPECT_EQ(find(between, "Levine table 1 rule")->layout.depth, 6);
}

// d20 has width 1280 and ten heads of 128: the largest depth whose network fits.
TEST(Rivals, NanochatIs64TimesDepthInHeadsOf128) {
    const auto shapes = rivals(budget_of(450'000'000));
    const Layout& layout = find(shapes, "nanochat")->layout;
    EXPECT_EQ(layout.depth, 20);
    EXPECT_EQ(layout.width, 1280);
    EXPECT_EQ(layout.heads, 10);
    EXPECT_EQ(layout.head_dim, 128);
}

TEST(Rivals, MobileLlmIsDeepAndThinAndSilentAbove1B) {
    const auto shapes = rivals(budget_of(125'000'000));
    const Layout& layout = find(shapes, "MobileLLM's aspect")->layout;
    EXPECT_NEAR(static_cast<double>(layout.width) / static_cast<double>(layout.depth), 19.2, 2.5);
    std::vector<std::string> notes;
    EXPECT_EQ(find(rivals(budget_of(2'000'000'000), notes), "MobileLLM's aspect"), nullptr);
    EXPECT_EQ(notes.back(), "MobileLLM speaks of networks below 1 B.");
}

TEST(Rivals, KaplansBestAspectIsThatOfTheNearestCurve) {
    const auto shapes = rivals(budget_of(300'000'000));
    const Layout& layout = find(shapes, "Kaplan's best aspect")->layout;
    EXPECT_NEAR(static_cast<double>(layout.width) / static_cast<double>(layout.depth), 25, 3);
    std::vector<std::string> notes;
    EXPECT_EQ(find(rivals(budget_of(100'000'000'000), notes), "Kaplan's best aspect"), nullptr);
    EXPECT_NE(std::find(notes.begin(), notes.end(),
                        "Kaplan et al. measured aspect ratios at 50 M, 274 M and 1.5 B only."),
              notes.end());
}

TEST(Rivals, NoRivalSpendsMoreThanTheBudget) {
    for (const double budget : {5e6, 5e7, 7e8, 9e10}) {
        const CostModel costs(budget_of(std::llround(budget)), Block::gpt2, TableRank::full);
        std::vector<std::string> notes;
        for (const auto& rival : rival_shapes(costs, notes))
            EXPECT_LE(static_cast<double>(costs.parameters(rival.layout)), budget) << rival.label;
    }
}

TEST(Rivals, MixersHaveNavonsWindow) {
    AdviceRequest request;
    request.parameters = 10'000'000;
    request.family = AdviceFamily::mixer;
    request.context = 64;
    const auto shapes = rivals(request);
    ASSERT_EQ(shapes.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const Layout& layout = shapes[i].layout;
        EXPECT_NEAR(static_cast<double>(layout.depth) / std::log2(static_cast<double>(layout.width)),
                    static_cast<double>(i + 1), 0.15);
    }
}

}  // namespace
}  // namespace plimsoll::advise

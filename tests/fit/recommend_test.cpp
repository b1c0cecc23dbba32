#include "plimsoll/fit/decide/recommend.h"

#include <gmock/gmock.h>

#include "plimsoll/fit/decide/valley.h"
#include "tests/fit/drawn_valleys.h"

namespace plimsoll::fit {
namespace {

const std::vector<double> seven{1, 2, 3, 4, 6, 9, 13};

// These means exactly, with noise of three seeds around them.
RungTable table_of(const std::vector<double>& means, double deviation = 0.004) {
    RandomStream stream(5, "recommend");
    RungTable table;
    table.seeds = {1, 2, 3};
    for (std::size_t i = 0; i < means.size(); ++i) {
        table.candidates.push_back("c" + std::to_string(10 + i));
        const double a = deviation * normal(stream), b = deviation * normal(stream);
        table.values.push_back({means[i] + a, means[i] + b, means[i] - a - b});
        table.half_widths.push_back(0);
    }
    return table;
}

std::vector<double> smooth_means(const std::vector<double>& depths) {
    std::vector<double> means;
    for (const double depth : depths) means.push_back(1.4 + 0.08 / depth + 0.02 * std::log(depth));
    return means;
}

Choice choice_of(const std::vector<double>& means, const Proposal& proposal) {
    const RungTable table = table_of(means, 0.012);
    return choose_network(table, RungNoise(table), text_look(), proposal);
}

TEST(Recommend, TheBottomOfTheValleyIsTakenWhenAllCostTheSame) {
    const Choice choice = choice_of(smooth_means(seven), drawn_proposal(seven));
    EXPECT_EQ(seven[choice.row], 4);
    EXPECT_EQ(choice.row, choice.best);
    EXPECT_EQ(choice.tip, Tip::value);
    EXPECT_EQ(choice.given_up, 0);
}

TEST(Recommend, ACheaperNetworkIsTakenForAQuarterPercentAndNoMore) {
    Proposal proposal = drawn_proposal(seven);
    const auto means = smooth_means(seven);
    proposal.candidates[2].flops_per_unit = 0.5e6;  // 3 layers, 0.06 % behind 4
    const Choice cheap = choice_of(means, proposal);
    EXPECT_EQ(seven[cheap.row], 3);
    EXPECT_EQ(cheap.tip, Tip::cheaper);
    EXPECT_GT(cheap.given_up, 0);
    EXPECT_LE(cheap.given_up, 0.0025 * 1.45);
    proposal.candidates[2].flops_per_unit = 1e6;
    proposal.candidates[0].flops_per_unit = 0.2e6;  // 1 layer, 2 % behind
    EXPECT_GT(seven[choice_of(means, proposal).row], 1);
}

TEST(Recommend, HalfTheLayersAtTheSameCostAreFasterToRun) {
    Proposal proposal = drawn_proposal({2, 4, 8});
    for (auto& candidate : proposal.candidates) candidate.flops_per_unit = 1e6;
    const Choice choice = choice_of({1.45, 1.45, 1.45 - 1e-5}, proposal);
    EXPECT_EQ(choice.best, 2U);
    EXPECT_EQ(choice.row, 0U);
    EXPECT_EQ(choice.tip, Tip::shallower);
    EXPECT_NEAR(choice.given_up, 1e-5, 1e-9);
}

TEST(Recommend, WithoutKnownNoiseTheBestMeanIsTaken) {
    RungTable table = table_of(smooth_means(seven));
    table.seeds = {1};
    for (auto& row : table.values) row.resize(1);
    table.values[5][0] = 1.3;
    Proposal proposal = drawn_proposal(seven);
    proposal.candidates[0].flops_per_unit = 1;
    const Choice choice = choose_network(table, RungNoise(table), text_look(), proposal);
    EXPECT_EQ(choice.row, 5U);
    EXPECT_EQ(choice.tip, Tip::value);
}

TEST(Valley, SaysWhyItIsNotKnown) {
    const Proposal proposal = drawn_proposal(seven);
    const auto state_of = [&](const RungTable& table) {
        return valley_of(table, RungNoise(table), text_look(), proposal, proposal.candidates.front()).state;
    };
    RungTable table = table_of(smooth_means(seven));
    EXPECT_EQ(state_of(table), ValleyState::known);
    RungTable three = table_of({1.48, 1.45, 1.44});
    EXPECT_EQ(state_of(three), ValleyState::few_depths);
    RungTable noisy = table;
    RandomStream stream(1, "noisy");
    for (auto& row : noisy.values)
        for (double& value : row) value += 0.03 * normal(stream);
    EXPECT_EQ(state_of(noisy), ValleyState::noise_wide);
    RungTable one = table;
    one.seeds = {1};
    for (auto& row : one.values) row.resize(1);
    EXPECT_EQ(state_of(one), ValleyState::noise_unknown);
    std::vector<double> falling;
    for (const double depth : seven) falling.push_back(1.6 - 0.05 * std::log(depth));
    EXPECT_EQ(state_of(table_of(falling)), ValleyState::at_deep_end);
    for (const auto state : all_values(ValleyState{})) EXPECT_NE(name_of(state), "");
}

TEST(Valley, TheRangeIsSaidInWholeDepths) {
    Valley valley;
    valley.best = 3.9;
    valley.low = 1.7;
    valley.high = 8.4;
    EXPECT_EQ(range_words(valley), "2 to 8 layers");
    valley.open_above = true;
    EXPECT_EQ(range_words(valley), "2 to 8 or more layers");
    valley.low = 4.1;
    valley.best = 4.4;
    valley.high = 4.6;
    valley.open_above = false;
    EXPECT_EQ(range_words(valley), "4 layers");
}

}  // namespace
}  // namespace plimsoll::fit

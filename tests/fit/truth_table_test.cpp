#include "bench/fit/truth_table.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/fit_json.h"
#include "tests/fit/races.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::fit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* header = "family,input,depth,width,rate,seed,bits_per_byte,parameters,flops,seconds\n";

Result<TruthTable> table_of(const std::string& text) {
    const testing::TempDir folder;
    const auto file = folder.path() / "made.csv";
    EXPECT_TRUE(atomic_write(file, text).ok());
    return read_truth_table(file);
}

std::string row(int depth, double rate, int seed, double value, const std::string& input = "bytes") {
    return fmt::format("transformer,{},{},32,{},{},{},40000,1e12,1\n", input, depth, rate, seed, value);
}

// Values of each depth at three rates, of which the middle one is best.
std::string valley(const std::map<int, double>& values, const std::string& input = "bytes") {
    std::string text;
    for (const auto& [depth, value] : values)
        for (const int seed : {1, 2})
            for (const double rate : {0.01, 0.02, 0.04})
                text +=
                    row(depth, rate, seed, value + (rate == 0.02 ? 0 : 0.1) + 0.001 * seed - 0.0015, input);
    return text;
}

TruthTable made() { return table_of(header + valley({{1, 2.2}, {4, 2.0}, {16, 2.1}})).value(); }

TEST(TruthTable, ADepthCountsAtItsBestRate) {
    const TruthTable table = made();
    const TruthLine& line = *table.line("transformer", "bytes");
    EXPECT_EQ(line.best_depth(), 4);
    EXPECT_DOUBLE_EQ(line.places().at(4).rate, 0.02);
    EXPECT_NEAR(table.best(), 2.0, 1e-12);
    EXPECT_NEAR(table.parameters, 40'000, 1e-6);
    EXPECT_TRUE(doubts(table).empty());
}

TEST(TruthTable, BetweenTwoDepthsItIsStraightInTheLogarithm) {
    const TruthTable table = made();
    const TruthLine& line = *table.line("transformer", "bytes");
    EXPECT_NEAR(*line.at(2), 2.1, 1e-12);
    EXPECT_NEAR(*line.at(8), 2.05, 1e-12);
    EXPECT_NEAR(table.regret(*line.at(8)), 2.5, 1e-9);
    EXPECT_FALSE(line.at(0.5) || line.at(17));
}

// 1 % of 2.0 is 0.02: a tenth of the way to one layer and a fifth of the way to sixteen, in the logarithm.
TEST(TruthTable, ItsRangeEndsWhereItCostsOnePercent) {
    const TruthTable table = made();
    const auto [low, high] = table.line("transformer", "bytes")->range(table.one_percent());
    EXPECT_NEAR(low, 4 * std::pow(4, -0.1), 1e-9);
    EXPECT_NEAR(high, 4 * std::pow(4, 0.2), 1e-9);
}

TEST(TruthTable, AccuracyIsBetterWhenItIsHigher) {
    std::string text = header;
    text.replace(text.find("bits_per_byte"), 13, "accuracy");
    const TruthTable table = table_of(text + row(1, 0.1, 1, 0.6) + row(2, 0.1, 1, 0.8)).value();
    EXPECT_EQ(table.line("transformer", "bytes")->best_depth(), 2);
    EXPECT_NEAR(table.regret(*table.line("transformer", "bytes")->at(1)), 20, 1e-9);  // points
    EXPECT_THAT(doubts(table), Contains(HasSubstr("one seed")));
}

TEST(TruthTable, ABestRateAtAnEndIsNamed) {
    const auto table = table_of(header + row(2, 0.01, 1, 2.0) + row(2, 0.02, 1, 1.9)).value();
    EXPECT_THAT(doubts(table), Contains(HasSubstr("2 layers on bytes: its best rate, 0.02, is at an end")));
}

TEST(TruthTable, WhatIsNoTableIsASentence) {
    EXPECT_THAT(table_of(header).error().text(), HasSubstr("has no row"));
    EXPECT_THAT(table_of("a,b\n1\n").error().text(), HasSubstr("line 2 has 1 cells, 2 are named"));
    EXPECT_THAT(table_of("family,depth\nmixer,1\n").error().text(), HasSubstr("has none of the columns"));
}

// A race whose truth is the table's, with a little noise: no regret, intervals that hold it; an answer with
// another winner has that one's regret.
TEST(TruthTable, AFitIsJudgedByRegretAndCoverage) {
    const DataLook look = text_look();
    const Proposal proposal = proposal_for(look, 100'000);
    const auto truth = [](double depth) { return 2 + 0.02 * std::pow(std::log(depth / 3), 2); };
    std::map<int, double> values;
    for (int depth = 1; depth <= 40; ++depth) values[depth] = truth(depth);
    const std::string& input = find_candidate(proposal, proposal.favourite)->input.name;
    const TruthTable table = table_of(header + valley(values, input)).value();
    const Race race =
        play(proposal, {[&](const auto& c) { return truth(static_cast<double>(c.depth)); }, 0.003});
    const FitRequest request;
    Decision decision = decide(request, look, proposal, race).value();
    const auto judged = judge_fit(table, fit_json(request, look, proposal, race, decision, std::nullopt));
    ASSERT_TRUE(judged.ok()) << judged.error().text();
    EXPECT_LT(*judged->regret, 0.5);
    EXPECT_GE(judged->pairs, 10U);
    EXPECT_GE(static_cast<double>(judged->held), 0.8 * static_cast<double>(judged->pairs));
    EXPECT_EQ(judged->rules.size(), 3U);
    EXPECT_NEAR(judged->rules.at("12-layers"), 100 * (truth(12) / truth(3) - 1), 0.05);
    for (const auto& candidate : proposal.candidates)
        if (candidate.rival == "12-layers") decision.winner = candidate.id;
    const auto other = judge_fit(table, fit_json(request, look, proposal, race, decision, std::nullopt));
    EXPECT_NEAR(*other->regret, judged->rules.at("12-layers"), 1e-9);
}

// Intervals of a race that was noisier than it thinks do not hold the table.
TEST(TruthTable, ABiasedRaceHasNoCoverage) {
    const DataLook look = text_look();
    const Proposal proposal = proposal_for(look, 100'000);
    std::map<int, double> values;
    for (int depth = 1; depth <= 40; ++depth) values[depth] = 2;
    const std::string& input = find_candidate(proposal, proposal.favourite)->input.name;
    const TruthTable table = table_of(header + valley(values, input)).value();
    const Race race =
        play(proposal, {[](const auto& c) { return 2 + 0.1 * static_cast<double>(c.depth); }, 0.001});
    const Decision decision = decide({}, look, proposal, race).value();
    const auto judged = judge_fit(table, fit_json({}, look, proposal, race, decision, std::nullopt));
    EXPECT_EQ(judged->held, 0U);
}

TEST(TruthTable, APeerIsJudgedByItsDepth) {
    const auto judged = judge_peer(made(), {{"format", "plimsoll-peer-1"}, {"depth", 8}, {"peer", "optuna"}});
    ASSERT_TRUE(judged.ok());
    EXPECT_NEAR(*judged->regret, 2.5, 1e-9);
    EXPECT_THAT(judge_peer(made(), {{"depth", 32}}).error().text(),
                HasSubstr("has no transformer of 32 layers"));
    EXPECT_THAT(judge_fit(made(), Json::object()).error().text(), HasSubstr("has no look"));
}

}  // namespace
}  // namespace plimsoll::fit

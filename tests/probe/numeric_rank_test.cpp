// The rank by singular values against the exact rank, bounds, and what is known by hand.
#include <algorithm>

#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/probe/probe.h"
#include "plimsoll/rank/exact_rank.h"
#include "tests/support/error_text.h"
#include "tests/support/random_spec.h"

namespace plimsoll::probe {
namespace {

NumericQuestion question_of(const arch::ArchSpec& spec, std::int64_t positions) {
    NumericQuestion question;
    question.subject.source = spec;
    if (positions > 0) question.inputs.positions = positions;
    return question;
}

NumericQuestion question_of(const std::string& spec, std::int64_t positions = 0) {
    return question_of(*arch::parse_spec(spec), positions);
}

NumericPartition measured(const NumericQuestion& question) {
    const auto report = measure_numeric_rank(question);
    EXPECT_TRUE(report.ok()) << report.error().text();
    return report.ok() ? report->partitions.front() : NumericPartition{};
}

std::int64_t rank_of(const NumericQuestion& question) {
    return measured(question).ranks.front().spectrum.numerical_rank;
}

std::string refusal(const NumericQuestion& question) { return error_text(measure_numeric_rank(question)); }

struct Case {
    const char* spec;
    std::int64_t positions;
};

class ExactRank : public ::testing::TestWithParam<Case> {};

// Weights and templates are generic over the reals as they are over the prime field, so both ranks are the
// separation rank. The tolerance, 160 roundings = 3.6e-14, lies between what rounding leaves of a zero (below
// 1e-15 in all these cases) and the smallest true value (1e-10 and more): the gap is asserted.
TEST_P(ExactRank, IsTheNumericRankOfANetworkThatDoublesCanHold) {
    NumericQuestion question = question_of(GetParam().spec, GetParam().positions);
    question.size = 160;
    rank::RankQuestion exact{.spec = *arch::parse_spec(GetParam().spec)};
    exact.positions = question.inputs.positions;
    const auto expected = rank::measure_rank(exact).value();
    ASSERT_TRUE(expected.exact);
    const NumericPartition partition = measured(question);
    const NumericRank& rank = partition.ranks.front();
    const auto counted = static_cast<std::size_t>(rank.spectrum.numerical_rank);
    EXPECT_EQ(counted, expected.rank);
    EXPECT_FALSE(rank.saturated);
    EXPECT_FALSE(rank.fades);
    // Rounding of sums of some hundred terms: 1.06e-15 was the largest with either LibTorch.
    EXPECT_LT(rank.spectrum.values[counted], 1e-14 * rank.spectrum.values[0]);
    EXPECT_GT(rank.spectrum.values[counted - 1], 1e-10 * rank.spectrum.values[0]);
    EXPECT_EQ(partition.bound, expected.best_run().bound);
}

INSTANTIATE_TEST_SUITE_P(
    Small, ExactRank,
    ::testing::Values(
        Case{"attention:depth=1,width=4,heads=1", 4}, Case{"attention:depth=1,width=6,heads=2", 2},
        Case{"attention:depth=2,width=2,heads=2", 4}, Case{"attention:depth=2,width=3,heads=1", 4},
        Case{"attention:depth=2,width=4,heads=2", 4},
        Case{"attention:depth=2,width=2,heads=1,residual=on", 4},
        Case{"attention:depth=1,width=4,heads=1,positions=free,context=4", 4},
        Case{"square-mixer:rows=2,cols=4,depth=2", 0}, Case{"square-mixer:rows=3,cols=2,depth=3", 0},
        Case{"square-mixer:rows=2,cols=4,depth=3", 0},
        Case{"square-mixer:rows=2,cols=3,depth=2,residual=all,permutations=random", 0},
        Case{"square-mlp:rows=4,cols=1,depth=2", 0},
        Case{"pk:depth=2,width=6,blocks=2+3,activation=square", 0},
        Case{"s-mixer:depth=1,tokens=2,channels=3,activation=square,norm=none,bias=off,skip=on", 0}));

TEST(NumericRank, OfTokensIsTheExactRankOverAllStrings) {
    const std::string spec = "attention:depth=2,width=2,heads=1,vocab=5";
    rank::RankQuestion exact{.spec = *arch::parse_spec(spec)};
    exact.positions = 4;
    exact.inputs = rank::Inputs::tokens;
    const NumericPartition partition = measured(question_of(spec, 4));
    EXPECT_EQ(partition.rows, 25U);  // 5 tokens at 2 positions
    EXPECT_TRUE(partition.all_rows && partition.all_cols);
    EXPECT_EQ(static_cast<std::size_t>(partition.ranks[0].spectrum.numerical_rank),
              rank::measure_rank(exact)->rank);
}

TEST(NumericRank, NeverExceedsTheBoundOfAPolynomialNetwork) {
    int with_bound = 0;
    for (const char* family : {"attention", "square-mixer", "square-mlp"}) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const arch::ArchSpec spec = testing::random_spec(family, seed);
            if (arch::count(spec, {})->parameters > 50'000) continue;
            NumericQuestion question = question_of(spec, std::string(family) == "attention" ? 2 : 0);
            question.left = "0";
            question.size = 24;
            const auto report = measure_numeric_rank(question);
            if (!report.ok()) continue;  // odd shapes and overflow are refused
            const NumericPartition& partition = report->partitions.front();
            if (!partition.bound) continue;
            ++with_bound;
            EXPECT_LE(static_cast<std::size_t>(partition.ranks[0].spectrum.numerical_rank), *partition.bound)
                << arch::to_text(spec);
        }
    }
    EXPECT_GT(with_bound, 12);
}

// w.x = w_A.x_A + w_B.x_B.
TEST(NumericRank, OfALinearMapIsTwoAndOneWhereItReadsOneSide) {
    EXPECT_EQ(rank_of(question_of("pk:depth=1,width=6,blocks=1,activation=identity")), 2);
    EXPECT_EQ(rank_of(question_of("pk:depth=3,width=6,blocks=1,activation=identity")), 2);
    NumericQuestion one_side =
        question_of("pk:depth=2,width=6,blocks=2,activation=identity,permutations=none");
    EXPECT_EQ(rank_of(one_side), 1);
    one_side.left = "0,3";
    EXPECT_EQ(rank_of(one_side), 2);
}

// (a + b)^2 = a^2 + 2ab + b^2; max(0, a + b) is no finite sum of products.
TEST(NumericRank, OfOneSquareIsThreeAndOfOneReluFarMore) {
    EXPECT_EQ(rank_of(question_of("pk:depth=1,width=6,blocks=1,activation=square")), 3);
    NumericQuestion relu = question_of("pk:depth=1,width=6,blocks=1,activation=relu");
    relu.size = 40;
    const NumericRank rank = measured(relu).ranks.front();
    EXPECT_GT(rank.spectrum.numerical_rank, 10);
}

TEST(NumericRank, ReadsTheLastPositionOfACausalNetworkAndOneSideAtTheFirst) {
    NumericQuestion question =
        question_of("transformer:depth=1,width=8,heads=1,vocab=50,context=6,norm=none", 6);
    question.size = 30;
    const auto report = measure_numeric_rank(question).value();
    EXPECT_EQ(report.output, (rank::OutputIndex{0, 5}));
    EXPECT_GT(report.partitions[0].ranks[0].spectrum.numerical_rank, 2);
    question.output = "0,0";
    EXPECT_EQ(rank_of(question), 1);
    question.output = "0,3";  // side B from its first position on
    EXPECT_GT(rank_of(question), 2);
}

TEST(NumericRank, DoesNotDependOnWhichSideIsCalledA) {
    NumericQuestion question = question_of("square-mixer:rows=2,cols=3,depth=2");
    question.left = "0,4";
    const auto there = measured(question);
    question.left = "1,2,3,5";
    EXPECT_EQ(measured(question).ranks[0].spectrum.numerical_rank, there.ranks[0].spectrum.numerical_rank);
}

TEST(NumericRank, SaysThatItIsSaturatedOrFades) {
    NumericQuestion question = question_of("attention:depth=2,width=3,heads=1", 4);  // rank 49
    question.size = 20;
    const NumericRank small = measured(question).ranks.front();
    EXPECT_EQ(small.spectrum.numerical_rank, 20);
    EXPECT_TRUE(small.saturated);
    question.size = 49;  // full, and the bound: there cannot be more
    EXPECT_FALSE(measured(question).ranks.front().saturated);
    // Rank 232 (exact), but the values of degree 27 pass below a double's last digit.
    NumericQuestion deep = question_of("attention:depth=3,width=2,heads=1", 4);
    deep.size = 240;
    const NumericRank rank = measured(deep).ranks.front();
    EXPECT_TRUE(rank.fades);
    EXPECT_LT(rank.spectrum.numerical_rank, 232);
}

TEST(NumericRank, ATighterToleranceNeverLowersIt) {
    NumericQuestion question = question_of("square-mixer:rows=2,cols=4,depth=3");
    std::int64_t last = 1;
    for (const double tolerance : {1e-1, 1e-3, 1e-5, 1e-9}) {
        question.tolerance = tolerance;
        const std::int64_t rank = rank_of(question);
        EXPECT_GE(rank, last);
        last = rank;
    }
    EXPECT_EQ(last, 105);
}

TEST(NumericRank, MeasuresManyPartitions) {
    NumericQuestion question = question_of("square-mixer:rows=2,cols=2,depth=1");
    question.partition = "all";
    const auto report = measure_numeric_rank(question).value();
    std::vector<std::int64_t> ranks;
    for (const auto& partition : report.partitions)
        ranks.push_back(partition.ranks[0].spectrum.numerical_rank);
    EXPECT_EQ(ranks, (std::vector<std::int64_t>{3, 1, 3}));  // entry 0,0 reads its column, entries 0 and 2
    EXPECT_EQ(to_json(report)["partitions"].size(), 3U);
}

TEST(LargestGap, IsTheSteepestStepDownToTheTolerance) {
    const Gap gap = largest_gap(rank::summary_of({8, 4, 1, 1e-12}, 1e-3));
    EXPECT_EQ(gap.after, 3U);
    EXPECT_EQ(gap.factor, 1000);
    EXPECT_EQ(largest_gap(rank::summary_of({8, 1, 0.5}, 1e-3)).after, 1U);
    EXPECT_EQ(largest_gap(rank::summary_of({2}, 0)).after, 0U);
    EXPECT_EQ(largest_gap(rank::summary_of({}, 0)).after, 0U);
}

TEST(NumericRank, RefusesWhatCannotBe) {
    const std::string mixer = "square-mixer:rows=2,cols=2,depth=1",
                      text = "transformer:depth=1,width=4,heads=1,vocab=5,context=8";
    EXPECT_EQ(refusal(question_of(text)), "positions: missing; transformer needs a number of positions");
    EXPECT_EQ(refusal(question_of(text, 1)), "positions: must be at least 2, got 1");
    EXPECT_EQ(refusal(question_of(text, 9)), "tokens: must have 1 to 8 positions, got 9");
    EXPECT_EQ(refusal(question_of(mixer, 4)),
              "positions: only attention and transformers on text or vectors have positions to choose; "
              "square-mixer has its own size");
    EXPECT_EQ(refusal(question_of(text, 5)), "partition: half needs an even number of positions, got 5");
    NumericQuestion question = question_of(mixer);
    question.left = "4";
    EXPECT_EQ(refusal(question), "left: there is no entry 4; entries are counted from 0 to 3");
    question.left = "1";
    question.output = "2,0";
    EXPECT_EQ(refusal(question), "output: there is no row 2; they are counted from 0 to 1");
    question.output = "";
    question.size = 1;
    EXPECT_EQ(refusal(question), "size: must be 2 to 20000, got 1");
    question.size = 8;
    question.tolerance = 1;
    EXPECT_EQ(
        refusal(question),
        "tolerance: must be at least 0 and below 1 (it is relative to the largest singular value), got 1");
    question.tolerance = {};
    question.fresh = true;
    EXPECT_EQ(refusal(question), "fresh: works only with --run; the weights of a spec are fresh");
    EXPECT_EQ(refusal(question_of("transformer:depth=1,width=4,heads=1,vocab=5,experts=2", 4)),
              "experts: routed experts cannot be trained here; they can be counted and audited");
    EXPECT_EQ(refusal(question_of("square-mixer:rows=2,cols=2,depth=60")).substr(0, 30),
              "output: is not finite on templ");
}

}  // namespace
}  // namespace plimsoll::probe

// The instrument as a whole: reference values, laws, and what is refused.
#include "plimsoll/rank/sup_inf.h"
#include "tests/rank/known_rank.h"
#include "tests/support/error_text.h"

namespace plimsoll::rank {
namespace {

std::string error_of(const RankQuestion& question) { return error_text(measure_rank(question)); }

INSTANTIATE_TEST_SUITE_P(Attention, KnownRank,
                         ::testing::Values(Known{"attention:depth=1,width=3,heads=1", 4, 4},
                                           Known{"attention:depth=1,width=6,heads=2", 2, 7},
                                           Known{"attention:depth=2,width=1,heads=1", 4, 5},
                                           Known{"attention:depth=2,width=3,heads=1", 2, 35},
                                           Known{"attention:depth=2,width=3,heads=1", 6, 49},
                                           Known{"attention:depth=2,width=4,heads=1", 4, 110},
                                           Known{"attention:depth=2,width=4,heads=2", 8, 107},
                                           Known{"attention:depth=2,width=4,heads=4", 8, 85},
                                           Known{"attention:depth=2,width=4,heads=2,head_dim=4", 8, 110},
                                           Known{"attention:depth=3,width=1,heads=1", 2, 14},
                                           Known{"attention:depth=3,width=2,heads=1", 2, 105},
                                           Known{"attention:depth=3,width=2,heads=1", 4, 232},
                                           Known{"attention:depth=3,width=2,heads=2", 6, 215}));

INSTANTIATE_TEST_SUITE_P(Bottleneck, KnownRank,
                         ::testing::Values(Known{"attention:depth=2,width=6,heads=1,embedding=conv,vocab=6,"
                                                 "embedding_rank=2",
                                                 8, 18},
                                           Known{"attention:depth=2,width=6,heads=1,embedding=conv,vocab=6,"
                                                 "embedding_rank=2,positions=ranked,position_rank=1",
                                                 8, 39},
                                           Known{"attention:depth=2,width=6,heads=1,embedding=conv,vocab=6,"
                                                 "embedding_rank=1,positions=free",
                                                 8, 31}));

INSTANTIATE_TEST_SUITE_P(Mixers, KnownRank,
                         ::testing::Values(Known{"square-mixer:rows=2,cols=2,depth=1", 0, 3},
                                           Known{"square-mixer:rows=2,cols=2,depth=4", 0, 81},
                                           Known{"square-mixer:rows=2,cols=4,depth=3", 0, 105},
                                           Known{"square-mixer:rows=2,cols=6,depth=2", 0, 35},
                                           Known{"square-mixer:rows=4,cols=4,depth=2", 0, 20}));

TEST(ExactRankTest, ColumnsOfAMixerLagOneLayer) {
    RankQuestion question = question_of("square-mixer:rows=2,cols=4,depth=3");
    question.partition = "columns";
    EXPECT_EQ(rank_of(question), 9);
}

TEST(ExactRankTest, AllListsEveryPartitionAndTakesTheLargest) {
    RankQuestion question = question_of("square-mixer:rows=2,cols=3,depth=2");
    question.partition = "all";
    const RankReport report = report_of(question);
    ASSERT_EQ(report.partitions.size(), 10);
    std::size_t largest = 0;
    for (const auto& partition : report.partitions) largest = std::max(largest, partition.best().rank);
    EXPECT_EQ(report.rank, largest);
    EXPECT_EQ(report.rank, 14);
    EXPECT_EQ(to_json(report)["partitions"].size(), 10);
}

TEST(ExactRankTest, ConstructionsAgree) {
    for (const Construction construction :
         {Construction::gram, Construction::graded, Construction::catalecticant, Construction::literal}) {
        RankQuestion question = question_of("attention:depth=2,width=2,heads=2", 4);
        question.construction = construction;
        EXPECT_EQ(rank_of(question), 17) << to_text(construction);
    }
}

// Relabelling positions within a side, and choosing another output there, cannot matter.
TEST(ExactRankTest, PositionsWithinASideAreAlike) {
    RankQuestion question = question_of("attention:depth=2,width=3,heads=1", 6);
    for (const auto& [left, output] : {std::pair("0", "0,0"), {"4", "2,4"}, {"0,1,2,3,4", "1,5"}}) {
        question.left = left;
        question.output = output;
        EXPECT_EQ(rank_of(question), 39) << left;
    }
    for (const auto& [left, output] : {std::pair("0,1", "0,0"), {"2,5", "1,5"}, {"0,1,3,4", "2,5"}}) {
        question.left = left;
        question.output = output;
        EXPECT_EQ(rank_of(question), 49) << left;
    }
}

TEST(ExactRankTest, SeveralSeedsAndPrimesAreAllListed) {
    RankQuestion question = question_of("attention:depth=2,width=2,heads=1", 4);
    question.seeds = 3;
    question.primes = {8386141, 4000037};
    const RankReport report = report_of(question);
    ASSERT_EQ(report.best_partition().runs.size(), 6);
    EXPECT_EQ(report.best_partition().runs.back().prime, 4000037);
    EXPECT_EQ(report.best_partition().runs.back().seed, 3);
    for (const auto& run : report.best_partition().runs) EXPECT_EQ(run.rank, 18);
}

TEST(ExactRankTest, ALimitMakesItAtLeast) {
    RankQuestion question = question_of("attention:depth=2,width=4,heads=1", 8);
    question.construction = Construction::gram;
    question.max_size = 60;
    const RankReport report = report_of(question);
    EXPECT_EQ(report.rank, 60);
    EXPECT_FALSE(report.exact);
    EXPECT_TRUE(report.saturated);
    EXPECT_NE(certifies(report).find("may be higher"), std::string::npos);
}

TEST(ExactRankTest, WithoutABoundTheSlackDecides) {
    // Two heads stay below the bound of one head, 110: sampled, so there is a chance of error.
    RankQuestion question = question_of("attention:depth=2,width=4,heads=2", 8);
    question.construction = Construction::gram;
    const RankReport report = report_of(question);
    EXPECT_EQ(report.rank, 107);
    EXPECT_TRUE(report.exact);
    EXPECT_GE(report.best_run().slack, 20);
    ASSERT_TRUE(report.best_run().error_log10);
    EXPECT_LT(*report.best_run().error_log10, -12);
    EXPECT_EQ(report.best_run().size, report.rank + report.best_run().slack);
}

// What full rank implies is what elimination gives: the same ranks piece by piece without the shortcut.
TEST(ExactRankTest, ImpliedPiecesHaveTheRankTheyAreSaidToHave) {
    RankQuestion question = question_of("attention:depth=2,width=3,heads=1", 6);
    question.construction = Construction::catalecticant;
    const RunReport shortcut = report_of(question).best_run();
    const auto network = network_for(question.spec, {.positions = 6});
    ASSERT_TRUE(network.ok());
    auto list = pieces_for({.network = network_for(question.spec, {.positions = 6}).value(),
                            .partition = parse_partitions("half", (*network)->facts().split, 1)->front(),
                            .construction = Construction::catalecticant});
    ASSERT_TRUE(list.ok());
    std::size_t implied = 0;
    for (std::size_t j = 0; j < list->pieces.size(); ++j) {
        const auto& source = *list->pieces[j].source;
        EXPECT_EQ(shortcut.pieces[j].rank, rank_by_flint(source, source.max_rows(), source.max_cols())) << j;
        implied += shortcut.pieces[j].implied ? 1 : 0;
    }
    EXPECT_EQ(implied, 3);
}

TEST(ExactRankTest, JsonSaysWhatTheReportSays) {
    const RankReport report = report_of(question_of("attention:depth=2,width=2,heads=1", 4));
    const Json json = to_json(report);
    EXPECT_EQ(json["rank"], 18);
    EXPECT_EQ(json["exact"], true);
    EXPECT_EQ(json["prime"], default_prime);
    EXPECT_EQ(json["size"], report.best_run().size);
    EXPECT_EQ(json["slack"], report.best_run().slack);
    EXPECT_GT(json["seconds"], 0);
    EXPECT_EQ(json["attained"], "CAP-bound_int");
    EXPECT_FALSE(json.contains("partitions"));
}

TEST(ExactRankTest, RefusesWhatCannotBe) {
    EXPECT_EQ(error_of(question_of("attention:depth=2,width=2,heads=1", 5)),
              "partition: half needs an even number of positions, got 5");
    EXPECT_EQ(error_of(question_of("attention:depth=2,width=2,heads=1")),
              "positions: missing; attention needs a number of positions");
    RankQuestion question = question_of("attention:depth=2,width=2,heads=1", 4);
    question.output = "2,0";
    EXPECT_EQ(error_of(question), "output: there is no coordinate 2; they are counted from 0 to 1");
    question = question_of("attention:depth=2,width=2,heads=1", 4);
    question.left = "0,7";
    EXPECT_EQ(error_of(question), "left: there is no position 7; positions are counted from 0 to 3");
    question = question_of("attention:depth=2,width=2,heads=1", 4);
    question.max_size = 10'000'000;
    EXPECT_NE(error_of(question).find("max-size: 10000000 rows and columns need "), std::string::npos);
    question = question_of("attention:depth=2,width=2,heads=1", 4);
    question.max_bytes = 100;
    EXPECT_NE(error_of(question).find("max-memory: must hold 64 rows and columns"), std::string::npos);
}

TEST(SupInfTest, EnumeratesATinyMixer) {
    const auto report = measure_sup_inf(question_of("square-mixer:rows=2,cols=2,depth=3"), 1000);
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_TRUE(report->enumerated);
    EXPECT_EQ(report->cases.size(), 3 * 4);
    EXPECT_EQ(report->sup.rank, 25);
    EXPECT_EQ(report->inf.rank, 9);
}

TEST(SupInfTest, SamplesWhatIsTooMuch) {
    const auto report = measure_sup_inf(question_of("square-mixer:rows=4,cols=4,depth=1"), 10);
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_FALSE(report->enumerated);
    EXPECT_EQ(report->cases.size(), 10);
    EXPECT_EQ(report->partitions, 6435);
    EXPECT_EQ(report->sup.rank, 3);
    EXPECT_EQ(report->inf.rank, 1);
}

TEST(SupInfTest, RefusesAChosenPartition) {
    RankQuestion question = question_of("square-mixer:rows=2,cols=2,depth=1");
    question.partition = "rows";
    const auto report = measure_sup_inf(question, 1000);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().text(),
              "sup-inf: measures all balanced partitions; give neither partition nor left");
}

}  // namespace
}  // namespace plimsoll::rank

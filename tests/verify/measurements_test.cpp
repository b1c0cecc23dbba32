#include "plimsoll/verify/measurements.h"

#include <gtest/gtest.h>

#include "plimsoll/verify/attention_cases.h"
#include "plimsoll/verify/embedding_cases.h"
#include "plimsoll/verify/mixer_cases.h"

namespace plimsoll::verify {
namespace {

TEST(RankCase, IsWhatAReaderTypes) {
    EXPECT_EQ((RankCase{.spec = "attention:depth=2,width=2,heads=1", .positions = 4}.command()),
              "plimsoll rank attention:depth=2,width=2,heads=1 --positions 4");
    EXPECT_EQ((RankCase{.spec = "square-mixer:rows=2,cols=2,depth=3", .partition = "rows", .output = {1, 0}}
                   .command()),
              "plimsoll rank square-mixer:rows=2,cols=2,depth=3 --partition rows --output 1,0");
    EXPECT_EQ((AttentionCase{.depth = 2, .width = 3, .positions = 4, .side_a = 1}.question().command()),
              "plimsoll rank attention:depth=2,width=3,heads=1 --positions 4 --left 0");
    EXPECT_EQ((MixerCase{2, 2, 3, "rows", true}.question().command()),
              "plimsoll rank square-mixer:rows=2,cols=2,depth=3,residual=1+2+3 --partition rows");
}

TEST(RankCase, EveryCaseOfEveryEffortIsASpec) {
    std::vector<RankCase> questions;
    for (const auto& c : attention_cases(Effort::deep)) questions.push_back(c.question());
    for (const auto& c : embedding_cases(Effort::deep)) questions.push_back(c.question());
    for (const auto& c : mixer_cases(Effort::deep)) questions.push_back(c.question());
    for (const auto& question : questions) {
        const auto spec = arch::parse_spec(question.spec);
        EXPECT_TRUE(spec.ok()) << question.spec << ": " << spec.error().text();
    }
}

// RANKS: values of a prototype.
TEST(Measurements, KnownRanks) {
    Measurements measurements({});
    const auto rank = [&](const RankCase& question) { return measurements.rank(question).value().rank; };
    EXPECT_EQ(rank({.spec = "attention:depth=2,width=2,heads=1", .positions = 4}), 18U);
    EXPECT_EQ(rank({.spec = "attention:depth=2,width=4,heads=4", .positions = 8}), 85U);
    EXPECT_EQ(rank({.spec = "square-mixer:rows=2,cols=4,depth=3", .partition = "rows"}), 105U);
    EXPECT_EQ(rank({.spec = "square-mixer:rows=2,cols=4,depth=3", .partition = "columns"}), 9U);
}

TEST(Measurements, PiecesAddUp) {
    Measurements measurements({});
    RankCase question{.spec = "attention:depth=2,width=3,heads=1", .positions = 6};
    std::size_t total = 0;
    for (const auto* piece : {"j=0", "j=1", "j=2", "j=3", "j=4"}) {
        question.piece = piece;
        total += measurements.rank(question).value().rank;
    }
    question.piece.clear();
    EXPECT_EQ(total, measurements.rank(question).value().rank);
    EXPECT_EQ(total, 49U);
}

TEST(Measurements, StopAtTheirLimit) {
    Measurements measurements({.max_size = 10});
    const auto rank =
        measurements.rank({.spec = "attention:depth=2,width=4,heads=1", .positions = 2}).value();
    EXPECT_FALSE(rank.exact);
    EXPECT_LT(rank.rank, 70U);
}

TEST(Measurements, RefuseWhatIsNoQuestion) {
    Measurements measurements({});
    EXPECT_EQ(measurements.rank({.spec = "attention:depth=2,width=4,heads=3", .positions = 2}).error().text(),
              "heads: must divide width 4, got 3");
    EXPECT_FALSE(measurements.rank({.spec = "attention:depth=2,width=4,heads=1", .positions = 3}).ok());
}

}  // namespace
}  // namespace plimsoll::verify

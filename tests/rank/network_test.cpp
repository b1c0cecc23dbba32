#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/rank/constructions/random_network.h"
#include "tests/rank/score_support.h"
#include "tests/support/error_text.h"

namespace plimsoll::rank {
namespace {

std::string error_of(const char* text, std::optional<std::int64_t> positions = std::nullopt,
                     Inputs inputs = Inputs::numbers) {
    const auto network =
        network_for(arch::parse_spec(text).value(), {.positions = positions, .inputs = inputs});
    return error_text(network);
}

TEST(RandomNetwork, FactsOfAttention) {
    const auto network = network_of("attention:depth=3,width=4,heads=2", 8);
    const NetworkFacts& facts = network->facts();
    EXPECT_EQ(facts.family, "attention");
    EXPECT_EQ(facts.degree, 27U);
    EXPECT_EQ(facts.grades, 13U);
    EXPECT_TRUE(facts.homogeneous);
    EXPECT_EQ(facts.split, (SplitShape{.by_position = true, .rows = 1, .cols = 8}));
    EXPECT_FALSE(network_of("attention:depth=3,width=4,heads=2,residual=on", 8)->facts().homogeneous);
    EXPECT_FALSE(network_of("attention:depth=3,width=4,heads=2,positions=free", 8)->facts().homogeneous);
}

TEST(RandomNetwork, FactsOfMixers) {
    const auto mixer = network_of("square-mixer:rows=2,cols=3,depth=4");
    EXPECT_EQ(mixer->facts().degree, 16U);
    EXPECT_EQ(mixer->facts().split, (SplitShape{.by_position = false, .rows = 2, .cols = 3}));
    EXPECT_TRUE(mixer->facts().homogeneous);
    EXPECT_FALSE(network_of("square-mlp:rows=2,cols=3,depth=4,residual=2")->facts().homogeneous);
    const auto wide = network_of(
        "mixer:depth=2,tokens=2,channels=3,expansion=2,activation=square,norm=none,bias=off,skip=off");
    EXPECT_EQ(wide->facts().family, "mixer");
    EXPECT_EQ(wide->facts().degree, 16U);  // of the two matrices of a step only the first is squared
    EXPECT_EQ(network_of("pk:depth=3,width=4,blocks=2,activation=square")->facts().split.rows, 4U);
}

// What has degree n under scaling of the whole input is homogeneous of degree n.
TEST(RandomNetwork, DegreeIsTheDegree) {
    for (const auto& [text, positions] :
         {std::pair{"attention:depth=2,width=3,heads=1", 4},
          {"square-mixer:rows=2,cols=3,depth=3", 0},
          {"mixer:depth=1,tokens=2,channels=3,expansion=2,activation=square,norm=none,bias=off,skip=off",
           0}}) {
        const auto network = network_of(text, positions);
        const nets::PrimeField field(network->prime());
        const NetworkFacts& facts = network->facts();
        RandomStream stream(3, "tests/input");
        const auto x =
            nets::random_matrix(field, facts.input_rows, positions > 0 ? 4 : facts.split.cols, stream);
        const auto scaled = nets::scale(field, 7, x);
        EXPECT_EQ(network->evaluate(scaled, {}),
                  field.multiply(nets::power(field, 7, facts.degree), network->evaluate(x, {})))
            << text;
    }
}

// The rows hold the output's position, whatever side it is on.
TEST(RandomNetwork, RowsHoldTheOutput) {
    const auto network = network_of("attention:depth=1,width=2,heads=1", 4);
    const Partition half = partition_of(*network, "half");
    EXPECT_THAT(network->sides(half, {0, 0}).rows, ::testing::ElementsAre(0, 1));
    EXPECT_THAT(network->sides(half, {0, 3}).rows, ::testing::ElementsAre(2, 3));
    const auto mixer = network_of("square-mixer:rows=2,cols=2,depth=1");
    EXPECT_THAT(mixer->sides(partition_of(*mixer, "columns"), {1, 1}).rows, ::testing::ElementsAre(0, 2));
}

TEST(RandomNetwork, JoinPutsEveryNumberInItsPlace) {
    const auto network = network_of("attention:depth=1,width=2,heads=1", 4);
    const Sides sides = network->sides(partition_with_left("1,2", network->facts().split).value(), {0, 1});
    const std::vector<std::uint64_t> row{1, 2, 3, 4}, col{5, 6, 7, 8};
    EXPECT_EQ(network->join(sides, row, col), (nets::Matrix<std::uint64_t>{{5, 1, 3, 7}, {6, 2, 4, 8}}));
    const auto mixer = network_of("square-mixer:rows=2,cols=2,depth=1");
    EXPECT_EQ(mixer->join(mixer->sides(partition_of(*mixer, "columns"), {}), std::vector<std::uint64_t>{1, 2},
                          std::vector<std::uint64_t>{3, 4}),
              (nets::Matrix<std::uint64_t>{{1, 3}, {2, 4}}));
}

TEST(RandomNetwork, OutputsAreParsed) {
    const NetworkFacts facts = network_of("attention:depth=1,width=2,heads=1", 4)->facts();
    EXPECT_EQ(parse_output("1,3", facts).value(), (OutputIndex{1, 3}));
    EXPECT_EQ(parse_output("2,0", facts).error().text(),
              "output: there is no coordinate 2; they are counted from 0 to 1");
    EXPECT_EQ(parse_output("0,4", facts).error().text(),
              "output: there is no position 4; they are counted from 0 to 3");
    EXPECT_EQ(parse_output("1", facts).error().text(), "output: must be COORDINATE,POSITION, got '1'");
    const NetworkFacts mixer = network_of("square-mixer:rows=2,cols=3,depth=1")->facts();
    EXPECT_EQ(parse_output("0,3", mixer).error().text(),
              "output: there is no column 3; they are counted from 0 to 2");
}

TEST(RandomNetwork, PositionsBelongToAttention) {
    EXPECT_EQ(error_of("attention:depth=1,width=2,heads=1"),
              "positions: missing; attention needs a number of positions");
    EXPECT_EQ(error_of("attention:depth=1,width=2,heads=1", 1), "positions: must be at least 2, got 1");
    EXPECT_EQ(error_of("square-mixer:rows=2,cols=3,depth=1", 4),
              "positions: only attention has positions; square-mixer has its own size");
}

TEST(RandomNetwork, OthersPointToTheNumericRank) {
    const char* const hint =
        "; what a trained network of this kind has is a numeric rank, by singular values";
    EXPECT_EQ(error_of("transformer:depth=2,width=8,heads=2,vocab=10,context=8"),
              std::string("transformer: is not a polynomial of its input, so it has no exact rank") + hint);
    EXPECT_EQ(error_of("pk:depth=2,width=6,blocks=2"),
              std::string("activation: must be square for a polynomial net") + hint);
    EXPECT_EQ(error_of("s-mixer:depth=1,tokens=2,channels=2,activation=square,norm=none,skip=off"),
              std::string("bias: must be off: the analysed nets have none") + hint);
}

TEST(RandomNetwork, TokensNeedAVocabularyThatCanBeEnumerated) {
    EXPECT_EQ(error_of("attention:depth=1,width=2,heads=1", 4, Inputs::tokens),
              "tokens: needs embedding=vocab: only a vocabulary has tokens");
    EXPECT_EQ(error_of("attention:depth=1,width=2,heads=1,embedding=vocab,vocab=300", 8, Inputs::tokens),
              "tokens: 300 tokens at 7 positions are more than 65536 strings");
}

}  // namespace
}  // namespace plimsoll::rank

#include "plimsoll/verify/observation.h"

#include <gtest/gtest.h>

namespace plimsoll::verify {
namespace {

Outcome outcome(const Observation& observation) { return observation.outcome; }

TEST(Observation, AnExactRankDecidesEveryComparison) {
    const MeasuredRank rank{18, true};
    EXPECT_EQ(outcome(at_most(18, rank)), Outcome::holds);
    EXPECT_EQ(outcome(at_most(17, rank)), Outcome::fails);
    EXPECT_EQ(outcome(at_least(18, rank)), Outcome::holds);
    EXPECT_EQ(outcome(at_least(19, rank)), Outcome::fails);
    EXPECT_EQ(outcome(equal_to(18, rank)), Outcome::holds);
    EXPECT_EQ(outcome(equal_to(17, rank)), Outcome::fails);
    EXPECT_EQ(outcome(equal_to(19, rank)), Outcome::fails);
}

// A measurement that stopped early is a lower bound: it refutes upper bounds and confirms lower ones.
TEST(Observation, ASaturatedRankDecidesOnlyWhatALowerBoundDecides) {
    const MeasuredRank rank{18, false};
    EXPECT_EQ(outcome(at_most(18, rank)), Outcome::undecided);
    EXPECT_EQ(outcome(at_most(17, rank)), Outcome::fails);
    EXPECT_EQ(outcome(at_least(18, rank)), Outcome::holds);
    EXPECT_EQ(outcome(at_least(19, rank)), Outcome::undecided);
    EXPECT_EQ(outcome(equal_to(18, rank)), Outcome::undecided);
    EXPECT_EQ(outcome(equal_to(19, rank)), Outcome::undecided);
    EXPECT_EQ(outcome(equal_to(17, rank)), Outcome::fails);
}

TEST(Observation, SaysBothNumbers) {
    EXPECT_EQ(at_most(17, {18, true}).said, "at most 17");
    EXPECT_EQ(at_most(17, {18, true}).found, "18");
    EXPECT_EQ(at_least(17, {18, false}).found, "at least 18");
    EXPECT_EQ(to_text(Outcome::holds), "holds");
    EXPECT_EQ(to_text(Outcome::fails), "fails");
    EXPECT_EQ(to_text(Outcome::undecided), "undecided");
}

}  // namespace
}  // namespace plimsoll::verify

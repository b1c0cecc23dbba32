// A bound that is exact holds both ways; one that is off by one fails on the side it is wrong on.
#include "plimsoll/verify/multiset_trials.h"

#include <gtest/gtest.h>

#include "plimsoll/theory/numbers/integer.h"

namespace plimsoll::verify {
namespace {

using theory::Ball;
using theory::Integer;

Ball exact(const Integer& n, const Integer& k, int bits) { return log3(Ball(theory::multiset(n, k), bits)); }
Ball one_more(const Integer& n, const Integer& k, int bits) {
    return log3(Ball(theory::multiset(n, k) + 1, bits));
}

std::size_t failures(MultisetSide side, MultisetBound bound, std::size_t& cases) {
    Measurements measurements({});
    std::size_t failed = 0;
    const auto trials = multiset_grid(side, bound, 2, 1)(Effort::quick);
    cases = trials.size();
    for (const Trial& trial : trials)
        failed += trial.observe(measurements).value().outcome == Outcome::fails ? 1 : 0;
    return failed;
}

TEST(MultisetGrid, AnExactBoundHoldsBothWays) {
    std::size_t cases = 0;
    EXPECT_EQ(failures(MultisetSide::at_least, exact, cases), 0U);
    EXPECT_EQ(failures(MultisetSide::at_most, exact, cases), 0U);
    EXPECT_GT(cases, 20U);
}

TEST(MultisetGrid, OneTooManyIsNoLowerBoundAndStillAnUpperOne) {
    std::size_t cases = 0;
    EXPECT_EQ(failures(MultisetSide::at_least, one_more, cases), cases);
    EXPECT_EQ(failures(MultisetSide::at_most, one_more, cases), 0U);
}

TEST(MultisetGrid, SaysBothNumbersAndHowToSeeThem) {
    Measurements measurements({});
    const auto trials = multiset_grid(MultisetSide::at_most, exact, 2, 1)(Effort::quick);
    EXPECT_EQ(trials[2].name, "n=2 k=3");
    EXPECT_EQ(trials[2].command, "plimsoll bounds MULTISET n=2 k=3");
    EXPECT_EQ(trials[2].observe(measurements).value().found, "4 = 3^1.26186");
    EXPECT_EQ(trials[2].observe(measurements).value().said, "at most 3^1.26186");
}

}  // namespace
}  // namespace plimsoll::verify

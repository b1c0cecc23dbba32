#include "plimsoll/verify/log_observation.h"

#include <gtest/gtest.h>

namespace plimsoll::verify {
namespace {

using theory::Ball;
using theory::Rational;

theory::Real exactly(const Rational& value) {
    return [=](int bits) { return Ball(value, bits); };
}

TEST(LogObservation, TheLargerNumberExceedsTheSmallerAndNotTheOtherWay) {
    EXPECT_EQ(exceeds(exactly(2), exactly(Rational(3, 2))).outcome, Outcome::holds);
    EXPECT_EQ(exceeds(exactly(Rational(3, 2)), exactly(2)).outcome, Outcome::fails);
}

TEST(LogObservation, SaysBothNumbersAsPowersOfThree) {
    const Observation seen = exceeds(exactly(2), exactly(Rational(3, 2)));
    EXPECT_EQ(seen.said, "above 3^1.5");
    EXPECT_EQ(seen.found, "3^2.0");
}

// Equal numbers known as balls only: no precision tells them apart.
TEST(LogObservation, WhatNoPrecisionSeparatesIsUndecided) {
    const auto root = [](int bits) { return sqrt(Ball(2, bits)); };
    EXPECT_EQ(exceeds(root, root).outcome, Outcome::undecided);
}

}  // namespace
}  // namespace plimsoll::verify

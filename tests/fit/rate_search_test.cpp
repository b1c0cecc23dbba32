#include "plimsoll/fit/race/rate_search.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A search to its end on a loss that is known.
RateTrials searched(const std::function<std::optional<double>(int)>& loss) {
    RateTrials trials;
    for (auto next = next_rates(trials, true); !next.empty(); next = next_rates(trials, true))
        for (const int rate : next) trials[rate] = loss(rate);
    return trials;
}

double parabola(int rate, int best) { return std::pow(rate - best, 2); }

TEST(RateSearch, BeginsWithFiveRatesAndStopsWhenTheBestIsBetween) {
    EXPECT_THAT(next_rates({}, true), ElementsAre(-2, -1, 0, 1, 2));
    const auto trials = searched([](int rate) { return parabola(rate, 1); });
    EXPECT_EQ(trials.size(), 5U);
    EXPECT_THAT(next_rates(trials, true), IsEmpty());
    EXPECT_TRUE(is_enclosed(trials, true));
    EXPECT_THAT(next_rates(trials, false), ElementsAre(-3));  // where more is better the lowest is best
}

TEST(RateSearch, GoesBeyondTheEndThatIsBest) {
    for (const int best : {-4, -3, 3, 4}) {
        const auto trials = searched([&](int rate) { return parabola(rate, best); });
        EXPECT_EQ(best_rate(trials, true), best);
        EXPECT_TRUE(is_enclosed(trials, true));
    }
}

TEST(RateSearch, EndsAfterEightWhereverTheBestIs) {
    const auto trials = searched([](int rate) { return -rate; });
    EXPECT_EQ(trials.size(), 8U);
    EXPECT_EQ(best_rate(trials, true), 5);
    EXPECT_FALSE(is_enclosed(trials, true));
}

TEST(RateSearch, WhatFailsIsWorseThanAnything) {
    const auto diverges = [](int rate) { return rate > -1 ? std::nullopt : std::optional(10.0 - rate); };
    EXPECT_EQ(best_rate(searched(diverges), true), -1);
    EXPECT_TRUE(is_enclosed(searched(diverges), true));
    const auto trials = searched([](int) { return std::nullopt; });
    EXPECT_EQ(trials.size(), 8U);
    EXPECT_EQ(trials.begin()->first, -5);  // lower and lower
    EXPECT_EQ(best_rate(trials, true), std::nullopt);
}

TEST(RateSearch, RatesAreDoublingsToThreeDigits) {
    EXPECT_DOUBLE_EQ(rate_at(0.0123456, 0), 0.0123);
    for (int doublings = -3; doublings < 3; ++doublings)
        EXPECT_NEAR(rate_at(0.02, doublings + 1) / rate_at(0.02, doublings), 2, 0.02);
    EXPECT_DOUBLE_EQ(stepped(rate_at(0.02, 0), 2), rate_at(0.02, 1));
}

}  // namespace
}  // namespace plimsoll::fit

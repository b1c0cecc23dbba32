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

TEST(RateSearch, BeginsWithThreeRatesAndStopsWhenTheBestIsBetween) {
    EXPECT_THAT(next_rates({}, true), ElementsAre(-1, 0, 1));
    EXPECT_THAT(next_rates({{-1, 3.0}, {0, 2.0}, {1, 2.5}}, true), IsEmpty());
    EXPECT_THAT(next_rates({{-1, 3.0}, {0, 2.0}, {1, 2.5}}, false), ElementsAre(-2));
}

TEST(RateSearch, GoesBeyondTheEndThatIsBest) {
    EXPECT_THAT(next_rates({{-1, 3.0}, {0, 2.0}, {1, 1.5}}, true), ElementsAre(2));
    EXPECT_THAT(next_rates({{-1, 1.0}, {0, 2.0}, {1, 2.5}}, true), ElementsAre(-2));
}

TEST(RateSearch, FindsTheBestOfAParabolaWithinTwoHalfDecades) {
    for (int best = -2; best <= 2; ++best) {
        const auto trials = searched([&](int rate) { return std::pow(rate - best, 2); });
        EXPECT_EQ(best_rate(trials, true), best);
        EXPECT_LE(trials.size(), 5U);
    }
}

TEST(RateSearch, WhatFailsIsWorseThanAnything) {
    const auto diverges = [](int rate) { return rate > -1 ? std::nullopt : std::optional(10.0 - rate); };
    EXPECT_EQ(best_rate(searched(diverges), true), -1);
    const auto trials = searched([](int) { return std::nullopt; });
    EXPECT_EQ(trials.size(), 5U);
    EXPECT_EQ(trials.begin()->first, -3);  // lower and lower
    EXPECT_EQ(best_rate(trials, true), std::nullopt);
}

TEST(RateSearch, FirstRatesFallInverselyWithTheWidth) {
    Candidate narrow, wide;
    narrow.width = 64;
    wide.width = 256;
    EXPECT_NEAR(rate_at(narrow, 0) / rate_at(wide, 0), 4, 0.04);  // three digits
    EXPECT_NEAR(rate_at(wide, 2) / rate_at(wide, 0), 10, 0.1);
}

}  // namespace
}  // namespace plimsoll::fit

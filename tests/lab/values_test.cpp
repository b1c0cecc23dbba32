#include "plimsoll/lab/sweep/values.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/toml.h"

namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;

Json toml(const std::string& value) { return parse_toml("v = " + value, "test")->at("v"); }

std::string values(const std::string& text) {
    const auto read = read_values(toml(text), "here");
    return read.ok() ? Json(*read).dump() : read.error().text();
}

TEST(Values, RangesIncludeBothEnds) {
    EXPECT_EQ(values("{from = 2, to = 8, step = 2}"), "[2,4,6,8]");
    EXPECT_EQ(values("{from = 2, to = 9, step = 2}"), "[2,4,6,8]");
    EXPECT_EQ(values("{from = 8, to = 2, step = -3}"), "[8,5,2]");
    EXPECT_EQ(values("{from = 5, to = 5, step = 1}"), "[5]");
    EXPECT_EQ(values("{from = 1, to = 16, times = 2}"), "[1,2,4,8,16]");
    EXPECT_EQ(values("{from = 3, to = 100, times = 3}"), "[3,9,27,81]");
    EXPECT_EQ(values("{from = '1K', to = '4K', times = 2}"), "[1000,2000,4000]");
}

TEST(Values, RealRangesHaveTheNumbersThatPeopleWrite) {
    EXPECT_EQ(values("{from = 0.1, to = 0.5, step = 0.1}"), "[0.1,0.2,0.3,0.4,0.5]");
    EXPECT_EQ(values("{from = 1e-4, to = 1e-1, times = 10}"), "[0.0001,0.001,0.01,0.1]");
    EXPECT_EQ(values("{from = 1e-2, to = 1e-4, times = 0.1}"), "[0.01,0.001,0.0001]");
    EXPECT_EQ(values("{from = 1, to = 2, step = 0.5}"), "[1,1.5,2.0]");
}

// Two ways: the ends and the number of values, for steps that binary cannot hold.
TEST(Values, TheLastValueIsReachedWhateverTheRounding) {
    for (int count = 2; count <= 60; ++count) {
        const double step = 0.1, end = count * step;
        const Json range{{"from", step}, {"to", end}, {"step", step}};
        const auto read = read_values(range, "here");
        ASSERT_TRUE(read.ok());
        EXPECT_EQ(read->size(), static_cast<std::size_t>(count));
        EXPECT_NEAR(read->back().get<double>(), end, 1e-9);
    }
}

TEST(Values, ListsAreKeptAsTheyAre) {
    EXPECT_EQ(values("[4, 1, 4]"), "[4,1,4]");
    EXPECT_EQ(values("[[1, 3], [2]]"), "[[1,3],[2]]");
}

TEST(Values, WhatIsNoAxisIsRefused) {
    EXPECT_EQ(values("[]"), "here: is an empty list");
    EXPECT_EQ(values("3"),
              "here: must be a list, {from, to, step} or {from, to, times}; a single value belongs in base");
    EXPECT_THAT(values("{from = 1, to = 3, stop = 1}"), HasSubstr("unknown key 'stop' (did you mean step?)"));
    EXPECT_EQ(values("{from = 1, to = 3}"), "here: needs step (added) or times (multiplied)");
    EXPECT_EQ(values("{from = 1, to = 3, step = 1, times = 2}"),
              "here: has both step and times: give one of them");
    EXPECT_EQ(values("{to = 3, step = 1}"), "here.from: is missing");
    EXPECT_EQ(values("{from = true, to = 3, step = 1}"), "here.from: must be a number");
    EXPECT_EQ(values("{from = 1, to = inf, step = 1}"), "here.to: must be a number");
    EXPECT_EQ(values("{from = 1, to = 3, step = -1}"), "here.step: must lead from `from` to `to`");
    EXPECT_EQ(values("{from = 1, to = 3, step = 0}"), "here.step: must lead from `from` to `to`");
    EXPECT_EQ(values("{from = 0, to = 3, times = 2}"), "here: times needs `from` and `to` above 0");
    EXPECT_THAT(values("{from = 1, to = 3, times = 1}"), HasSubstr("here.times: must lead"));
    EXPECT_THAT(values("{from = 3, to = 1, times = 2}"), HasSubstr("here.times: must lead"));
    EXPECT_EQ(values("{from = 0, to = 1, step = 1e-9}"), "here: has more than 10000 values");
}

TEST(Values, SeedsAreAListARangeOrHowMany) {
    const auto seeds = [](const std::string& text) {
        const auto read = read_seeds(toml(text), "seeds");
        return read.ok() ? Json(*read).dump() : read.error().text();
    };
    EXPECT_EQ(seeds("3"), "[1,2,3]");
    EXPECT_EQ(seeds("[20, 30]"), "[20,30]");
    EXPECT_EQ(seeds("{from = 20, to = 70, step = 10}"), "[20,30,40,50,60,70]");
    EXPECT_EQ(seeds("0"), "seeds: must be 1..10000, got 0");
    EXPECT_EQ(seeds("[1.5]"), "seeds: a seed is a whole number from 0 on, got 1.5");
    EXPECT_EQ(seeds("[-1]"), "seeds: a seed is a whole number from 0 on, got -1");
}

}  // namespace
}  // namespace plimsoll::lab

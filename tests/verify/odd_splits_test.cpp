// An odd number of positions: every split is tried, with the bound of its own sides.
#include <algorithm>

#include <gtest/gtest.h>

#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/verify/attention_cases.h"

namespace plimsoll::verify {
namespace {

std::vector<std::string> trial_names(const std::string& id, Effort effort) {
    std::vector<std::string> names;
    for (const Trial& trial : find_claims({id}).value().front()->trials(effort)) names.push_back(trial.name);
    return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(OddSplits, EveryNumberOfPositionsOnSideAIsTried) {
    const auto names = trial_names("CAP-bound_int-ODD", Effort::quick);
    for (const char* side : {"1", "2", "3", "4"})
        EXPECT_TRUE(has(names, std::string("L=3 d=2 H=1 N=5 |A|=") + side)) << side;
}

// The network that exceeds the bound of the split with the output on the larger side: 25,630 > 25,080.
TEST(OddSplits, DeepTriesTheNetworkWhoseSmallerSideHasMore) {
    EXPECT_TRUE(has(trial_names("CAP-bound_int-ODD", Effort::deep), "L=3 d=4 H=1 N=5 |A|=2"));
    EXPECT_EQ(theory::split_bound(3, 4, 2, 3), 25630);
    EXPECT_EQ(theory::split_bound(3, 4, 3, 2), 25080);
}

// Sides exchanged, the bound is too small, and the trial finds it.
TEST(OddSplits, TheBoundOfTheOtherSplitFails) {
    const AttentionCase network{.depth = 2, .width = 3, .positions = 3, .side_a = 2};
    const auto trials = attention_trials({network}, at_most, [](const AttentionCase& c) {
        return std::optional(theory::split_bound(c.depth, c.width, c.right_count(), c.left_count()));
    });
    Measurements measurements({});
    const Observation seen = trials.front().observe(measurements).value();
    EXPECT_EQ(seen.said, "at most 41");
    EXPECT_EQ(seen.found, "43");
    EXPECT_EQ(seen.outcome, Outcome::fails);
}

}  // namespace
}  // namespace plimsoll::verify

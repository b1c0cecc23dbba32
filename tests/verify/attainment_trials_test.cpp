#include "plimsoll/verify/attainment_trials.h"

#include <gtest/gtest.h>

namespace plimsoll::verify {
namespace {

// "said, found" of the trial with this name.
std::string seen(const std::vector<Trial>& trials, const std::string& name) {
    Measurements measurements({});
    for (const Trial& trial : trials) {
        if (trial.name != name) continue;
        const auto observation = trial.observe(measurements).value();
        EXPECT_EQ(observation.outcome, Outcome::holds) << name;
        return observation.said + ", " + observation.found;
    }
    return "no such trial";
}

TEST(AttainmentTrials, MeasureTheRanksOfTheText) {
    const auto d1 = d1_network_trials(Effort::quick);
    EXPECT_EQ(seen(d1, "network L=3 H=3 d_a=2 N=3"), "30, 30");
    EXPECT_EQ(seen(d1, "network L=3 H=2 d_a=2 N=3, one constant"), "30, 30");
    const auto d2 = d2_network_trials(Effort::quick);
    EXPECT_EQ(seen(d2, "rho L0=2 d=5 q=3"), "at least 12, 12");
    EXPECT_EQ(seen(d2, "powers of the tangent form, d=3 i=1"), "at least 4, 6");
    EXPECT_EQ(seen(d2, "network L=3 L0=2 d=4 q=4"), "phi g^Lambda, the same");
    const auto heads = d2_heads_network_trials(Effort::quick);
    EXPECT_EQ(seen(heads, "rho L0=2 d=4 H=2 d_a=2 q=3"), "at least 9, 9");
    EXPECT_EQ(seen(heads, "rho L0=2 d=4 H=2 d_a=2 q=4, a block a head"), "at least 7, 10");
    EXPECT_EQ(seen(d3_network_trials(Effort::quick), "word n=2 nu=1 k=3 Lambda=4"), "25, 25");
    EXPECT_EQ(seen(split_network_trials(Effort::quick), "network d=5 H=9 d_a=2"),
              "the outputs of one head, the same");
}

}  // namespace
}  // namespace plimsoll::verify

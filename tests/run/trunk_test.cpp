#include "plimsoll/run/trunk.h"

#include <gtest/gtest.h>

#include "tests/run/config_support.h"

namespace plimsoll::run {
namespace {

RunConfig branch(const std::vector<std::string>& more = {}) {
    return parsed(text_run + R"(
name = "b"
schedule = { kind = "wsd", warmup = 10, decay = 20, min_lr_ratio = 0.1, share_trunk = true }
train.steps = 100
)",
                  more);
}

// The law that makes a trunk: the rates are the same, bit by bit, and so is all that a step depends on.
TEST(Trunk, HasTheRatesOfItsBranchesUntilTheyLeaveIt) {
    for (const char* lr : {"1e-3", "0.1", "7e-5"}) {
        for (const std::int64_t steps : {31, 100, 257}) {
            const RunConfig config =
                branch({"optimizer.lr=" + std::string(lr), "train.steps=" + std::to_string(steps)});
            const RunConfig trunk = *trunk_of(config);
            ASSERT_EQ(branching_step(config, steps), steps - 20);
            for (std::int64_t step = 0; step <= steps - 20; ++step)
                EXPECT_EQ(learning_rate(config, step, steps), learning_rate(trunk, step, most_steps)) << step;
            EXPECT_LT(learning_rate(config, steps - 19, steps), learning_rate(trunk, steps - 19, most_steps));
        }
    }
}

TEST(Trunk, IsOneForAllLengthsAndDecays) {
    const std::string id = run_hash(*trunk_of(branch()));
    for (const char* same :
         {"train.steps=500", "train.epochs=3", "schedule.decay=3", "schedule.min_lr_ratio=0", "name=other"})
        EXPECT_EQ(run_hash(*trunk_of(branch({same}))), id) << same;
    for (const char* other : {"schedule.warmup=11", "optimizer.lr=2e-3", "seeds.data=2", "seeds.init=2",
                              "seeds.dropout=2", "model.dropout=0.5", "train.batch=8", "train.log_every=7",
                              "train.eval_every=7", "train.eval_batches=7", "data.name=other.txt"})
        EXPECT_NE(run_hash(*trunk_of(branch({other}))), id) << other;
}

TEST(Trunk, IsAValidRunThatHasNoneItself) {
    const RunConfig trunk = *trunk_of(branch());
    EXPECT_TRUE(validate(trunk).ok());
    EXPECT_EQ(parsed(to_toml(trunk)), trunk);
    EXPECT_EQ(*total_steps(trunk, 7), most_steps);
    EXPECT_FALSE(trunk_of(trunk));
    EXPECT_TRUE(is_trunk(trunk));
    EXPECT_FALSE(is_trunk(branch()));
    EXPECT_FALSE(trunk_of(branch({"schedule.share_trunk=false"})));
    EXPECT_FALSE(trunk_of(parsed(text_run)));
}

}  // namespace
}  // namespace plimsoll::run

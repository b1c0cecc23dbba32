#include "plimsoll/run/stack_rules.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/run/config_keys.h"

namespace plimsoll::run {
namespace {

RunConfig base(const std::vector<std::string>& overrides = {}) {
    return parse_run_config(
               "[model]\nspec = \"transformer:depth=1,width=16,heads=2,vocab=256,context=16\"\n"
               "[data]\nname = \"text.txt\"\n",
               "run.toml", overrides)
        .value();
}

TEST(StackRules, EveryFreeKeyIsAKeyOfRunToml) {
    for (const auto& free : keys_free_in_a_stack()) {
        const auto& table = config_key_table();
        EXPECT_TRUE(std::ranges::any_of(table, [&](const auto& key) { return key.full_name() == free; }))
            << free;
    }
}

// Two ways to one answer.
TEST(StackRules, RunsStackWhenTheirKeysAreTheSame) {
    const std::vector<std::string> free{"seeds.init=2",     "optimizer.lr=0.5", "schedule.warmup=3",
                                        "train.steps=7",    "optimizer.clip=1", "name=x",
                                        "train.log_every=3"};
    const std::vector<std::string> shared{
        "train.batch=3",
        "data.name=other.txt",
        "train.precision=bf16",
        "model.dropout=0.1",
        "optimizer.kind=sgd",
        "train.eval_batches=3",
        "model.spec=transformer:depth=2,width=16,heads=2,vocab=256,context=16"};
    for (const auto& one : free) {
        EXPECT_EQ(stack_key(base()), stack_key(base({one}))) << one;
        EXPECT_FALSE(why_not_stacked(base(), base({one}))) << one;
    }
    for (const auto& one : shared) {
        EXPECT_NE(stack_key(base()), stack_key(base({one}))) << one;
        const std::string name = one.substr(0, one.find('='));
        EXPECT_THAT(why_not_stacked(base(), base({one})).value_or(""),
                    ::testing::StartsWith(name + " must be"));
    }
}

}  // namespace
}  // namespace plimsoll::run

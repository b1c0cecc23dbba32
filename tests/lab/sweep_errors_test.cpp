#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/spec.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Case {
    std::string toml, message;
};

TEST(SweepErrors, UnknownKeysAreNamedWithWhatTheyCouldMean) {
    for (const auto& [toml, message] : std::vector<Case>{
             {"axis = 1\n", "sweep.toml: unknown key 'axis' (did you mean axes?)"},
             {text_base + "[axes]\nmodel.deph = [1]\n",
              "sweep.toml:5: axes.model.deph: unknown key 'model.deph' (did you mean model.depth?)"},
             {text_base + "[axes]\ndepth = [1]\n",
              "sweep.toml:5: axes.depth: unknown key 'depth' (did you mean model.depth?)"},
             {text_base + "[axes]\nlr = [1]\n",
              "sweep.toml:5: axes.lr: unknown key 'lr' (did you mean optimizer.lr?)"},
             {text_base + "optimizer.rate = 1\n[axes]\n",
              "sweep.toml:4: base.optimizer.rate: unknown key 'optimizer.rate'; docs/RUNS.md has the keys of "
              "a run, "
              "plimsoll count --keys those of a spec"},
             {text_base + "[[zip]]\nmodel.depth = [1]\nmodel.widht = [1]\n",
              "sweep.toml:6: zip[0].model.widht: unknown key 'model.widht' (did you mean model.width?)"},
             {"keep = [\"model.dept < 3\"]\n" + text_base,
              "sweep.toml:1: keep: unknown key 'model.dept' (did you mean model.depth?)"}})
        EXPECT_EQ(refusal(toml), message);
}

TEST(SweepErrors, ASettingGivenTwiceNamesBothPlaces) {
    for (const auto& [toml, message] : std::vector<Case>{
             {text_base + "train.batch = 4\n[axes]\ntrain.batch = [1]\n",
              "sweep.toml:6: axes.train.batch: train.batch is given twice, also at sweep.toml:4: "
              "base.train.batch"},
             {text_base + "[axes]\nmodel.vocab = [300]\n",
              "sweep.toml:2: base.model.spec: model.vocab is given twice, also at sweep.toml:5: "
              "axes.model.vocab"},
             {text_base + "model.vocab = 300\n",
              "sweep.toml:2: base.model.spec: model.vocab is given twice, also at sweep.toml:4: "
              "base.model.vocab"},
             {text_base + "[axes]\nmodel.depth = [1]\n[[zip]]\nmodel.depth = [1]\nmodel.width = [8]\n",
              "sweep.toml:7: zip[0].model.depth: model.depth is given twice, also at sweep.toml:5: "
              "axes.model.depth"},
             {text_base + "[axes]\nmodel.width = [8]\n[budget]\nparameters = 9\n",
              "sweep.toml:6: budget: model.width is given twice, also at sweep.toml:5: axes.model.width"},
             {"seeds = 2\n" + text_base + "seeds.data = 4\n",
              "sweep.toml:1: seeds: seeds.data is given twice, also at sweep.toml:5: base.seeds.data"},
             {text_base + "[axes]\nmodel.spec = [\"mixer\"]\n",
              "sweep.toml:5: axes.model.spec: model.spec is given twice, also at sweep.toml:2: "
              "base.model.spec"},
             {"[base]\nmodel.spec = \"mixer:depth=1,depth=2\"\n",
              "sweep.toml:2: base.model.spec: depth is given twice"}})
        EXPECT_EQ(refusal(toml), message);
    EXPECT_THAT(refusal(text_base + "data.name = \"y\"\n"), StartsWith("sweep.toml:4:")) << "TOML itself";
}

TEST(SweepErrors, ValuesThatAKeyCannotHaveAreRefusedWhereTheyStand) {
    for (const auto& [toml, message] : std::vector<Case>{
             {text_base + "[axes]\noptimizer.lr = [1e-3, -1]\n",
              "sweep.toml:5: axes.optimizer.lr: must be more than 0, got -1"},
             {text_base + "[axes]\noptimizer.kind = [\"adamm\"]\n",
              "sweep.toml:5: axes.optimizer.kind: must be adamw|adam|sgd, got adamm (did you mean adamw or "
              "adam?)"},
             {text_base + "[axes]\ntrain.batch = [[1, 2]]\n",
              "sweep.toml:5: axes.train.batch: must be 1..1000000000, got [1,2]"},
             {text_base + "[axes]\ntrain.batch = 4\n",
              "sweep.toml:5: axes.train.batch: must be a list, {from, to, step} or {from, to, times}; a "
              "single value "
              "belongs in base"},
             {text_base + "train.batch = [4]\n",
              "sweep.toml:4: base.train.batch: must be 1..1000000000, got [4]"},
             {text_base + "[axes]\nmodel.spec = 4\n",
              "sweep.toml:5: axes.model.spec: must be a list, {from, to, step} or {from, to, times}; a "
              "single value "
              "belongs in base"},
             {"[base]\nmodel.spec = \"mixxer:depth=1\"\n",
              "sweep.toml:2: base.model.spec: unknown family 'mixxer' (did you mean mixer?)"},
             {"[base]\nmodel.spec = \"mixer:depth\"\n",
              "sweep.toml:2: base.model.spec: must be family:key=value,key=value, got 'depth'"}})
        EXPECT_EQ(refusal(toml), message);
}

TEST(SweepErrors, WhatIsMissingOrOfTheWrongShape) {
    for (const auto& [toml, message] : std::vector<Case>{
             {"", "sweep.toml: base: must be the path of a run.toml or a table [base] of settings"},
             {"base = 3\n",
              "sweep.toml:1: base: must be the path of a run.toml or a table [base] of settings"},
             {"[base]\ndata.name = \"x\"\n",
              "sweep.toml: model.spec is missing: give base.model.spec, with the keys that no axis varies"},
             {"axes = 3\n" + text_base, "sweep.toml:1: axes: must be a table: [axes]"},
             {text_base + "[zip]\nmodel.depth = [1]\n", "sweep.toml:4: zip: must be tables of axes: [[zip]]"},
             {text_base + "[[zip]]\nmodel.depth = [1]\n",
              "sweep.toml:4: zip[0]: needs two or more keys that vary together; a single key is an axis"},
             {text_base + "[[zip]]\nmodel.depth = [1, 2]\nmodel.width = [8]\n",
              "sweep.toml:6: zip[0].model.width: must have as many values as model.depth, 2, got 1"},
             {"keep = 3\n" + text_base,
              "sweep.toml:1: keep: must be conditions in quotes: [\"model.depth <= 12\"]"},
             {"budget = 3\n" + text_base, "sweep.toml:1: budget: must be a table: [budget]"}})
        EXPECT_EQ(refusal(toml), message);
}

TEST(SweepErrors, SettingsThatDoNotGoTogetherNameTheJob) {
    EXPECT_EQ(refusal(text_base + "[axes]\nmodel.depth = [2]\nmodel.width = [8, 9]\nmodel.heads = [2]\n"),
              "sweep.toml: model.depth=2, model.heads=2, model.width=9: heads: must divide width 9, got 2");
    EXPECT_EQ(
        refusal(text_base + "[axes]\nmodel.depth = [2]\nmodel.width = [8]\n"),
        "sweep.toml: model.depth=2, model.width=8: heads: missing; transformer needs depth, width, heads");
    const std::string whole = text_base + "model.depth = 1\nmodel.width = 8\nmodel.heads = 1\n";
    EXPECT_EQ(refusal(whole + "train.epochs = 3\n[axes]\ntrain.steps = [5]\n"),
              "sweep.toml: train.steps=5: train.steps: contradicts train.epochs: give 5 steps or 3 epochs, "
              "not both");
    EXPECT_EQ(refusal(whole + "train.epochs = 3\nschedule.warmup = 5000\n"),
              "sweep.toml: schedule.warmup: must be at most the 24 steps of the run, got 5000");
    EXPECT_EQ(refusal("keep = \"model.mlp_ratio > 1\"\n" + whole),
              "sweep.toml:1: keep: unknown key 'model.mlp_ratio'; docs/RUNS.md has the keys of a run, "
              "plimsoll count "
              "--keys those of a spec");
    EXPECT_EQ(refusal("[base]\nmodel.spec = \"mixer:depth=1,channels=8,tokens=4\"\n"),
              "sweep.toml: data.name is missing: what to train on");
    EXPECT_EQ(refusal("keep = \"model.expansion > 1\"\n[base]\ndata.name = \"x\"\nmodel.spec = "
                      "\"mixer:depth=1,channels=8,tokens=4\"\n"),
              "sweep.toml:1: keep: 'model.expansion > 1' uses a value that a job does not have");
}

TEST(SweepErrors, TooManyJobsAreRefusedBeforeTheyAreMade) {
    EXPECT_EQ(
        refusal("seeds = 10000\n" + text_base + "[axes]\nmodel.depth = {from = 1, to = 5000, step = 1}\n"),
        "sweep.toml: has more than 100000 combinations");
}

// A field of a spec is written model.<field>: none may look like a key of run.toml.
TEST(SweepErrors, NoFieldOfASpecHidesBehindAKeyOfARun) {
    for (const auto& family : arch::families())
        for (const auto& key : family.keys)
            EXPECT_FALSE(is_run_key("model." + key.name)) << family.name << " " << key.name;
}

}  // namespace
}  // namespace plimsoll::lab

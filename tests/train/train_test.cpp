#include <algorithm>
#include <filesystem>

#include <ATen/Parallel.h>

#include "plimsoll/model/init.h"
#include "plimsoll/run/config_fit.h"
#include "plimsoll/store/run_list.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;

TEST_F(TrainTest, TheLossFalls) {
    const auto summary = run(config_of(text_run)).value();
    const auto rows = store::read_metrics(summary.folder).value();
    EXPECT_LT(summary.train_loss, rows.front()["loss"].get<double>() - 0.5);
    EXPECT_GT(summary.validation.bits_per_byte, 1.2);  // the source itself has 1.24 bits a byte
    EXPECT_EQ(summary.validation.targets, 4 * 8 * 16);
}

TEST_F(TrainTest, LabelledSequencesTrainToo) {
    const auto summary = run(config_of(hops_run)).value();
    EXPECT_EQ(summary.validation.targets, 20);
}

TEST_F(TrainTest, TheSameConfigGivesTheSameBits) {
    EXPECT_EQ(metrics(run(config_of(text_run), "a").value()), metrics(run(config_of(text_run), "b").value()));
    EXPECT_NE(metrics(run(config_of(text_run), "a").value()),
              metrics(run(config_of(text_run, {"seeds.data=2"}), "a").value()));
}

// Wide and long enough for every operation of a step to be divided between threads.
TEST_F(TrainTest, TheNumberOfThreadsChangesNoBit) {
    const run::RunConfig config = config_of(
        text_run, {"model.spec=transformer:depth=2,width=96,heads=3,vocab=256,context=70", "train.steps=4"});
    const int before = at::get_num_threads();
    std::vector<std::string> seen;
    for (const int threads : {1, 2, 3}) {
        at::set_num_threads(threads);
        seen.push_back(metrics(run(config, "threads" + std::to_string(threads)).value()));
    }
    at::set_num_threads(before);
    EXPECT_EQ(seen[0], seen[1]);
    EXPECT_EQ(seen[0], seen[2]);
}

// Stopped after three, four, three, ... steps, wherever that is between rows and checkpoints.
TEST_F(TrainTest, ARunThatIsToldToStopGoesOnWithTheSameBits) {
    const run::RunConfig config = config_of(text_run);
    const RunSummary whole = run(config, "whole").value();
    RunSummary last;
    std::int64_t sessions = 0, before = 0;
    do {
        int asked = 0;
        TrainOptions options;
        options.runs = folder_.path() / "stopped";
        options.stop = [&] { return ++asked > 2 + sessions % 2; };
        last = train(config, options).value();
        EXPECT_GT(last.step, before);
        before = last.step;
    } while (++sessions < 40 && last.stopped);
    EXPECT_GT(sessions, 5);
    EXPECT_EQ(last.step, whole.step);
    EXPECT_EQ(metrics(last), metrics(whole));
    EXPECT_EQ(last.validation.loss, whole.validation.loss);
}

TEST_F(TrainTest, ACompleteRunIsNotTrainedAgain) {
    const auto first = run(config_of(text_run)).value();
    const auto second = run(config_of(text_run)).value();
    EXPECT_TRUE(second.was_done);
    EXPECT_EQ(second.validation.loss, first.validation.loss);
}

TEST_F(TrainTest, PartsOfABatchGiveAlmostTheSameLosses) {
    const auto whole = run(config_of(text_run, {"train.precision=fp64"})).value();
    const auto parts = run(config_of(text_run, {"train.precision=fp64", "optimizer.accumulate=4"})).value();
    EXPECT_NEAR(whole.validation.loss, parts.validation.loss,
                1e-9);  // sums in another order, 30 steps in double
}

TEST_F(TrainTest, EvaluationOfACheckpointIsThatOfTheRun) {
    const auto summary = run(config_of(text_run, {"train.eval_batches=0"})).value();
    const auto again = evaluate(summary.folder, {}).value();
    EXPECT_EQ(again.loss, summary.validation.loss);
    EvaluateOptions finer;
    finer.stride = 4;
    const auto strided = evaluate(summary.folder, finer).value();
    EXPECT_EQ(strided.targets, again.targets);
    EXPECT_NE(strided.loss, again.loss);  // more context for most targets
}

TEST_F(TrainTest, EventsAreWrittenOnRequestOnly) {
    const auto count = [&](const RunSummary& summary) {
        return std::ranges::count_if(
            std::filesystem::directory_iterator(summary.folder), [](const auto& entry) {
                return entry.path().filename().string().starts_with("events.out.tfevents.") &&
                       entry.file_size() > 300;
            });
    };
    EXPECT_EQ(count(run(config_of(text_run)).value()), 0);
    TrainOptions options;
    options.runs = folder_.path() / "with";
    options.tensorboard = true;
    EXPECT_EQ(count(train(config_of(text_run), options).value()), 1);
}

// The half without torch has a list of its own.
TEST_F(TrainTest, TheNamesOfInitialisationsAreTheModels) {
    std::vector<std::string> names;
    for (const auto& one : model::initialisations()) names.push_back(one.name);
    EXPECT_EQ(run::initialisation_names(), names);
}

TEST_F(TrainTest, WhatDoesNotFitIsSaid) {
    EXPECT_THAT(refusal(config_of(text_run, {"data.name=/no/such/file"})), HasSubstr("/no/such/file"));
    EXPECT_THAT(refusal(config_of(text_run, {"data.validation=test"})),
                HasSubstr("data.validation: there is no 'test' (one of: auto, all)"));
    EXPECT_THAT(refusal(config_of(text_run, {"data.examples=5"})),
                HasSubstr("data.examples: a text has no examples"));
    EXPECT_THAT(
        refusal(config_of(hops_run, {"model.spec=transformer:depth=1,width=16,heads=2,vocab=4,context=9,"
                                     "stack=encoder,head=classes,classes=3"})),
        HasSubstr("must have an output for each of the 4 labels of the data, has 3"));
    TrainOptions options;
    options.runs = folder_.path() / "runs";
    options.device = "tpu";
    EXPECT_THAT(train(config_of(text_run), options).error().text(), HasSubstr("must be cpu, cuda or cuda:1"));
}

}  // namespace
}  // namespace plimsoll::train

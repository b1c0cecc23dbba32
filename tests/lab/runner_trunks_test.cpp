#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/runner.h"
#include "plimsoll/lab/jobs/worker_protocol.h"
#include "plimsoll/lab/sweep/trunks.h"
#include "tests/lab/fake_trainer.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using enum JobResult;

// Plays a trunk by a checkpoint of the last step of the order, and everything else by `finish`.
const std::string trunk_or_branch = R"(
case $order in
    *\"keep\":*)
        last=${order#*\"keep\":[[}; last=${last%%]*}; last=${last##*,}
        mkdir -p $run/checkpoint/step-$last; state running
        echo "{\"step\": $last, \"metrics_bytes\": 0, \"kept\": true, \"files\": {}}" \
            > $run/checkpoint/step-$last/manifest.json;;
    *) finish;;
esac
)";

// Three lengths with a common trunk, each job alone.
class TrunkSweep {
  public:
    explicit TrunkSweep(const std::string& job)
        : plan(planned("[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=32\"\n"
                       "data.name = \"x.txt\"\n"
                       "schedule = { kind = \"wsd\", decay = 5, share_trunk = true }\n"
                       "[axes]\ntrain.steps = [20, 30, 40]\n")),
          trunk(trunks_of(plan).at(0).job),
          trainer_(worker_script(job)) {
        options.runs = trainer_.folder() / "runs";
        options.program = trainer_.program();
        options.patience = std::chrono::milliseconds(0);
        options.stack = false;
    }
    SweepOutcome run() {
        auto outcome = run_sweep(plan, options);
        EXPECT_TRUE(outcome.ok()) << outcome.error().text();
        return outcome.ok() ? *outcome : SweepOutcome{};
    }
    // What was ordered: "trunk 15,25,35" or the length of a branch.
    [[nodiscard]] std::vector<std::string> orders() const {
        std::vector<std::string> all;
        const auto text = read_text(trainer_.folder() / "orders");
        for (const auto& line : split(text.ok() ? trim(*text) : "", '\n')) all.push_back(told(line));
        return all;
    }
    [[nodiscard]] fs::path run_folder(const std::string& id) const { return options.runs / id; }

    Plan plan;
    Job trunk;
    RunnerOptions options;

  private:
    [[nodiscard]] std::string told(const std::string& line) const {
        const auto order = decode_order(line).value();
        const std::string id = order.configs.front().stem().string();
        if (id == trunk.id) {
            std::vector<std::string> steps;
            for (const auto step : order.keep.front()) steps.push_back(std::to_string(step));
            return "trunk " + join(steps, ",");
        }
        EXPECT_TRUE(order.keep.empty());
        const auto job = std::ranges::find(plan.jobs, id, &Job::id);
        return job == plan.jobs.end() ? "?" : std::to_string(job->config.train.steps);
    }

    FakeTrainer trainer_;
};

std::vector<JobResult> states_in(const std::vector<JobOutcome>& outcomes) {
    std::vector<JobResult> all;
    for (const auto& job : outcomes) all.push_back(job.state);
    return all;
}

TEST(RunnerTrunks, TheTrunkComesFirstAndOnce) {
    TrunkSweep sweep(trunk_or_branch);
    sweep.options.workers = 3;
    const auto outcome = sweep.run();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.jobs.size(), 3u);
    ASSERT_EQ(outcome.trunks.size(), 1u);
    EXPECT_EQ(outcome.trunks[0].id, sweep.trunk.id);
    EXPECT_TRUE(outcome.trunks[0].here);
    ASSERT_EQ(sweep.orders().size(), 4u);
    EXPECT_EQ(sweep.orders().front(), "trunk 15,25,35");
    EXPECT_TRUE(sweep.run().trunks.empty()) << "nothing is left that needs it";
    EXPECT_EQ(sweep.orders().size(), 4u);
}

TEST(RunnerTrunks, ALongerOneIsExtendedForWhatIsMissing) {
    TrunkSweep sweep(trunk_or_branch);
    EXPECT_TRUE(sweep.run().complete);
    fs::remove_all(sweep.run_folder(sweep.plan.jobs[1].id));
    auto outcome = sweep.run();
    EXPECT_TRUE(outcome.complete);
    EXPECT_FALSE(outcome.trunks.at(0).here) << "it is long enough";
    fs::remove_all(sweep.run_folder(sweep.plan.jobs[1].id));
    fs::remove_all(sweep.run_folder(sweep.trunk.id));
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("trunk 15,25,35", "20", "30", "40", "30", "trunk 25", "30"));
}

TEST(RunnerTrunks, WhatHasACheckpointOfItsOwnNeedsNone) {
    TrunkSweep sweep(trunk_or_branch);
    for (const Job& job : sweep.plan.jobs) {
        const auto checkpoint = sweep.run_folder(job.id) / "checkpoint/step-3";
        fs::create_directories(checkpoint);
        ASSERT_TRUE(
            atomic_write(checkpoint / "manifest.json", R"({"step": 3, "metrics_bytes": 0, "files": {}})")
                .ok());
    }
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("20", "30", "40"));
}

TEST(RunnerTrunks, OneThatFailsStopsNobody) {
    TrunkSweep sweep("case $order in *keep*) state failed 'the loss is nan'; exit 1;; esac; finish");
    const auto outcome = sweep.run();
    EXPECT_TRUE(outcome.complete);
    EXPECT_THAT(outcome.notes,
                ElementsAre("trunk " + sweep.trunk.id + ": the loss is nan; its runs train without it"));
    EXPECT_THAT(states_in(outcome.trunks), ElementsAre(failed));
}

TEST(RunnerTrunks, HeldElsewhereItsBranchesAreToo) {
    TrunkSweep sweep(
        "case $order in *keep*) echo \"error: run $id: is being written by process 7\" >&2; exit 4;; esac; "
        "finish");
    const auto outcome = sweep.run();
    EXPECT_THAT(states_in(outcome.jobs), ElementsAre(elsewhere, elsewhere, elsewhere));
    EXPECT_EQ(outcome.jobs[0].reason, "its trunk " + sweep.trunk.id + ": is being written by process 7");
    EXPECT_THAT(sweep.orders(), ElementsAre("trunk 15,25,35"));
}

}  // namespace
}  // namespace plimsoll::lab

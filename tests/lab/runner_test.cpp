#include "plimsoll/lab/jobs/runner.h"

#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/text.h"
#include "plimsoll/store/lease.h"
#include "tests/lab/fake_trainer.h"
#include "tests/lab/sweep_support.h"
#include "tests/support/error_text.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum JobResult;

Plan seeds(int count) {
    return planned("seeds = " + std::to_string(count) +
                   "\n[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=32\"\n"
                   "data.name = \"x.txt\"\ntrain.steps = 3\n");
}

// A sweep whose jobs are played by a script, each alone.
class PlayedSweep {
  public:
    PlayedSweep(int count, const std::string& script) : plan(seeds(count)), trainer_(worker_script(script)) {
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
    std::string error() {
        const auto outcome = run_sweep(plan, options);
        EXPECT_FALSE(outcome.ok());
        return error_text(outcome);
    }
    // "SEED DEVICE" of each run that was begun so far.
    [[nodiscard]] std::vector<std::string> calls() const { return lines_of("calls"); }
    // The workers that were started.
    [[nodiscard]] std::size_t starts() const { return lines_of("starts").size(); }
    [[nodiscard]] fs::path folder() const { return trainer_.folder(); }

    Plan plan;
    RunnerOptions options;

  private:
    [[nodiscard]] std::vector<std::string> lines_of(const char* file) const {
        const auto text = read_text(trainer_.folder() / file);
        return text.ok() ? split(trim(*text), '\n') : std::vector<std::string>();
    }

    FakeTrainer trainer_;
};

std::vector<JobResult> states(const SweepOutcome& outcome) {
    std::vector<JobResult> all;
    for (const auto& job : outcome.jobs) all.push_back(job.state);
    return all;
}

TEST(Runner, RunsWhatIsMissingAndNothingTwice) {
    PlayedSweep sweep(4, "finish\n");
    const auto first = sweep.run();
    EXPECT_TRUE(first.complete);
    EXPECT_EQ(first.count(done), 4u);
    EXPECT_TRUE(first.jobs[0].here);
    EXPECT_EQ(first.jobs[0].loss, 1.5);
    EXPECT_THAT(sweep.calls(), ElementsAre("1 cpu", "2 cpu", "3 cpu", "4 cpu"));
    EXPECT_EQ(sweep.starts(), 1u) << "one worker for all of them";
    fs::remove_all(sweep.options.runs / sweep.plan.jobs[2].id);
    const auto second = sweep.run();
    EXPECT_TRUE(second.complete);
    EXPECT_FALSE(second.jobs[0].here);
    EXPECT_TRUE(second.jobs[2].here);
    EXPECT_EQ(sweep.calls().size(), 5u);
    sweep.options.program = "/no/such/program";
    EXPECT_TRUE(sweep.run().complete) << "nothing to start";
}

TEST(Runner, AFailedJobStopsNoOtherAndIsTriedAgainOnlyWhenAsked) {
    PlayedSweep sweep(3,
                      "if [ $seed = 2 ]; then state failed 'the loss is nan'; echo 'error: train: nan at "
                      "step 3' >&2; exit 1; "
                      "fi; finish\n");
    const auto first = sweep.run();
    EXPECT_THAT(states(first), ElementsAre(done, failed, done));
    EXPECT_EQ(first.jobs[1].reason, "the loss is nan");
    EXPECT_TRUE(first.jobs[1].lasting);
    EXPECT_THAT(first.jobs[1].last_log_lines, ElementsAre("error: train: nan at step 3"));
    EXPECT_FALSE(first.complete);
    const auto second = sweep.run();
    EXPECT_EQ(sweep.calls().size(), 3u);
    EXPECT_THAT(states(second), ElementsAre(done, failed, done));
    EXPECT_THAT(second.jobs[1].last_log_lines, ElementsAre("error: train: nan at step 3"));
    sweep.options.retry_failed = true;
    sweep.run();
    EXPECT_EQ(sweep.calls().size(), 4u);
}

TEST(Runner, AProcessThatFailsIsReportedAndTriedAgainNextTime) {
    PlayedSweep sweep(
        4,
        "case $seed in 1) echo 'error: data: no such file' >&2; exit 3;; 2) echo woe; kill -9 $$;; 3) exit "
        "0;; esac; exit 109\n");
    const auto outcome = sweep.run();
    EXPECT_EQ(outcome.count(failed), 4u);
    EXPECT_EQ(outcome.jobs[0].reason, "data: no such file");
    EXPECT_FALSE(outcome.jobs[0].lasting);
    EXPECT_THAT(outcome.jobs[0].last_log_lines, ElementsAre("error: data: no such file"));
    EXPECT_EQ(outcome.jobs[1].reason, "its process was ended by signal 9");
    EXPECT_THAT(outcome.jobs[1].last_log_lines, ElementsAre("woe"));
    EXPECT_EQ(outcome.jobs[2].reason, "its worker reported it as done, but the run is not");
    EXPECT_EQ(outcome.jobs[3].reason, "its process ended with exit code 9");
    EXPECT_EQ(sweep.calls().size(), 6u) << "twice over what a worker died";
    sweep.run();
    EXPECT_EQ(sweep.calls().size(), 12u);
}

const std::string held_until_free =
    "if [ $seed = 1 ] && ! [ -e $here/free ]; then echo \"error: run $id: is being written by process 7 on "
    "node2\" >&2; exit 4; fi; finish\n";

TEST(Runner, WhatSomebodyElseIsAtComesLastOrStaysWithHim) {
    PlayedSweep sweep(3, held_until_free);
    const auto outcome = sweep.run();
    EXPECT_THAT(states(outcome), ElementsAre(elsewhere, done, done));
    EXPECT_EQ(outcome.jobs[0].reason, "is being written by process 7 on node2");
    EXPECT_FALSE(outcome.complete);
}

TEST(Runner, WaitingForSomebodyElse) {
    PlayedSweep sweep(2, "[ $seed = 2 ] && touch $here/free\n" + held_until_free);
    sweep.options.wait = true;
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.calls(), ElementsAre("1 cpu", "2 cpu", "1 cpu"));
}

// A live process is at job 1 as its files say: the others come first, then it is asked all the same.
TEST(Runner, TheFilesOnlyPutAJobOff) {
    PlayedSweep sweep(3, "finish\n");
    const fs::path run = sweep.options.runs / sweep.plan.jobs[0].id;
    fs::create_directories(run);
    ASSERT_TRUE(atomic_write(run / "config.toml", "").ok());
    ASSERT_TRUE(atomic_write(run / "state.json", R"({"phase": "running", "step": 0, "reason": ""})").ok());
    const auto claim = store::Lease::take(run);
    ASSERT_TRUE(claim.ok()) << claim.error().text();
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.calls(), ElementsAre("2 cpu", "3 cpu", "1 cpu"));
}

TEST(Runner, WhatIsWrongForAllEndsTheSweep) {
    PlayedSweep sweep(3, "echo 'error: device: no CUDA here' >&2; exit 4\n");
    EXPECT_EQ(sweep.error(), "device: no CUDA here");
    EXPECT_EQ(sweep.calls().size(), 1u);
    sweep.options.program = "/no/such/program";
    EXPECT_EQ(sweep.error(), "/no/such/program: no such program");
    sweep.options.workers = 0;
    EXPECT_EQ(sweep.error(), "workers: must be at least 1");
    sweep.options = {.runs = "/dev/null/runs", .program = "x"};
    EXPECT_THAT(sweep.error(), HasSubstr("/dev/null/runs"));
}

TEST(Runner, WorkersShareTheDevices) {
    PlayedSweep sweep(6, "sleep 0.05; finish\n");
    sweep.options.workers = 2;
    sweep.options.device = "cuda:0,cuda:1";
    std::size_t most = 0;
    sweep.options.tell = [&](const SweepProgress& progress) {
        most = std::max(most, progress.running.size());
        EXPECT_EQ(progress.done + progress.failed + progress.running.size() + progress.waiting, 6u);
    };
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_EQ(most, 2u);
    const auto calls = sweep.calls();
    for (const char* device : {"cuda:0", "cuda:1"})
        EXPECT_GT(std::ranges::count_if(calls, [&](const auto& call) { return call.ends_with(device); }), 1);
}

TEST(Runner, EachJobIsToldItsThreads) {
    PlayedSweep sweep(2, "[ \"$OMP_NUM_THREADS\" = 3 ] && finish\n");
    sweep.options.threads = 3;
    EXPECT_TRUE(sweep.run().complete);
}

const std::string stops_cleanly = "trap 'exit 75' TERM; touch $here/$seed; while :; do sleep 0.005; done\n";

TEST(Runner, AskedToStopItWaitsForItsChildren) {
    PlayedSweep sweep(4, "[ $seed = 1 ] && { finish; exit; }\n" + stops_cleanly);
    sweep.options.workers = 2;
    sweep.options.stop_requested = [&] { return fs::exists(sweep.folder() / "3"); };
    std::vector<StopCause> told;
    sweep.options.tell = [&](const SweepProgress& progress) { told.push_back(progress.stopping); };
    const auto outcome = sweep.run();
    EXPECT_THAT(states(outcome), ElementsAre(done, stopped, stopped, waiting));
    EXPECT_EQ(outcome.stopped, StopCause::asked);
    EXPECT_EQ(told.back(), StopCause::asked);
}

TEST(Runner, AskedTwiceItKills) {
    PlayedSweep sweep(1, "trap '' TERM; touch $here/1; while :; do sleep 0.005; done\n");
    int asked = 0;
    sweep.options.stop_requested = [&] { return fs::exists(sweep.folder() / "1"); };
    sweep.options.kill_requested = [&] { return sweep.options.stop_requested() && ++asked > 5; };
    EXPECT_THAT(states(sweep.run()), ElementsAre(stopped));
}

TEST(Runner, AProcessThatIsStoppedByOthersGoesOnLater) {
    PlayedSweep sweep(2, "[ $seed = 1 ] && exit 75\nfinish\n");
    const auto outcome = sweep.run();
    EXPECT_THAT(states(outcome), ElementsAre(stopped, done));
    EXPECT_EQ(outcome.stopped, StopCause::none);
    EXPECT_FALSE(outcome.complete);
}

TEST(Runner, WhenTheTimeIsOverNothingBegins) {
    PlayedSweep sweep(2, "finish\n");
    sweep.options.stop_after = std::chrono::seconds(0);
    const auto outcome = sweep.run();
    EXPECT_EQ(outcome.stopped, StopCause::time);
    EXPECT_THAT(states(outcome), ElementsAre(waiting, waiting));
    sweep.options.stop_after = std::chrono::seconds(1000);
    EXPECT_TRUE(sweep.run().complete);
    sweep.options.stop_after = std::chrono::seconds(0);
    EXPECT_EQ(sweep.run().stopped, StopCause::none) << "nothing was left";
}

TEST(Runner, TellsHowLongItTakes) {
    PlayedSweep sweep(3, "[ $seed = 1 ] && sleep 0.05; finish\n");
    std::vector<std::optional<double>> left;
    std::vector<std::string> ended;
    sweep.options.tell = [&](const SweepProgress& progress) {
        if (progress.ended == nullptr) return;
        left.push_back(progress.seconds_left);
        ended.push_back(progress.ended->id);
        EXPECT_EQ(progress.ended_number, ended.size());
    };
    sweep.run();
    EXPECT_EQ(ended, ids(sweep.plan));
    ASSERT_EQ(left.size(), 3u);
    EXPECT_GT(left[0], 0.05) << "two jobs like the first";
    EXPECT_EQ(left[2], 0);
}

TEST(Runner, DamagedFilesAreReported) {
    PlayedSweep sweep(1, "finish\n");
    const fs::path run = sweep.options.runs / sweep.plan.jobs[0].id;
    fs::create_directories(run);
    ASSERT_TRUE(atomic_write(run / "config.toml", "").ok());
    ASSERT_TRUE(atomic_write(run / "metrics.jsonl", "{\"st").ok());
    EXPECT_THAT(sweep.run().notes,
                ElementsAre("run " + sweep.plan.jobs[0].id +
                            ": metrics.jsonl ends in half a line; it is removed when the run resumes"));
}

}  // namespace
}  // namespace plimsoll::lab

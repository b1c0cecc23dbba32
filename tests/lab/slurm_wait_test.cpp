#include "plimsoll/lab/slurm/slurm_wait.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "tests/lab/slurm_support.h"

namespace plimsoll::lab {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr int most_looks = 2'000;  // a wait that never ends is a defect, and ends here

// Three jobs, of which the first is submitted as 100_0 and so on.
class SlurmWaitTest : public ::testing::Test {
  protected:
    void SetUp() override {
        plan_ = planned(three_jobs);
        submit_ = slurm_.options();
        submit_.runs = "/nowhere";  // the runner's count
        submit_.between_looks = milliseconds(1);
        submit_.late_files = milliseconds(0);
        runner_.runs = slurm_.runs();
        runner_.tell = [this](const SweepProgress& progress) { told(progress); };
        runner_.stop_requested = [this] { return stop_ || ++asked_ > most_looks; };
    }
    void told(const SweepProgress& progress) {
        EXPECT_EQ(progress.jobs, progress.done + progress.failed + progress.elsewhere + progress.stopped +
                                     progress.waiting + progress.running.size());
        last_ = progress;
        if (progress.ended != nullptr) ended_.push_back(progress.ended->id);
        if (on_tell_) on_tell_(progress);
    }
    SweepOutcome wait() {
        asked_ = 0;
        const auto outcome = run_on_slurm(plan_, submit_, runner_);
        EXPECT_TRUE(outcome.ok()) << outcome.error().text();
        EXPECT_LE(asked_, most_looks) << "waited in vain";
        return outcome.ok() ? *outcome : SweepOutcome();
    }
    [[nodiscard]] std::size_t submissions() const {
        std::size_t count = 0;
        for (const auto& line : split(slurm_.calls(), '\n')) count += line.starts_with("sbatch") ? 1 : 0;
        return count;
    }
    [[nodiscard]] std::string line(int task, const std::string& state) const {
        return fmt::format("100|{}|1|{}|None|x\n", task, state);
    }
    void all_in_state(const std::string& state) {
        slurm_.queue(line(0, state) + line(1, state) + line(2, state));
    }
    void finish_all() {
        for (const auto& job : plan_.jobs) slurm_.finish(job.id);
    }
    void write_state(const std::string& id, const std::string& phase, const std::string& reason) {
        slurm_.finish(id);
        ASSERT_TRUE(atomic_write(slurm_.runs() / id / "state.json",
                                 fmt::format(R"({{"phase":"{}","step":4,"reason":"{}"}})", phase, reason))
                        .ok());
    }
    [[nodiscard]] static std::vector<JobResult> states(const SweepOutcome& outcome) {
        std::vector<JobResult> all;
        for (const auto& job : outcome.jobs) all.push_back(job.state);
        return all;
    }

    PlayedSlurm slurm_;
    Plan plan_;
    SubmitOptions submit_;
    RunnerOptions runner_;
    std::function<void(const SweepProgress&)> on_tell_;
    SweepProgress last_;
    std::vector<std::string> ended_;
    bool stop_ = false;
    int asked_ = 0;
};

TEST_F(SlurmWaitTest, SubmitsAndWaitsUntilAllIsDone) {
    all_in_state("PENDING");
    std::vector<std::size_t> waiting, running;
    std::optional<double> loss;
    on_tell_ = [&](const SweepProgress& progress) {
        if (progress.waiting == 3) {
            slurm_.queue(line(0, "RUNNING") + line(1, "PENDING") + line(2, "PENDING"));
            write_state(plan_.jobs[0].id, "running", "");
            ASSERT_TRUE(atomic_write(slurm_.runs() / plan_.jobs[0].id / "metrics.jsonl",
                                     "{\"step\":4,\"loss\":2.5}\n")
                            .ok());
        }
        if (progress.running.empty()) return;
        EXPECT_EQ(progress.running[0].number, 1u);
        EXPECT_EQ(progress.running[0].id, plan_.jobs[0].id);
        EXPECT_EQ(progress.running[0].step, 4);
        EXPECT_EQ(progress.running[0].steps, 10);
        EXPECT_EQ(progress.waiting, 2u);
        loss = progress.running[0].loss;
        finish_all();
        all_in_state("COMPLETED");
    };
    const auto outcome = wait();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.stopped, StopCause::none);
    EXPECT_EQ(loss, 2.5);
    EXPECT_EQ(submissions(), 1u);
    EXPECT_THAT(outcome.jobs, Each(Field(&JobOutcome::here, true)));
    EXPECT_GT(outcome.jobs[0].seconds, 0);
    EXPECT_EQ(last_.done, 3u);
    EXPECT_THAT(ended_, UnorderedElementsAre(plan_.jobs[0].id, plan_.jobs[1].id, plan_.jobs[2].id));
}

TEST_F(SlurmWaitTest, WhatIsDoneNeedsNoSlurm) {
    finish_all();
    submit_.slurm = Slurm(slurm_.folder() / "nothing");
    const auto outcome = wait();
    EXPECT_TRUE(outcome.complete);
    EXPECT_THAT(outcome.jobs, Each(Field(&JobOutcome::here, false)));
    EXPECT_THAT(ended_, ElementsAre());
}

TEST_F(SlurmWaitTest, AStopLeavesTheArrayAndTheNextCallWaitsForIt) {
    slurm_.queue(line(0, "RUNNING") + line(1, "PENDING") + line(2, "PENDING"));
    on_tell_ = [&](const SweepProgress& progress) { stop_ = stop_ || !progress.running.empty(); };
    const auto stopped = wait();
    EXPECT_EQ(stopped.stopped, StopCause::asked);
    EXPECT_FALSE(stopped.complete);
    EXPECT_THAT(states(stopped), ElementsAre(JobResult::stopped, JobResult::waiting, JobResult::waiting));
    EXPECT_EQ(last_.stopping, StopCause::asked);
    EXPECT_TRUE(last_.running.empty()) << "nobody waits for them";
    EXPECT_THAT(slurm_.calls(), Not(HasSubstr("scancel")));
    EXPECT_THAT(stopped.notes, ElementsAre("Slurm still runs 3 jobs; scancel 100 ends them"));
    stop_ = false;
    on_tell_ = [&](const SweepProgress& progress) {
        if (progress.running.size() == 1) finish_all();
    };
    EXPECT_TRUE(wait().complete);
    EXPECT_EQ(submissions(), 1u);
}

TEST_F(SlurmWaitTest, StoppedBeforeItBegan) {
    stop_ = true;
    const auto outcome = wait();
    EXPECT_EQ(outcome.stopped, StopCause::asked);
    EXPECT_THAT(states(outcome), Each(JobResult::waiting));
    EXPECT_THAT(outcome.notes, ElementsAre());
    EXPECT_EQ(slurm_.calls(), "");
    stop_ = false;
    runner_.kill_requested = [] { return true; };
    EXPECT_EQ(wait().stopped, StopCause::asked);
    runner_.kill_requested = {};
    runner_.stop_after = std::chrono::seconds(0);
    EXPECT_EQ(wait().stopped, StopCause::time);
    EXPECT_EQ(slurm_.calls(), "");
}

TEST_F(SlurmWaitTest, AStopDoesNotWaitForASlowController) {
    all_in_state("PENDING");
    on_tell_ = [&](const SweepProgress&) {
        slurm_.play("squeue", "touch '" + (slurm_.folder() / "hangs").string() + "'; sleep 10000");
    };
    runner_.stop_requested = [this] { return std::filesystem::exists(slurm_.folder() / "hangs"); };
    EXPECT_EQ(wait().stopped, StopCause::asked);
}

TEST_F(SlurmWaitTest, FailuresAreSlurmsOwnWordsAndTheNextCallTriesAgain) {
    slurm_.queue(line(0, "OUT_OF_MEMORY") + line(1, "FAILED") + line(2, "TIMEOUT"));
    write_state(plan_.jobs[1].id, "running", "");
    slurm_.play("sbatch", "echo 100; echo 'error: no memory' > '" +
                              (sweep_folder(plan_, slurm_.runs()) / "slurm-100_0.log").string() + "'");
    const auto outcome = wait();
    EXPECT_THAT(states(outcome), Each(JobResult::failed));
    EXPECT_EQ(outcome.jobs[0].reason, "OUT_OF_MEMORY");
    EXPECT_THAT(outcome.jobs[0].last_log_lines, ElementsAre("error: no memory"));
    EXPECT_EQ(outcome.jobs[1].reason, "FAILED");
    EXPECT_EQ(outcome.jobs[2].reason, "TIMEOUT");
    EXPECT_THAT(outcome.jobs,
                Each(AllOf(Field(&JobOutcome::lasting, false), Field(&JobOutcome::here, true))));
    EXPECT_EQ(outcome.stopped, StopCause::none);
    EXPECT_EQ(ended_.size(), 3u);
    wait();
    EXPECT_EQ(submissions(), 2u) << "once a call";
}

TEST_F(SlurmWaitTest, WhatDivergedIsTriedAgainOnlyWhenAsked) {
    write_state(plan_.jobs[0].id, "failed", "diverged at step 4");
    slurm_.finish(plan_.jobs[1].id);
    slurm_.finish(plan_.jobs[2].id);
    const auto outcome = wait();
    EXPECT_EQ(submissions(), 0u);
    EXPECT_EQ(outcome.jobs[0].state, JobResult::failed);
    EXPECT_EQ(outcome.jobs[0].reason, "diverged at step 4");
    EXPECT_TRUE(outcome.jobs[0].lasting);
    EXPECT_FALSE(outcome.jobs[0].here);
    EXPECT_THAT(ended_, ElementsAre()) << "it was so before";
    runner_.retry_failed = true;
    slurm_.queue(line(0, "RUNNING"));
    on_tell_ = [&](const SweepProgress& progress) {
        if (!progress.running.empty()) finish_all();
    };
    EXPECT_TRUE(wait().complete);
    EXPECT_EQ(submissions(), 1u);
}

TEST_F(SlurmWaitTest, CancelledIsAskedToStop) {
    slurm_.finish(plan_.jobs[0].id);
    slurm_.queue(line(0, "CANCELLED") + line(1, "PREEMPTED"));
    const auto outcome = wait();
    EXPECT_THAT(states(outcome), ElementsAre(JobResult::done, JobResult::stopped, JobResult::stopped));
    EXPECT_EQ(outcome.jobs[1].reason, "CANCELLED");
    EXPECT_EQ(outcome.stopped, StopCause::asked);
}

TEST_F(SlurmWaitTest, FilesMayBeLate) {
    submit_.late_files = std::chrono::hours(1);
    all_in_state("COMPLETED");
    int reports = 0;
    on_tell_ = [&](const SweepProgress& progress) {
        EXPECT_EQ(progress.failed, 0u);
        if (++reports == 1) finish_all();
    };
    EXPECT_TRUE(wait().complete);
}

TEST_F(SlurmWaitTest, ATaskThatEndedWithoutItsRun) {
    all_in_state("COMPLETED");
    const auto outcome = wait();
    EXPECT_THAT(states(outcome), Each(JobResult::failed));
    EXPECT_EQ(outcome.jobs[1].reason, "task 100_1 is no longer in Slurm's queue, and the run is not done");
}

TEST_F(SlurmWaitTest, AControllerMayBeAwayForAWhile) {
    all_in_state("PENDING");
    const std::string away = "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1";
    int reports = 0;
    on_tell_ = [&](const SweepProgress&) {
        if (++reports == 1) slurm_.play("squeue", away);
        if (reports == 2) finish_all();
        if (reports == 2) all_in_state("COMPLETED");
    };
    EXPECT_TRUE(wait().complete);
    EXPECT_GE(reports, 2);

    std::filesystem::remove_all(slurm_.runs());
    slurm_.play("sbatch", "echo 100");
    submit_.silence = milliseconds(0);
    all_in_state("PENDING");
    on_tell_ = [&](const SweepProgress&) { slurm_.play("squeue", away); };
    const auto lost = run_on_slurm(plan_, submit_, runner_);
    ASSERT_FALSE(lost.ok());
    EXPECT_EQ(lost.error().text(), "squeue: slurm_load_jobs error: Unable to contact slurm controller");
}

TEST_F(SlurmWaitTest, ARefusalIsAnError) {
    slurm_.play("sbatch", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1");
    EXPECT_EQ(run_on_slurm(plan_, submit_, runner_).error().text(),
              "sbatch: sbatch: error: invalid partition specified: x");
    submit_.slurm = Slurm(slurm_.folder() / "nothing");
    std::filesystem::remove_all(slurm_.runs());
    const auto missing = run_on_slurm(plan_, submit_, runner_);
    EXPECT_THAT(missing.error().text(),
                HasSubstr("scontrol: no such program; is this a machine that submits to Slurm?"));
    EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace plimsoll::lab

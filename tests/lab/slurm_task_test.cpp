#include "plimsoll/lab/slurm/slurm_task.h"

#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/store/run_folder.h"
#include "tests/lab/slurm_support.h"

namespace plimsoll::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A task of a submission of three jobs, with a script in the place of plimsoll-torch.
class SlurmTaskTest : public ::testing::Test {
  protected:
    void SetUp() override {
        plan_ = planned(three_jobs);
        ASSERT_TRUE(submit_sweep(plan_, slurm_.options()).ok());
        slurm_.play("scontrol", "echo 'JobId=7 JobState=RUNNING Reason=None Restarts=0'");
        options_.list = submission_jobs(sweep_folder(plan_, slurm_.runs()), 1);
        options_.number = 1;
        options_.runs = slurm_.runs();
        options_.program = slurm_.folder() / "bin" / "trainer";
        options_.slurm_job = "7";
        options_.slurm_task = "100_1";
        options_.slurm = slurm_.slurm();
        options_.tell = [this](const std::string& line) { told_ += line + "\n"; };
        options_.between_looks = std::chrono::milliseconds(5);
    }
    int run(const std::string& script) {
        slurm_.play("trainer", script);
        const auto code = run_task(options_);
        EXPECT_TRUE(code.ok()) << code.error().text();
        return code.ok() ? *code : -1;
    }
    std::vector<std::string> notes() {
        std::vector<std::string> events;
        for (const auto& note : task_notes(options_.list.parent_path(), id())) events.push_back(note.event);
        return events;
    }
    [[nodiscard]] const std::string& id() const { return plan_.jobs[1].id; }

    PlayedSlurm slurm_;
    Plan plan_;
    TaskOptions options_;
    std::string told_;
};

TEST_F(SlurmTaskTest, TrainsItsJob) {
    EXPECT_EQ(run("exit 0"), 0);
    EXPECT_THAT(slurm_.calls(),
                HasSubstr("trainer train " + (options_.list.parent_path() / "jobs" / id()).string() +
                          ".toml --runs " + options_.runs.string() + " --alone --device cpu\n"));
    EXPECT_THAT(notes(), ElementsAre("started", "done"));
}

TEST_F(SlurmTaskTest, WhatIsDoneIsNotTrained) {
    slurm_.finish(id());
    EXPECT_EQ(run("exit 1"), 0);
    EXPECT_THAT(notes(), ElementsAre("done"));
}

TEST_F(SlurmTaskTest, AFailureIsAFailure) {
    EXPECT_EQ(run("exit 3"), 3);
    EXPECT_THAT(notes(), ElementsAre("started", "failed"));
    EXPECT_THAT(told_, HasSubstr("failed: plimsoll-torch ended with 3"));
    EXPECT_EQ(run("kill -9 $$"), 128 + SIGKILL);
    EXPECT_EQ(run("exit 4"), 4) << "not supported, and nobody has the run: tried once more, then a failure";
}

TEST_F(SlurmTaskTest, AStoppedRunGoesBackIntoTheQueue) {
    EXPECT_EQ(run("exit 75"), 0);
    EXPECT_THAT(slurm_.calls(), HasSubstr("scontrol requeue 7\n"));
    EXPECT_THAT(notes(), ElementsAre("started", "requeued"));
}

TEST_F(SlurmTaskTest, TheSignalIsPassedOn) {
    options_.signal = [this] { return std::filesystem::exists(slurm_.folder() / "ready") ? SIGUSR1 : 0; };
    EXPECT_EQ(run("trap 'exit 75' USR1; touch '" + (slurm_.folder() / "ready").string() +
                  "'; while true; do sleep 0.01; done"),
              0);
    EXPECT_THAT(notes(), ElementsAre("started", "requeued"));
    // A program that does not listen yet dies of it; that is no failure of the run.
    EXPECT_EQ(run("exec sleep 60"), 0);
    EXPECT_THAT(notes(), ElementsAre("started", "requeued", "started", "requeued"));
}

TEST_F(SlurmTaskTest, WhatSlurmEndsDoesNotComeBack) {
    slurm_.play("scontrol", "echo 'JobState=COMPLETING Restarts=0'");
    EXPECT_EQ(run("exit 75"), exit_stopped);
    EXPECT_THAT(told_, HasSubstr("not requeued: Slurm ends the job (COMPLETING)"));
    slurm_.play("scontrol", "echo 'JobState=RUNNING Restarts=1'");
    EXPECT_EQ(run("exit 75"), exit_stopped);
    EXPECT_THAT(told_, HasSubstr("Slurm has restarted the job"));
    options_.slurm_job.clear();
    EXPECT_EQ(run("exit 75"), exit_stopped);
    EXPECT_THAT(notes(), ElementsAre("started", "stopped", "started", "stopped", "started", "stopped"));
    EXPECT_THAT(slurm_.calls(), ::testing::Not(HasSubstr("requeue")));
}

TEST_F(SlurmTaskTest, ThreeSessionsWithoutAStepAreAFailure) {
    EXPECT_EQ(run("exit 75"), 0);
    EXPECT_EQ(run("exit 75"), 0);
    EXPECT_EQ(run("exit 75"), exit_stopped);
    EXPECT_THAT(told_, HasSubstr("failed: 3 sessions in a row made no step"));
    EXPECT_EQ(notes().back(), "failed");
}

TEST_F(SlurmTaskTest, WaitsForWhoeverHasTheRun) {
    auto held = store::Run::create_or_open(options_.runs, run::to_toml(plan_.jobs[1].config));
    ASSERT_TRUE(held.ok()) << held.error().text();
    std::optional<store::Run> run_of_another(std::move(held).value());
    options_.tell = [&](const std::string& line) {
        told_ += line;
        if (line.find("waiting") != std::string::npos) run_of_another.reset();
    };
    // As plimsoll-torch does: 4 while somebody has the run.
    const std::string once = (slurm_.folder() / "once").string();
    EXPECT_EQ(run("test -e '" + once + "' && exit 0; touch '" + once + "'; exit 4"), 0);
    EXPECT_THAT(notes(), ElementsAre("started", "waiting", "started", "done"));
    EXPECT_THAT(told_, HasSubstr("is being written by process"));
}

// A line with several ids, as for a GPU: one process for all of them, and each has its own notes.
TEST_F(SlurmTaskTest, AStackIsOneProcess) {
    const auto& jobs = plan_.jobs;
    ASSERT_TRUE(atomic_write(options_.list, jobs[0].id + "\n" + jobs[1].id + " " + jobs[2].id + "\n").ok());
    EXPECT_EQ(run("exit 75"), 0);
    const auto folder = (options_.list.parent_path() / "jobs").string();
    EXPECT_THAT(slurm_.calls(), HasSubstr("trainer train " + folder + "/" + jobs[1].id + ".toml " + folder +
                                          "/" + jobs[2].id + ".toml --runs "));
    EXPECT_THAT(notes(), ElementsAre("started", "requeued"));
    slurm_.finish(jobs[1].id);
    EXPECT_EQ(run("exit 5"), 5);
    EXPECT_THAT(notes(), ElementsAre("started", "requeued", "done", "done"));
    const auto other = task_notes(options_.list.parent_path(), jobs[2].id);
    ASSERT_EQ(other.size(), 4u);
    EXPECT_EQ(other.back().event, "failed");
    EXPECT_EQ(other.back().code, 5);
    slurm_.finish(jobs[2].id);
    EXPECT_EQ(run("exit 1"), 0) << "nothing is left to train";
}

TEST_F(SlurmTaskTest, ANumberThatIsNotInTheList) {
    options_.number = 3;
    EXPECT_THAT(run_task(options_).error().text(), HasSubstr("has 3 tasks, numbered from 0; got 3"));
    options_.list = slurm_.folder() / "none";
    EXPECT_EQ(run_task(options_).error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace plimsoll::lab

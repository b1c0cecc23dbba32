#include "plimsoll/lab/jobs/status.h"

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/store/run_folder.h"
#include "tests/lab/sweep_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string six_jobs =
    "seeds = 6\n[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=32\"\n"
    "data.name = \"x.txt\"\ntrain.steps = 100\n";

class Status : public ::testing::Test {
  protected:
    store::Run opened(std::size_t job) {
        auto run = store::Run::create_or_open(runs(), run::to_toml(plan_.jobs[job].config));
        EXPECT_TRUE(run.ok()) << run.error().text();
        return std::move(run).value();
    }
    JobState state(std::size_t job) { return job_state(plan_.jobs[job], runs()); }
    fs::path runs() { return folder_.path() / "runs"; }
    fs::path metrics(std::size_t job) { return runs() / plan_.jobs[job].id / "metrics.jsonl"; }

    testing::TempDir folder_;
    Plan plan_ = planned(six_jobs);
};

TEST_F(Status, FollowsARunFromMissingToDone) {
    EXPECT_EQ(state(0).phase, JobPhase::missing);
    EXPECT_EQ((*job_states(plan_, runs()))[5].phase, JobPhase::missing) << "no folder is no trouble";
    auto run = opened(0);
    ASSERT_TRUE(run.set_state({store::Phase::running, 0, ""}).ok());
    ASSERT_TRUE(run.append_metric({{"step", 10}, {"loss", 2.5}}).ok());
    ASSERT_TRUE(run.append_metric({{"step", 20}, {"validation", {{"loss", 9}}}}).ok());
    JobState seen = state(0);
    EXPECT_EQ(seen.phase, JobPhase::running);
    EXPECT_EQ(seen.step, 10);
    EXPECT_EQ(seen.steps, 100);
    EXPECT_EQ(seen.loss, 2.5);
    EXPECT_THAT(seen.holder, HasSubstr("process " + std::to_string(::getpid()) + " on "));
    ASSERT_TRUE(run.set_state({store::Phase::done, 100, ""}).ok());
    seen = state(0);
    EXPECT_EQ(seen.phase, JobPhase::done) << "though the process lives";
    EXPECT_EQ(seen.holder, "");
    EXPECT_EQ(seen.problem, "");
}

TEST_F(Status, AFailedRunSaysWhy) {
    ASSERT_TRUE(opened(1).set_state({store::Phase::failed, 7, "the loss is nan at step 7"}).ok());
    EXPECT_EQ(state(1).phase, JobPhase::failed);
    EXPECT_EQ(state(1).reason, "the loss is nan at step 7");
}

// Looking takes no lock: whoever opens the run at that moment is not turned away.
TEST_F(Status, LookingDoesNotDisturbTheWriter) {
    std::atomic<bool> enough = false;
    std::thread looker([&] {
        while (!enough) state(2);
    });
    for (int i = 0; i < 20; ++i) opened(2);
    enough = true;
    looker.join();
}

TEST_F(Status, ARunWhoseProcessIsGoneIsInterrupted) {
    {
        ASSERT_TRUE(opened(3).set_state({store::Phase::running, 0, ""}).ok());
    }
    const pid_t gone = ::fork();
    if (gone == 0) {
        const auto run = opened(3);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(gone, &status, 0);
    EXPECT_EQ(state(3).phase, JobPhase::interrupted);
    EXPECT_EQ(state(3).holder, "");
}

TEST_F(Status, HalfALineIsReported) {
    const pid_t writer = ::fork();
    if (writer == 0) {
        auto run = opened(4);
        const bool ok = run.append_metric({{"step", 10}, {"loss", 2.5}}).ok();
        ::_exit(ok ? 0 : 1);
    }
    int status = 0;
    ::waitpid(writer, &status, 0);
    EXPECT_EQ(state(4).problem, "");
    const std::string whole = *read_text(metrics(4));
    ASSERT_TRUE(atomic_write(metrics(4), whole + "{\"step\": 20, \"lo").ok());
    EXPECT_EQ(state(4).problem, "metrics.jsonl ends in half a line; it is removed when the run resumes");
    EXPECT_EQ(state(4).step, 10);
    {
        ASSERT_TRUE(opened(4).set_state({store::Phase::done, 100, ""}).ok());
    }
    ASSERT_TRUE(atomic_write(metrics(4), whole.substr(0, 9)).ok());
    EXPECT_THAT(state(4).problem, HasSubstr("the copy is incomplete"));
}

TEST_F(Status, DamagedFilesAreAProblemOfTheirJobAlone) {
    {
        opened(5);
    }
    ASSERT_TRUE(atomic_write(runs() / plan_.jobs[5].id / "state.json", "{").ok());
    const auto states = job_states(plan_, runs());
    ASSERT_TRUE(states.ok());
    EXPECT_THAT((*states)[5].problem, HasSubstr("state.json"));
    EXPECT_EQ((*states)[4].problem, "");
}

}  // namespace
}  // namespace plimsoll::lab

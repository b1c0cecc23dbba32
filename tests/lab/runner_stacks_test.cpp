#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/runner.h"
#include "plimsoll/lab/jobs/worker.h"
#include "plimsoll/store/lease.h"
#include "tests/lab/fake_trainer.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using enum JobResult;

Plan four_seeds() {
    return planned(
        "seeds = 4\n[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=32\"\n"
        "data.name = \"x.txt\"\ntrain.steps = 3\n");
}

// A sweep of four jobs that can train as one stack.
class StackedSweep {
  public:
    explicit StackedSweep(const std::string& program_script) : plan(four_seeds()), trainer_(program_script) {
        options.runs = trainer_.folder() / "runs";
        options.program = trainer_.program();
        options.patience = std::chrono::milliseconds(0);
    }
    SweepOutcome run() {
        auto outcome = run_sweep(plan, options);
        EXPECT_TRUE(outcome.ok()) << outcome.error().text();
        return outcome.ok() ? *outcome : SweepOutcome{};
    }
    Error error() {
        const auto outcome = run_sweep(plan, options);
        EXPECT_FALSE(outcome.ok());
        return outcome.ok() ? Error{} : outcome.error();
    }
    [[nodiscard]] std::vector<std::string> lines_of(const char* file) const {
        const auto text = read_text(trainer_.folder() / file);
        return text.ok() ? split(trim(*text), '\n') : std::vector<std::string>();
    }
    // The seeds of each order, as "1 2 3 4".
    [[nodiscard]] std::vector<std::string> orders() const {
        std::vector<std::string> all;
        for (const auto& line : lines_of("orders")) {
            const auto order = decode_order(line);
            EXPECT_TRUE(order.ok()) << line;
            std::vector<std::string> seeds;
            for (const auto& config : order->configs) seeds.push_back(seed_of(config.stem().string()));
            all.push_back(join(seeds, " "));
        }
        return all;
    }
    [[nodiscard]] fs::path folder() const { return trainer_.folder(); }
    [[nodiscard]] std::size_t starts() const { return lines_of("starts").size(); }
    [[nodiscard]] fs::path sweep_files() const { return sweep_folder(plan, options.runs); }

    Plan plan;
    RunnerOptions options;

  private:
    [[nodiscard]] std::string seed_of(const std::string& id) const {
        const auto job = std::ranges::find(plan.jobs, id, &Job::id);
        return job == plan.jobs.end() ? "?" : std::to_string(job->config.seeds.init);
    }

    FakeTrainer trainer_;
};

std::vector<JobResult> states_of(const SweepOutcome& outcome) {
    std::vector<JobResult> all;
    for (const auto& job : outcome.jobs) all.push_back(job.state);
    return all;
}

// Only the first time that a place in a script is reached.
std::string once(const std::string& what) {
    return "if mkdir $here/once 2> /dev/null; then " + what + "; fi\n";
}

TEST(RunnerStacks, JobsThatCanTrainAsOneAreOneOrder) {
    StackedSweep sweep(worker_script("finish"));
    std::size_t most = 0;
    sweep.options.tell = [&](const SweepProgress& progress) {
        most = std::max(most, progress.running.size());
        EXPECT_EQ(progress.done + progress.running.size() + progress.waiting, 4u);
    };
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4"));
    EXPECT_EQ(most, 4u) << "progress is told job by job";
    EXPECT_TRUE(fs::exists(worker_log(sweep.sweep_files(), 0)));
}

TEST(RunnerStacks, WorkersOfACpuShareAGroup) {
    StackedSweep sweep(worker_script("sleep 0.05; finish"));
    sweep.options.workers = 2;
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ::testing::UnorderedElementsAre("1 2", "3 4"));
    EXPECT_EQ(sweep.starts(), 2u);
}

TEST(RunnerStacks, WithoutStacksEachIsAloneInTheSameWorker) {
    StackedSweep sweep(worker_script("finish"));
    sweep.options.stack = false;
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("1", "2", "3", "4"));
    EXPECT_EQ(sweep.starts(), 1u);
}

TEST(RunnerStacks, APoolOutlivesASweep) {
    StackedSweep sweep(worker_script("finish"));
    sweep.options.pool = std::make_shared<WorkerPool>();
    EXPECT_TRUE(sweep.run().complete);
    fs::remove_all(sweep.options.runs / sweep.plan.jobs[1].id);
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4", "2"));
    EXPECT_EQ(sweep.starts(), 1u);
    sweep.options.threads = 2;
    fs::remove_all(sweep.options.runs);
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_EQ(sweep.starts(), 2u) << "another kind of worker";
}

// One that died between two sweeps is replaced without a word.
TEST(RunnerStacks, AnIdleWorkerThatDiedIsReplaced) {
    StackedSweep sweep(worker_script("finish"));
    sweep.options.pool = std::make_shared<WorkerPool>();
    EXPECT_TRUE(sweep.run().complete);
    sweep.options.pool->at(0)->kill();
    sweep.options.pool->at(0)->wait_for(std::chrono::seconds(10));
    fs::remove_all(sweep.options.runs);
    const auto outcome = sweep.run();
    EXPECT_TRUE(outcome.complete);
    EXPECT_TRUE(outcome.notes.empty());
}

TEST(RunnerStacks, AWorkerKilledInTheMiddleIsReplacedAndTheStackGoesOnAsItWas) {
    StackedSweep sweep(worker_script("if [ $seed = 3 ]; then " + once("kill -9 $$; exit") + "fi\nfinish"));
    const auto outcome = sweep.run();
    EXPECT_TRUE(outcome.complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4", "1 2 3 4"));
    EXPECT_EQ(sweep.starts(), 2u);
    EXPECT_THAT(outcome.notes,
                ElementsAre("worker 0 (cpu), which had 4 jobs: its process was ended by signal 9"));
}

TEST(RunnerStacks, APoisonousJobTakesNoOtherWithIt) {
    StackedSweep sweep(
        worker_script("[ $seed = 2 ] && { echo woe >&2; cat $here/err.$$ >> $here/trace; kill -9 $$; "
                      "exit; }; finish"));
    const auto outcome = sweep.run();
    EXPECT_THAT(states_of(outcome), ElementsAre(done, failed, done, done));
    EXPECT_EQ(outcome.jobs[1].reason, "its process was ended by signal 9");
    EXPECT_FALSE(outcome.jobs[1].lasting);
    EXPECT_THAT(outcome.jobs[1].last_log_lines, ElementsAre("error: its process was ended by signal 9"));
    // Job 1 was done by the first of them.
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4", "1 2 3 4", "2", "2", "3", "4"));
    sweep.run();
    EXPECT_EQ(sweep.lines_of("trace").size(), 6u) << "tried again by the next call";
}

TEST(RunnerStacks, AStackThatIsHalvedIsANote) {
    StackedSweep sweep(worker_script(
        once("say '{\"event\":\"halved\",\"stack\":1,\"runs\":4,\"reason\":\"out of memory: 90 GiB\"}'") +
        "finish"));
    const auto outcome = sweep.run();
    EXPECT_TRUE(outcome.complete);
    EXPECT_THAT(outcome.notes, ElementsAre("worker 0 halved a stack of 4 runs: out of memory: 90 GiB"));
}

TEST(RunnerStacks, AMembersErrorIsItsOwn) {
    StackedSweep sweep(worker_script(
        "case $seed in 1) echo 'error: disk: No space left on device' >&2; exit 5;; 2) state failed 'nan'; "
        "exit 1;; "
        "3) echo \"error: run $id: is being written by process 7\" >&2; exit 4;; esac; finish"));
    const auto outcome = sweep.run();
    EXPECT_THAT(states_of(outcome), ElementsAre(failed, failed, elsewhere, done));
    EXPECT_FALSE(outcome.jobs[0].lasting) << "the same command tries it again";
    EXPECT_EQ(outcome.jobs[0].reason, "disk: No space left on device");
    EXPECT_TRUE(outcome.jobs[1].lasting);
    EXPECT_EQ(outcome.jobs[2].reason, "is being written by process 7");
    EXPECT_EQ(*read_text(job_files(sweep.sweep_files(), sweep.plan.jobs[0].id).log),
              "error: disk: No space left on device\n");
}

TEST(RunnerStacks, AWorkerThatDoesNotKeepToTheProtocolIsReplaced) {
    for (const char* nonsense :
         {"what?", "{}", R"({"event":"run"})", R"({"event":"party","stack":1})", R"({"plimsoll-worker":1)"}) {
        StackedSweep sweep(worker_script(once("say '" + std::string(nonsense) + "'; exit") + "finish"));
        const auto outcome = sweep.run();
        EXPECT_TRUE(outcome.complete) << nonsense;
        EXPECT_EQ(sweep.starts(), 2u) << nonsense;
        EXPECT_THAT(outcome.notes, Contains(HasSubstr("violated the protocol")));
    }
}

TEST(RunnerStacks, AnswersAboutOtherStacksAndNumbersMeanNothing) {
    StackedSweep sweep(worker_script(
        once("say '{\"event\":\"run\",\"stack\":7,\"number\":0,\"run\":\"\",\"outcome\":\"stopped\"}'; "
             "say '{\"event\":\"run\",\"stack\":1,\"number\":99,\"run\":\"\",\"outcome\":\"stopped\"}'; "
             "say '{\"event\":\"finished\",\"stack\":9}'") +
        "finish"));
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_EQ(sweep.starts(), 1u);
}

TEST(RunnerStacks, WhatAWorkerLeavesOutIsKnownFromFilesOrFailed) {
    StackedSweep sweep(
        "echo '{\"plimsoll-worker\":1,\"device\":\"cpu\",\"process\":1}'\n"
        "while read -r order; do echo '{\"event\":\"finished\",\"stack\":1}'; done\n");
    const auto outcome = sweep.run();
    EXPECT_EQ(outcome.count(failed), 4u);
    EXPECT_EQ(outcome.jobs[3].reason, "its worker did not report how the run ended");
}

TEST(RunnerStacks, AWorkerThatDoesNotComeUpEndsTheSweep) {
    StackedSweep silent("echo $$ >> ${0%/*}/starts; exec sleep 600\n");
    silent.options.silence = std::chrono::milliseconds(30);
    EXPECT_THAT(silent.error().text(), EndsWith("trainer: no worker starts: its worker printed nothing"));
    EXPECT_EQ(silent.starts(), 3u);
    StackedSweep broken("echo 'error: libtorch.so: no such file' >&2; exit 127\n");
    EXPECT_THAT(broken.error().text(), EndsWith("no worker starts: its process ended with exit code 127; its "
                                                "last line: error: libtorch.so: no such file"));
    StackedSweep early("echo '{\"event\":\"finished\",\"stack\":1}'; sleep 600\n");
    EXPECT_THAT(early.error().text(), EndsWith("no worker starts: its worker did not say hello first"));
}

TEST(RunnerStacks, AnotherVersionOfTheProtocolIsRefused) {
    StackedSweep sweep("echo '{\"plimsoll-worker\":2,\"more\":[]}'; sleep 600\n");
    const Error error = sweep.error();
    EXPECT_EQ(error.kind, ErrorKind::unsupported);
    EXPECT_THAT(error.text(), HasSubstr("speaks version 2 of the workers' protocol, this program version 1"));
}

const std::string waits_for_a_stop = "trap 'exit 75' TERM; touch $here/$seed; while :; do sleep 0.005; done";

TEST(RunnerStacks, StoppedInTheMiddleAStackGoesOnAsItWas) {
    StackedSweep sweep(
        worker_script("[ -e $here/go ] && { finish; exit; }\n"
                      "case $seed in 1) finish; exit;; 2) state failed 'nan'; exit 1;; esac\n" +
                      waits_for_a_stop));
    sweep.options.stop_requested = [&] { return fs::exists(sweep.folder() / "3"); };
    const auto outcome = sweep.run();
    EXPECT_THAT(states_of(outcome), ElementsAre(done, failed, stopped, stopped));
    EXPECT_EQ(outcome.stopped, StopCause::asked);
    ASSERT_TRUE(atomic_write(sweep.folder() / "go", "").ok());
    sweep.options.stop_requested = nullptr;
    const auto rest = sweep.run();
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4", "1 2 3 4")) << "bits depend on the size of a stack";
    EXPECT_FALSE(rest.jobs[0].here);
    EXPECT_TRUE(rest.jobs[2].here);
}

// The worker of a sweep that was killed may still be making its checkpoints.
TEST(RunnerStacks, AStackThatWasBegunWaitsTogetherForWhoeverHasAMember) {
    StackedSweep sweep(
        worker_script("[ -e $here/go ] || exit 75\n"
                      "[ $seed = 2 ] && " +
                      once("echo \"error: run $id: is being written by process 7\" >&2; exit 4") + "finish"));
    EXPECT_EQ(sweep.run().count(stopped), 4u);
    ASSERT_TRUE(atomic_write(sweep.folder() / "go", "").ok());
    sweep.options.wait = true;
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4", "1 2 3 4", "1 2 3 4"));
}

TEST(RunnerStacks, ByItsFilesAStackThatWasBegunWaitsTogetherToo) {
    StackedSweep sweep(worker_script("[ -e $here/go ] || { state running; exit 75; }\nfinish"));
    EXPECT_EQ(sweep.run().count(stopped), 4u);
    ASSERT_TRUE(atomic_write(sweep.folder() / "go", "").ok());
    const auto claim = store::Lease::take(sweep.options.runs / sweep.plan.jobs[2].id);
    ASSERT_TRUE(claim.ok()) << claim.error().text();
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4", "1 2 3 4"));
}

TEST(RunnerStacks, KilledWithoutAWordAStackIsStopped) {
    StackedSweep sweep(worker_script("trap '' TERM; touch $here/$seed; while :; do sleep 0.005; done"));
    int asked = 0;
    sweep.options.stop_requested = [&] { return fs::exists(sweep.folder() / "1"); };
    sweep.options.kill_requested = [&] { return sweep.options.stop_requested() && ++asked > 5; };
    EXPECT_EQ(sweep.run().count(stopped), 4u);
}

// Packed for two workers as "1 2" and "3 4"; two jobs alone would be a stack each.
TEST(RunnerStacks, StacksOfAnEarlierCallStayUnlessTheWorkersChange) {
    for (const int workers : {2, 3}) {
        StackedSweep sweep(worker_script("finish"));
        sweep.options.workers = 2;
        sweep.options.stop_after = std::chrono::seconds(0);
        EXPECT_EQ(sweep.run().count(waiting), 4u);
        for (const int job : {0, 1}) {
            const auto run = sweep.options.runs / sweep.plan.jobs[job].id;
            fs::create_directories(run);
            ASSERT_TRUE(atomic_write(run / "config.toml", "").ok());
            ASSERT_TRUE(
                atomic_write(run / "state.json", R"({"phase": "done", "step": 3, "reason": ""})").ok());
        }
        sweep.options.stop_after.reset();
        sweep.options.workers = workers;
        EXPECT_TRUE(sweep.run().complete);
        if (workers == 2) {
            EXPECT_THAT(sweep.orders(), ElementsAre("3 4"));
        } else {
            EXPECT_THAT(sweep.orders(), ::testing::UnorderedElementsAre("3", "4"));
        }
    }
}

TEST(RunnerStacks, WhatHasEndedLeavesAStackThatWasNotBegun) {
    StackedSweep sweep(worker_script("finish"));
    EXPECT_TRUE(sweep.run().complete);
    for (const int job : {1, 3}) fs::remove_all(sweep.options.runs / sweep.plan.jobs[job].id);
    EXPECT_TRUE(sweep.run().complete);
    EXPECT_THAT(sweep.orders(), ElementsAre("1 2 3 4", "2 4"));
}

}  // namespace
}  // namespace plimsoll::lab

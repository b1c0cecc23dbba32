#include "plimsoll/lab/slurm/slurm_submit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/store/run_folder.h"
#include "tests/lab/slurm_support.h"

namespace plimsoll::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> phases(const std::vector<JobStatus>& jobs) {
    std::vector<std::string> names;
    for (const auto& job : jobs) names.push_back(phase_name(job.phase));
    return names;
}

// On a GPU jobs that can train as one are one task; each of them has the task's state.
TEST(SlurmSubmit, AStackIsATaskOnAGpu) {
    PlayedSlurm slurm;
    const Plan plan = planned(three_jobs);
    SubmitOptions options = slurm.options();
    options.device = "cuda";
    const auto report = submit_sweep(plan, options);
    ASSERT_TRUE(report.ok()) << report.error().text();
    ASSERT_EQ(report->arrays.size(), 1u);
    EXPECT_EQ(report->arrays[0].tasks, 1u);
    EXPECT_THAT(report->arrays[0].script, HasSubstr("3 of 3 jobs"));
    EXPECT_THAT(report->arrays[0].script, HasSubstr("--array=0-0\n"));
    const auto folder = sweep_folder(plan, slurm.runs());
    EXPECT_EQ(*read_text(submission_jobs(folder, 1)),
              plan.jobs[0].id + " " + plan.jobs[1].id + " " + plan.jobs[2].id + "\n");
    slurm.finish(plan.jobs[1].id);
    slurm.queue("100|0|101|RUNNING|None|plimsoll-x\n");
    const auto statuses = sweep_status(plan, slurm.runs(), slurm.slurm()).value();
    EXPECT_EQ(statuses[0].phase, SweepPhase::running);
    EXPECT_EQ(statuses[1].phase, SweepPhase::done);
    EXPECT_EQ(statuses[2].task, "100_0");
    EXPECT_EQ(cancel_sweep(plan, "sweep.toml", slurm.runs(), slurm.slurm())->tasks, 1u);
    slurm.queue("");
    options.stack = false;
    EXPECT_EQ(submit_sweep(plan, options)->arrays[0].tasks, 2u);
}

TEST(SlurmSubmit, OnlyWhatIsMissing) {
    PlayedSlurm slurm;
    const Plan plan = planned(three_jobs);
    slurm.finish(plan.jobs[1].id);
    const auto report = submit_sweep(plan, slurm.options());
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_EQ(report->done, 1u);
    ASSERT_EQ(report->arrays.size(), 1u);
    EXPECT_EQ(report->arrays[0].slurm_job, "100");
    EXPECT_THAT(report->arrays[0].script, HasSubstr("--array=0-1\n"));
    const auto folder = sweep_folder(plan, slurm.runs());
    EXPECT_EQ(*read_job_list(submission_jobs(folder, 1)),
              (std::vector<TaskRuns>{{plan.jobs[0].id}, {plan.jobs[2].id}}));
    EXPECT_EQ(*read_text(submission_script(folder, 1)), report->arrays[0].script);
    EXPECT_EQ(*read_text(job_files(folder, plan.jobs[0].id).config), run::to_toml(plan.jobs[0].config));
    EXPECT_EQ(store::run_id(*read_text(job_files(folder, plan.jobs[0].id).config)), plan.jobs[0].id);

    slurm.queue("100|0|101|RUNNING|None|plimsoll-x\n100|1|100|PENDING|Priority|plimsoll-x\n");
    const auto again = submit_sweep(plan, slurm.options());
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_TRUE(again->arrays.empty());
    EXPECT_EQ(again->queued, 2u);

    slurm.queue("100|0|101|FAILED|NonZeroExitCode|plimsoll-x\n100|1|100|RUNNING|None|plimsoll-x\n");
    const auto third = submit_sweep(plan, slurm.options());
    ASSERT_TRUE(third.ok()) << third.error().text();
    ASSERT_EQ(third->arrays.size(), 1u);
    EXPECT_EQ(*read_job_list(submission_jobs(folder, 2)), std::vector<TaskRuns>{{plan.jobs[0].id}});
}

TEST(SlurmSubmit, ASweepThatWasEditedKnowsWhatIsQueued) {
    PlayedSlurm slurm;
    ASSERT_TRUE(submit_sweep(planned(three_jobs), slurm.options()).ok());
    slurm.queue("100|0|1|RUNNING|None|x\n100|1|1|RUNNING|None|x\n100|2|1|RUNNING|None|x\n");
    std::string edited = three_jobs;
    edited.replace(edited.find("3e-3"), 4, "4e-3");
    const auto report = submit_sweep(planned(edited), slurm.options());
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_EQ(report->queued, 2u);
    EXPECT_EQ(report->arrays.at(0).tasks, 1u);
}

TEST(SlurmSubmit, LargeSweepsAreCut) {
    PlayedSlurm slurm;
    slurm.play("scontrol", "printf 'MaxArraySize            = 2\\nMaxDBDMsgs = 1\\n'");
    SubmitOptions options = slurm.options();
    options.settings.array_limit = 1;
    const auto report = submit_sweep(planned(three_jobs), options);
    ASSERT_TRUE(report.ok()) << report.error().text();
    ASSERT_EQ(report->arrays.size(), 2u);
    EXPECT_THAT(report->arrays[0].script, HasSubstr("--array=0-1%1\n"));
    EXPECT_THAT(report->arrays[1].script, HasSubstr("--array=0-0%1\n"));
    EXPECT_THAT(slurm.calls(), HasSubstr("sbatch --parsable --dependency=afterany:100 "));
    slurm.play("scontrol", "echo 'MaxArraySize = 0'");
    std::filesystem::remove_all(slurm.runs());
    EXPECT_THAT(submit_sweep(planned(three_jobs), options).error().text(),
                HasSubstr("this site has no job arrays"));
}

TEST(SlurmSubmit, ADryRunWritesNothingAndNeedsNoSlurm) {
    const PlayedSlurm slurm;
    SubmitOptions options = slurm.options();
    options.dry_run = true;
    EXPECT_EQ(submit_sweep(planned(three_jobs), options)->arrays.size(), 1u);
    EXPECT_THAT(slurm.calls(), Not(HasSubstr("sbatch")));
    EXPECT_FALSE(std::filesystem::exists(slurm.runs()));
    options.slurm = Slurm(slurm.folder() / "nothing");
    EXPECT_EQ(submit_sweep(planned(three_jobs), options)->arrays.size(), 1u);
    options.dry_run = false;
    const auto refused = submit_sweep(planned(three_jobs), options);
    EXPECT_THAT(refused.error().text(),
                HasSubstr("scontrol: no such program; is this a machine that submits to Slurm?"));
    EXPECT_EQ(refused.error().kind, ErrorKind::not_found);
}

TEST(SlurmSubmit, SlurmsOwnWords) {
    PlayedSlurm slurm;
    const Plan plan = planned(three_jobs);
    slurm.play(
        "sbatch",
        "echo 'sbatch: error: invalid partition specified: x' >&2; echo 'sbatch: error: more' >&2; exit 1");
    const auto refused = submit_sweep(plan, slurm.options());
    EXPECT_EQ(refused.error().text(),
              "sbatch: sbatch: error: invalid partition specified: x; sbatch: error: more");
    EXPECT_THAT(phases(*sweep_status(plan, slurm.runs(), slurm.slurm())),
                ElementsAre("missing", "missing", "missing"));
    slurm.play("sbatch", "echo 'Submitted batch job 7'");
    EXPECT_EQ(submit_sweep(plan, slurm.options()).error().text(),
              "sbatch: printed no job id but 'Submitted batch job 7'");
    slurm.play("sbatch", "echo '7;cluster'");
    EXPECT_EQ(submit_sweep(plan, slurm.options())->arrays.at(0).slurm_job, "7");
}

TEST(SlurmStatus, JoinsFilesQueueAndNotes) {
    PlayedSlurm slurm;
    const Plan plan = planned(three_jobs);
    ASSERT_TRUE(submit_sweep(plan, slurm.options()).ok());
    const auto folder = sweep_folder(plan, slurm.runs());
    const auto look = [&] { return *sweep_status(plan, slurm.runs(), slurm.slurm()); };
    slurm.queue(
        "100|0|1|RUNNING|None|x\n100|1|1|PENDING|Resources|x\n5|N/"
        "A|5|RUNNING|None|other\n100|2|1|CANCELLED|None|x\n");
    EXPECT_THAT(phases(look()), ElementsAre("running", "queued", "stopped"));
    EXPECT_EQ(look()[1].reason, "Resources");
    EXPECT_EQ(look()[1].task, "100_1");
    // Slurm has forgotten them: the notes and the files of the runs speak.
    slurm.queue("");
    slurm.finish(plan.jobs[0].id);
    ASSERT_TRUE(note_task(folder, plan.jobs[1].id, {"started", "100_1", 0, 0}).ok());
    ASSERT_TRUE(note_task(folder, plan.jobs[2].id, {"started", "100_2", 0, 0}).ok());
    ASSERT_TRUE(note_task(folder, plan.jobs[2].id, {"failed", "100_2", 3, 0}).ok());
    ASSERT_TRUE(atomic_write(folder / "slurm-100_2.log", "one\ntwo\nerror: x.txt: no such file\n").ok());
    EXPECT_THAT(phases(look()), ElementsAre("done", "failed", "failed"));
    EXPECT_THAT(look()[1].reason, HasSubstr("was running, but Slurm no longer knows it"));
    EXPECT_EQ(look()[2].reason, "plimsoll-torch ended with 3");
    EXPECT_THAT(look()[2].last_lines, ElementsAre("one", "two", "error: x.txt: no such file"));
    // The accounting knows more, where there is one.
    slurm.play("sacct", "printf '100_1|OUT_OF_MEMORY\\n100_2|FAILED\\n100_[5-9]|PENDING\\n'");
    EXPECT_EQ(look()[1].reason, "OUT_OF_MEMORY");
    slurm.play("sacct", "printf '100_1|CANCELLED by 0\\n'");
    EXPECT_THAT(phases(look()), ElementsAre("done", "stopped", "failed"));
}

TEST(SlurmStatus, FindsASubmissionWhoseAnswerWasLost) {
    PlayedSlurm slurm;
    const Plan plan = planned(three_jobs);
    ASSERT_TRUE(submit_sweep(plan, slurm.options()).ok());
    const auto folder = sweep_folder(plan, slurm.runs());
    const std::string record = *read_text(folder / "slurm.jsonl");
    // Killed after sbatch, in the middle of the next line.
    ASSERT_TRUE(
        atomic_write(folder / "slurm.jsonl", record.substr(0, record.find("{\"event\":\"submitted\"") + 9))
            .ok());
    const std::string name = read_submissions(slurm.runs())->at(0).name;
    slurm.queue("100|0|1|PENDING|None|" + name + "\n100|1|1|PENDING|None|" + name +
                "\n100|2|1|PENDING|None|" + name + "\n");
    EXPECT_THAT(phases(*sweep_status(plan, slurm.runs(), slurm.slurm())),
                ElementsAre("queued", "queued", "queued"));
    EXPECT_TRUE(submit_sweep(plan, slurm.options())->arrays.empty());
}

TEST(SlurmStatus, AsksNobodyWhenNothingWasSubmitted) {
    const PlayedSlurm slurm;
    const Plan plan = planned(three_jobs);
    slurm.finish(plan.jobs[2].id);
    EXPECT_THAT(phases(*sweep_status(plan, slurm.runs(), slurm.slurm())),
                ElementsAre("missing", "missing", "done"));
    EXPECT_EQ(slurm.calls(), "");
}

TEST(SlurmCancel, TheTasksOfThePlanAndOfTheFile) {
    PlayedSlurm slurm;
    Plan plan = planned(three_jobs);
    plan.file = "/home/me/sweep.toml";
    ASSERT_TRUE(submit_sweep(plan, slurm.options()).ok());
    slurm.queue(
        "100|0|1|COMPLETED|None|x\n100|1|1|RUNNING|None|x\n100|2|1|PENDING|None|x\n77|1|1|RUNNING|None|"
        "other\n");
    Plan less = plan;
    less.jobs.pop_back();
    const auto some = cancel_sweep(less, "/home/me/other.toml", slurm.runs(), slurm.slurm());
    ASSERT_TRUE(some.ok()) << some.error().text();
    EXPECT_EQ(some->tasks, 1u);
    EXPECT_EQ(some->running, 1u);
    EXPECT_THAT(slurm.calls(), HasSubstr("scancel 100_1\n"));
    EXPECT_EQ(cancel_sweep(less, "/home/me/sweep.toml", slurm.runs(), slurm.slurm())->tasks, 2u);
    EXPECT_THAT(slurm.calls(), HasSubstr("scancel 100_1 100_2\n"));
    slurm.queue("");
    EXPECT_EQ(cancel_sweep(plan, "/home/me/sweep.toml", slurm.runs(), slurm.slurm())->tasks, 0u);
}

}  // namespace
}  // namespace plimsoll::lab

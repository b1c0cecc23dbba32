#include "plimsoll/lab/jobs/job_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/lab/sweep_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {
namespace {

Plan four_jobs() {
    return planned(
        "seeds = 4\n[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256\"\ndata.name = "
        "\"x.txt\"\n");
}

TEST(JobFiles, ASweepIsNamedByItsJobsWhateverTheirOrder) {
    Plan plan = four_jobs();
    const std::string id = sweep_id(plan);
    EXPECT_EQ(id.size(), 16u);
    std::swap(plan.jobs[0], plan.jobs[3]);
    EXPECT_EQ(sweep_id(plan), id);
    plan.jobs.pop_back();
    EXPECT_NE(sweep_id(plan), id);
}

TEST(JobFiles, TheConfigIsTheJobs) {
    const testing::TempDir runs;
    const Plan plan = four_jobs();
    const auto folder = sweep_folder(plan, runs.path());
    const Job& job = plan.jobs[2];
    const JobFiles files = job_files(folder, job.id);
    ASSERT_TRUE(make_job_folder(folder).ok());
    ASSERT_TRUE(write_job_config(files, job).ok());
    EXPECT_EQ(run::run_hash(*run::read_run_config(files.config)), job.id);
    ASSERT_TRUE(atomic_write(files.config, "half of i").ok());
    ASSERT_TRUE(write_job_config(files, job).ok());
    EXPECT_EQ(*read_text(files.config), run::to_toml(job.config)) << "repaired";
}

TEST(JobFiles, LastLinesStartAtAByteAndLeaveEmptyOnesOut) {
    const testing::TempDir folder;
    const auto log = folder.path() / "log";
    EXPECT_TRUE(last_lines(log, 0, 5).empty());
    ASSERT_TRUE(atomic_write(log, "before\na\n\nb\n  \nc").ok());
    EXPECT_EQ(last_lines(log, 0, 2), (std::vector<std::string>{"b", "c"}));
    EXPECT_EQ(last_lines(log, 7, 9), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(last_lines(log, 1000, 9).empty());
    ASSERT_TRUE(atomic_write(log, std::string(100'000, 'x') + "\nlast\n").ok());
    EXPECT_EQ(last_lines(log, 0, 1), (std::vector<std::string>{"last"}));
}

}  // namespace
}  // namespace plimsoll::lab

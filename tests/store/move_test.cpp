// Runs that go: imported from another folder, or pruned.
#include <csignal>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/store/index.h"
#include "plimsoll/store/run_import.h"
#include "plimsoll/store/run_list.h"
#include "plimsoll/store/run_prune.h"
#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::TempDir;

// A run with rows 1 to `steps`, the last `steps` with a checkpoint.
std::string make_run(const fs::path& runs, std::int64_t steps, Phase phase = Phase::running,
                     double loss = 0.5) {
    auto run = open_run(runs);
    const auto before = read_metrics(run.folder())->size();
    for (auto step = static_cast<std::int64_t>(before) + 1; step <= steps; ++step)
        EXPECT_TRUE(run.append_metric(row(step, loss)).ok());
    EXPECT_TRUE(run.write_checkpoint(steps, two_files(steps)).ok());
    EXPECT_TRUE(run.set_state({phase, steps, ""}).ok());
    return run.id();
}

// Every file of a run but leases and lock.
std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder);
        if (entry.is_regular_file() && !name.starts_with("claims") && name != "run.lock")
            files[name] = *read_text(entry.path());
    }
    return files;
}

ImportedRun import_one(const fs::path& from, const fs::path& to, bool dry_run = false) {
    const auto all = import_runs(from, to, {.dry_run = dry_run});
    EXPECT_TRUE(all.ok()) << all.error().text();
    EXPECT_EQ(all->size(), 1U);
    return all->front();
}

TEST(Import, CopiesExtendsAndNeverShortens) {
    const TempDir folder;
    const fs::path there = folder.path() / "there", here = folder.path() / "deep" / "here";
    const std::string id = make_run(there, 3);
    EXPECT_EQ(import_one(there, here, true).outcome, Imported::copied);
    EXPECT_FALSE(fs::exists(here)) << "a dry run";
    EXPECT_EQ(import_one(there, here).outcome, Imported::copied);
    EXPECT_EQ(files_of(here / id), files_of(there / id));
    EXPECT_EQ(import_one(there, here).outcome, Imported::same);
    make_run(there, 7, Phase::done);
    EXPECT_EQ(import_one(there, here, true).outcome, Imported::extended);
    EXPECT_EQ(import_one(there, here).outcome, Imported::extended);
    EXPECT_EQ(files_of(here / id), files_of(there / id));
    make_run(here, 9, Phase::done);
    const auto before = files_of(here / id);
    EXPECT_EQ(import_one(there, here).outcome, Imported::same) << "shorter than what is here";
    EXPECT_EQ(files_of(here / id), before);
    EXPECT_TRUE(store::Run::create_or_open(here, "name = \"a\"\n").ok());
}

TEST(Import, WhatDoesNotFitIsAConflictAndStays) {
    const TempDir folder;
    const fs::path there = folder.path() / "there", here = folder.path() / "here";
    const std::string id = make_run(there, 5);
    make_run(here, 3, Phase::running, 0.25);
    const auto before = files_of(here / id);
    const auto other = import_one(there, here);
    EXPECT_EQ(other.outcome, Imported::conflict);
    EXPECT_EQ(other.reason, "metrics.jsonl: says something else here; nothing was changed");
    EXPECT_EQ(files_of(here / id), before);
    {
        const auto writer = open_run(there);
        EXPECT_THAT(import_one(there, folder.path() / "new").reason, HasSubstr(" is writing it there"));
    }
    std::ofstream(there / id / "config.toml") << "name = \"b\"\n";
    EXPECT_THAT(import_one(there, here).reason, HasSubstr("config.toml: was changed: its hash is "));
}

TEST(Import, ARunThatSomebodyHasHereStays) {
    const TempDir folder;
    const fs::path there = folder.path() / "there", here = folder.path() / "here";
    make_run(there, 5);
    make_run(here, 3);
    const auto writer = open_run(here);
    EXPECT_THAT(import_one(there, here).reason, HasSubstr(" is writing it here"));
    EXPECT_TRUE(writer.still_mine().ok());
}

TEST(Import, WrongFoldersAreNamed) {
    const TempDir folder;
    make_run(folder.path(), 1);
    EXPECT_THAT(import_runs(folder.path(), folder.path()).error().text(),
                HasSubstr("is the folder to import into"));
    EXPECT_EQ(import_runs(folder.path() / "none", folder.path()).error().kind, ErrorKind::not_found);
    fs::create_directories(folder.path() / "empty");
    EXPECT_THAT(import_runs(folder.path() / "empty", folder.path()).error().text(), HasSubstr("has no runs"));
}

// Killed at random moments and called again until it is through: everything is there, and at no moment was a
// run here shorter than before.
TEST(Import, KilledAtRandomMomentsItLosesNothing) {
    const TempDir folder;
    const fs::path there = folder.path() / "there", here = folder.path() / "here";
    std::vector<std::string> ids;
    for (int i = 0; i < 12; ++i) {
        auto run = open_run(there, fmt::format("a = {}\n", i));
        ASSERT_TRUE(run.append_metric(row(1)).ok() && run.write_checkpoint(2, two_files(2)).ok());
        ids.push_back(run.id());
        if (i % 2 == 1) continue;
        ASSERT_TRUE(open_run(here, fmt::format("a = {}\n", i)).append_metric(row(1)).ok());
    }
    RandomStream random(3, "import");
    int kills = 0;
    for (bool done = false; !done && kills < 500;) {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(import_runs(there, here).ok() ? 0 : 1);
        ::usleep(static_cast<useconds_t>(random.below(3000)));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        kills += done ? 0 : 1;
        const auto listed = list_runs(here).value();
        for (const auto& run : listed) EXPECT_EQ(run.problem, "") << run.id;
    }
    ASSERT_TRUE(import_runs(there, here).ok());
    for (const auto& id : ids) EXPECT_EQ(files_of(here / id), files_of(there / id)) << id;
    EXPECT_EQ(std::ranges::count_if(fs::directory_iterator(here),
                                    [](const auto& entry) { return entry.is_directory(); }),
              12);
}

TEST(Prune, RemovesWhatItPlannedAndNothingThatSomebodyHas) {
    const TempDir runs;
    const std::string id = make_run(runs.path(), 3);
    const auto held = open_run(runs.path(), "b = 1\n");
    const RunTable table = read_run_table(runs.path()).value();
    const auto plan = plan_prune(runs.path(), table, Prune::runs);
    ASSERT_EQ(plan.size(), 2U);
    EXPECT_TRUE(fs::exists(runs.path() / id)) << "a plan";
    const auto done = prune(runs.path(), table, Prune::runs);
    for (const PrunedRun& pruned : done) {
        EXPECT_EQ(pruned.reason,
                  pruned.id == id ? "" : fmt::format("process {} on {} has it", ::getpid(), host_name()));
        EXPECT_TRUE(pruned.id != id || pruned.bytes > 5000) << pruned.bytes;
    }
    EXPECT_FALSE(fs::exists(runs.path() / id));
    EXPECT_TRUE(held.still_mine().ok());
}

TEST(Prune, OfCheckpointsKeepsTheRun) {
    const TempDir runs;
    const std::string id = make_run(runs.path(), 3, Phase::done);
    const RunTable table = read_run_table(runs.path()).value();
    EXPECT_EQ(plan_prune(runs.path(), table, Prune::checkpoints).size(), 1U);
    const auto done = prune(runs.path(), table, Prune::checkpoints);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].reason, "");
    EXPECT_TRUE(plan_prune(runs.path(), table, Prune::checkpoints).empty()) << "nothing left";
    EXPECT_FALSE(open_run(runs.path()).latest_checkpoint()->has_value());
    EXPECT_EQ(read_metrics(runs.path() / id)->size(), 3U);
}

}  // namespace
}  // namespace plimsoll::store

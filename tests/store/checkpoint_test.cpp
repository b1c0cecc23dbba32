#include "plimsoll/store/checkpoint.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::TempDir;

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

TEST(Checkpoint, TheNewOneReplacesTheOld) {
    const TempDir runs;
    auto run = open_run(runs.path());
    EXPECT_FALSE(run.latest_checkpoint()->has_value());
    for (const std::int64_t step : {0, 10, 9999, 10000}) {
        const auto made = run.write_checkpoint(step, two_files(step));
        ASSERT_TRUE(made.ok()) << made.error().text();
        const auto found = *run.latest_checkpoint();
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->step, step);
        EXPECT_EQ(found->folder, made->folder);
        EXPECT_EQ(*read_text(found->folder / "state.json"), std::to_string(step));
        EXPECT_EQ(*read_text(found->folder / "weights"), std::string(5000, 'x') + std::to_string(step));
    }
    EXPECT_THAT(names_in(run.folder() / "checkpoint"), ElementsAre("step-10000"));
}

TEST(Checkpoint, OfTheSameStepTheLastOneCounts) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.write_checkpoint(5, {{"state", "first"}}).ok());
    ASSERT_TRUE(run.write_checkpoint(5, {{"state", "second"}}).ok());
    EXPECT_EQ(*read_text((*run.latest_checkpoint())->folder / "state"), "second");
    EXPECT_THAT(names_in(run.folder() / "checkpoint"), ElementsAre("step-5"));
}

// Every state in which a killed process can leave the folder, made by hand: one complete checkpoint is found.
TEST(Checkpoint, IsFoundWhateverAKilledProcessLeft) {
    const TempDir runs;
    const fs::path folder = runs.path() / "checkpoint";
    const auto found_step = [&] { return (*newest_checkpoint(folder))->step; };
    const auto make = [&](const fs::path& into, std::int64_t step) {
        fs::create_directories(into);
        return make_checkpoint(runs.path() / "making", into, step, 0, two_files(step)).ok();
    };
    ASSERT_TRUE(make(folder, 10));
    EXPECT_EQ(found_step(), 10);
    fs::rename(folder / "step-10", folder / "step-10.old");
    EXPECT_EQ(found_step(), 10) << "killed between the two renames";
    ASSERT_TRUE(tidy_checkpoints(folder).ok());
    EXPECT_THAT(names_in(folder), ElementsAre("step-10.old"));
    ASSERT_TRUE(make(runs.path() / "other", 20));
    fs::rename(runs.path() / "other" / "step-20", folder / "step-20");
    EXPECT_EQ(found_step(), 20) << "killed before the old one was removed";
    fs::remove(folder / "step-10.old" / "manifest.json");
    EXPECT_EQ(found_step(), 20) << "killed while the old one was removed";
    ASSERT_TRUE(tidy_checkpoints(folder).ok());
    EXPECT_THAT(names_in(folder), ElementsAre("step-20"));
}

TEST(Checkpoint, ADamagedOneGivesWayToAnOlderOne) {
    const TempDir runs;
    const fs::path folder = runs.path();
    fs::create_directories(folder / "a");
    fs::create_directories(folder / "b");
    ASSERT_TRUE(make_checkpoint(folder / "making", folder / "a", 10, 0, two_files(10)).ok());
    ASSERT_TRUE(make_checkpoint(folder / "making", folder / "b", 20, 0, two_files(20)).ok());
    fs::rename(folder / "b" / "step-20", folder / "a" / "step-20");
    std::ofstream(folder / "a" / "step-20" / "weights", std::ios::trunc) << "short";
    EXPECT_EQ((*newest_checkpoint(folder / "a"))->step, 10);
}

TEST(Checkpoint, WhenAllAreDamagedTheFileIsNamed) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.write_checkpoint(5, two_files(5)).ok());
    const fs::path weights = run.folder() / "checkpoint" / "step-5" / "weights";
    std::ofstream(weights, std::ios::trunc) << "short";
    const auto found = run.latest_checkpoint();
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().kind, ErrorKind::io);
    EXPECT_EQ(found.error().text(),
              weights.string() + ": the checkpoint is damaged: has 5 bytes, its manifest says 5001");
}

TEST(Checkpoint, ThoseThatAreKeptStayBesideTheLastOne) {
    const TempDir runs;
    {
        auto run = open_run(runs.path());
        for (std::int64_t step = 1; step <= 6; ++step) {
            const Keep keep = step % 2 == 0 && step < 6 ? Keep::always : Keep::until_next;
            ASSERT_TRUE(run.append_metric(row(step)).ok());
            const auto made = run.write_checkpoint(step, two_files(step), keep);
            ASSERT_TRUE(made.ok());
            EXPECT_EQ(made->kept, keep == Keep::always);
        }
        EXPECT_THAT(names_in(run.folder() / "checkpoint"), ElementsAre("step-2", "step-4", "step-6"));
        // Once more, as a run that resumes there does.
        ASSERT_TRUE(run.write_checkpoint(6, two_files(6), Keep::always).ok());
        ASSERT_TRUE(run.write_checkpoint(7, two_files(7)).ok());
    }
    const auto run = open_run(runs.path());
    EXPECT_THAT(names_in(run.folder() / "checkpoint"), ElementsAre("step-2", "step-4", "step-6", "step-7"));
    EXPECT_EQ((*run.latest_checkpoint())->step, 7);
    const std::vector<std::int64_t> newest{0, 0, 2, 2, 4, 4, 6, 7, 7};  // up to step 0, 1, ...; 0: none
    for (std::size_t step = 0; step < newest.size(); ++step) {
        const auto found = checkpoint_up_to(run.folder(), static_cast<std::int64_t>(step)).value();
        EXPECT_EQ(found ? found->step : 0, newest[step]) << step;
    }
    EXPECT_EQ((*checkpoint_up_to(run.folder(), 4))->kept, true);
    EXPECT_EQ((*run.latest_checkpoint())->kept, false);
}

TEST(Checkpoint, ARunStartsWithTheRowsOfAnother) {
    const TempDir runs;
    auto trunk = open_run(runs.path());
    for (std::int64_t step = 1; step <= 5; ++step) {
        ASSERT_TRUE(trunk.append_metric(row(step)).ok());
        ASSERT_TRUE(trunk.write_checkpoint(step, two_files(step), Keep::always).ok());
    }
    auto branch = open_run(runs.path(), "name = \"branch\"\n");
    ASSERT_TRUE(branch.append_metric(row(99)).ok());  // of an attempt that was killed
    const auto at = checkpoint_up_to(trunk.folder(), 3).value();
    const auto rows = metrics_before(trunk.folder(), *at);
    ASSERT_TRUE(rows.ok()) << rows.error().text();
    ASSERT_TRUE(branch.take_rows(*rows, at->step).ok());
    EXPECT_THROW((void)branch.append_metric(row(3)), Bug) << "before the step that it starts from";
    for (const std::int64_t step : {4, 5}) ASSERT_TRUE(branch.append_metric(row(step)).ok());
    EXPECT_EQ(*read_text(branch.folder() / "metrics.jsonl"), *read_text(trunk.folder() / "metrics.jsonl"));
    // A trunk whose metrics were cut, or were never this long.
    fs::resize_file(trunk.folder() / "metrics.jsonl", at->metrics_bytes - 1);
    EXPECT_THAT(metrics_before(trunk.folder(), *at).error().text(),
                HasSubstr("the checkpoint of step 3 says"));
    EXPECT_THAT(metrics_before(trunk.folder(), Checkpoint{{}, 3, at->metrics_bytes - 2}).error().text(),
                HasSubstr("has half a line at byte"));
}

TEST(Checkpoint, AWriterThatFailsLeavesTheLastOne) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.write_checkpoint(5, two_files(5)).ok());
    const FileWriter fails = [](const fs::path& path) -> Status {
        std::ofstream(path) << "half";
        return io_error(path.filename(), "no memory for it");
    };
    const auto made = run.write_checkpoint(6, {{"a", "x"}, {"weights", fails}});
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().text(), "weights: no memory for it");
    EXPECT_EQ((*run.latest_checkpoint())->step, 5);
    EXPECT_THAT(names_in(run.folder() / "checkpoint"), ElementsAre("step-5"));
}

TEST(Checkpoint, KilledWhileItIsWrittenTheLastOneIsFound) {
    const TempDir runs;
    ASSERT_TRUE(open_run(runs.path()).write_checkpoint(5, two_files(5)).ok());
    const FileWriter killed = [](const fs::path& path) {
        std::ofstream(path) << "half";
        ::raise(SIGKILL);
        return Status();
    };
    EXPECT_EQ(in_another_process([&] {
                  auto run = open_run(runs.path());
                  return run.write_checkpoint(6, {{"state", "x"}, {"weights", killed}}).ok() ? 0 : 1;
              }),
              -1);
    const fs::path folder = runs.path() / run_id("name = \"a\"\n");
    EXPECT_EQ((*latest_checkpoint(folder))->step, 5);
    EXPECT_THAT(names_in(folder / "checkpoint"), ElementsAre("step-5"));
    EXPECT_THAT(names_in(folder / "claims"), ElementsAre(MatchesRegex("2-.*work"), "2.json"));
    EXPECT_EQ((*open_run(runs.path()).latest_checkpoint())->step, 5);
    EXPECT_THAT(names_in(folder / "checkpoint"), ElementsAre("step-5"));
    EXPECT_THAT(names_in(folder / "claims"), ElementsAre("3.json", "3.released"));
}

// A new one of a step that has one: when it cannot be put in place, the old one keeps its name.
TEST(Checkpoint, ThatIsNotPermittedInTheEndChangesNothing) {
    const TempDir runs;
    fs::create_directories(runs.path() / "checkpoint");
    const auto make = [&](const char* text, const Status& permitted) {
        return make_checkpoint(runs.path() / "making", runs.path() / "checkpoint", 5, 0, {{"state", text}},
                               [&] { return permitted; });
    };
    ASSERT_TRUE(make("first", {}).ok());
    EXPECT_EQ(make("second", unsupported("run", "was taken over")).error().text(), "run: was taken over");
    const auto found = *newest_checkpoint(runs.path() / "checkpoint");
    EXPECT_EQ(*read_text(found->folder / "state"), "first");
}

TEST(Checkpoint, AWriterThatWritesNothingIsAnError) {
    const TempDir runs;
    auto run = open_run(runs.path());
    const FileWriter nothing = [](const fs::path&) { return Status(); };
    const auto made = run.write_checkpoint(6, {{"weights", nothing}});
    ASSERT_FALSE(made.ok());
    EXPECT_THAT(made.error().text(), HasSubstr("weights: cannot be written: No such file"));
}

TEST(Checkpoint, NamesThatAreNoPlainFileNamesAreBugs) {
    const TempDir runs;
    auto run = open_run(runs.path());
    for (const char* name : {"a/b", "..", "", "manifest.json"})
        EXPECT_THROW((void)run.write_checkpoint(1, {{name, "x"}}), Bug) << name;
    EXPECT_THROW((void)run.write_checkpoint(1, {{"a", "x"}, {"a", "y"}}), Bug);
}

}  // namespace
}  // namespace plimsoll::store

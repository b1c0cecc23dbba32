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

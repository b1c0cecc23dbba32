#include "plimsoll/store/run_folder.h"

#include <algorithm>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/hash.h"
#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::TempDir;

TEST(RunFolder, IsNamedByTheHashOfItsConfig) {
    const TempDir runs;
    const auto run = open_run(runs.path() / "deep" / "runs", "a = 1\n");
    EXPECT_EQ(run.id(), sha256_hex("a = 1\n").substr(0, 16));
    EXPECT_EQ(run.folder(), runs.path() / "deep" / "runs" / run.id());
    EXPECT_EQ(run_id(*read_text(run.folder() / "config.toml")), run.id());
    EXPECT_EQ(run.state(), RunState{});
    EXPECT_EQ(*read_text(run.folder() / "state.json"),
              "{\"phase\":\"created\",\"step\":0,\"reason\":\"\"}\n");
}

TEST(RunFolder, ASecondProcessIsRefusedByName) {
    const TempDir runs;
    const auto run = open_run(runs.path());
    const pid_t writer = ::getpid();
    const int code = in_another_process([&] {
        const auto second = store::Run::create_or_open(runs.path(), "name = \"a\"\n");
        if (second.ok()) return 1;
        const auto wanted = fmt::format("run {}: is being written by process {} on ", run.id(), writer);
        return second.error().text().starts_with(wanted) && second.error().kind == ErrorKind::unsupported ? 0
                                                                                                          : 2;
    });
    EXPECT_EQ(code, 0);
    EXPECT_FALSE(store::Run::create_or_open(runs.path(), "name = \"a\"\n").ok()) << "the same process, twice";
    EXPECT_TRUE(store::Run::create_or_open(runs.path(), "name = \"b\"\n").ok()) << "another run";
}

TEST(RunFolder, IsFreeAgainWhenItsProcessEnds) {
    const TempDir runs;
    EXPECT_EQ(in_another_process([&] { return store::Run::create_or_open(runs.path(), "c").ok() ? 0 : 1; }),
              0);
    EXPECT_TRUE(store::Run::create_or_open(runs.path(), "c").ok());
}

TEST(RunFolder, AnEditedConfigIsRefused) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    std::ofstream(folder / "config.toml", std::ios::app) << "# mine\n";
    const auto run = store::Run::create_or_open(runs.path(), "name = \"a\"\n");
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(run.error().text(), HasSubstr("config.toml: was changed: its hash is "));
}

TEST(RunFolder, TheStateIsTheLastOneSet) {
    const TempDir runs;
    const RunState failed{Phase::failed, 120, "loss is nan at step 120"};
    {
        auto run = open_run(runs.path());
        ASSERT_TRUE(run.set_state({Phase::running, 10, ""}).ok());
        ASSERT_TRUE(run.set_state(failed).ok());
    }
    EXPECT_EQ(open_run(runs.path()).state(), failed);
}

TEST(RunFolder, AStateThatIsNoneIsNamed) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    std::ofstream(folder / "state.json") << R"({"phase":"dine","step":0,"reason":""})";
    const auto run = store::Run::create_or_open(runs.path(), "name = \"a\"\n");
    ASSERT_FALSE(run.ok());
    EXPECT_THAT(run.error().text(), HasSubstr("state.json: no phase 'dine' (did you mean done?)"));
}

TEST(RunFolder, MetricsReadBackAsTheyWereWritten) {
    const TempDir runs;
    auto run = open_run(runs.path());
    std::vector<Json> rows{row(0, 0.1), row(1, 1.0 / 3), row(1, 5e-324), row(7, 1.7976931348623157e308)};
    for (const auto& one : rows) ASSERT_TRUE(run.append_metric(one).ok());
    EXPECT_EQ(*read_metrics(run.folder()), rows);
    EXPECT_EQ(*read_text(run.folder() / "metrics.jsonl"),
              "{\"step\":0,\"loss\":0.1}\n{\"step\":1,\"loss\":0.3333333333333333}\n"
              "{\"step\":1,\"loss\":5e-324}\n{\"step\":7,\"loss\":1.7976931348623157e+308}\n");
}

TEST(RunFolder, ANumberThatIsNotFiniteIsNull) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.append_metric(row(3, std::numeric_limits<double>::quiet_NaN())).ok());
    EXPECT_EQ(*read_text(run.folder() / "metrics.jsonl"), "{\"step\":3,\"loss\":null}\n");
}

TEST(RunFolder, RowsThatGoBackwardsOrHaveNoStepAreBugs) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.append_metric(row(5)).ok());
    EXPECT_THROW((void)run.append_metric(row(4)), Bug);
    EXPECT_THROW((void)run.append_metric(Json{{"loss", 1}}), Bug);
    EXPECT_THROW((void)run.append_metric(Json{{"step", 5.5}}), Bug);
}

// After a rewind to the checkpoint of any step the file is what it was when that step's last row had been
// written.
TEST(RunFolder, RewindingIsExactAtEveryStep) {
    const TempDir runs;
    auto run = open_run(runs.path());
    const fs::path file = run.folder() / "metrics.jsonl";
    const std::vector<std::int64_t> steps{0, 2, 2, 2, 5, 9, 9};
    std::vector<std::string> after(12);
    for (std::int64_t step = 0; step < 12; ++step) {
        for (auto left = std::ranges::count(steps, step); left > 0; --left)
            ASSERT_TRUE(run.append_metric(row(step, 1.0 / static_cast<double>(step + left))).ok());
        after[static_cast<std::size_t>(step)] = *read_text(file);
    }
    for (std::int64_t step = 11; step >= 0; --step) {
        const std::string& text = after[static_cast<std::size_t>(step)];
        ASSERT_TRUE(run.rewind_to(Checkpoint{{}, step, text.size()}).ok());
        EXPECT_EQ(*read_text(file), text) << step;
    }
    ASSERT_TRUE(run.rewind_to(std::nullopt).ok());
    EXPECT_EQ(*read_text(file), "");
    EXPECT_TRUE(run.append_metric(row(0)).ok()) << "the last step is forgotten with its row";
}

TEST(RunFolder, RewindingToACheckpointIsExact) {
    const TempDir runs;
    std::string before;
    {
        auto run = open_run(runs.path());
        for (const double loss : {0.5, 0.25}) ASSERT_TRUE(run.append_metric(row(10, loss)).ok());
        ASSERT_TRUE(run.write_checkpoint(10, two_files(10)).ok());
        before = *read_text(run.folder() / "metrics.jsonl");
        ASSERT_TRUE(run.append_metric(row(11)).ok());
    }
    auto run = open_run(runs.path());
    const auto checkpoint = *run.latest_checkpoint();
    ASSERT_TRUE(checkpoint.has_value());
    ASSERT_TRUE(run.rewind_to(checkpoint).ok());
    EXPECT_EQ(*read_text(run.folder() / "metrics.jsonl"), before);
    EXPECT_THROW((void)run.append_metric(row(10)), Bug) << "a resumed run begins with the next step";
    EXPECT_TRUE(run.append_metric(row(11)).ok());
    ASSERT_TRUE(run.rewind_to(std::nullopt).ok());
    EXPECT_EQ(*read_text(run.folder() / "metrics.jsonl"), "");
    EXPECT_TRUE(run.append_metric(row(0)).ok());
}

// A row of a step that comes after the step's checkpoint would be missing in a run that was killed between
// the two.
TEST(RunFolder, ARowAfterTheCheckpointOfItsStepIsABug) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.write_checkpoint(10, two_files(10)).ok());
    EXPECT_THROW((void)run.append_metric(row(10)), Bug);
    EXPECT_TRUE(run.append_metric(row(11)).ok());
}

TEST(RunFolder, ATornRowIsCutAtReopening) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    std::ofstream(folder / "metrics.jsonl") << "{\"step\":1}\n{\"step\":2,\"lo";
    EXPECT_EQ(read_metrics(folder)->size(), 1U) << "a reader sees whole rows";
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.append_metric(row(2)).ok());
    EXPECT_EQ(*read_text(folder / "metrics.jsonl"), "{\"step\":1}\n{\"step\":2,\"loss\":0.5}\n");
}

TEST(RunFolder, ADamagedRowIsNamedByItsLine) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    std::ofstream(folder / "metrics.jsonl") << "{\"step\":1}\n{\"stop\":2}\n";
    const auto run = store::Run::create_or_open(runs.path(), "name = \"a\"\n");
    ASSERT_FALSE(run.ok());
    EXPECT_THAT(run.error().text(),
                HasSubstr("metrics.jsonl:2: wants an object with a whole number \"step\""));
}

TEST(RunFolder, LogLinesHaveATimeAndStayOneLine) {
    const TempDir runs;
    auto run = open_run(runs.path());
    ASSERT_TRUE(run.append_log("two\nlines").ok());
    ASSERT_TRUE(run.append_timing({{"step", 1}, {"seconds", 0.5}}).ok());
    EXPECT_THAT(*read_text(run.folder() / "log.txt"), MatchesRegex("....-..-..T..:..:..Z two lines\n"));
    EXPECT_EQ(*read_text(run.folder() / "timings.jsonl"), "{\"step\":1,\"seconds\":0.5}\n");
}

TEST(RunFolder, EverySessionIsInTheEnvironment) {
    const TempDir runs;
    for (const char* host : {"first", "second"})
        ASSERT_TRUE(open_run(runs.path()).add_environment({{"host", host}}).ok());
    const auto all = read_json(open_run(runs.path()).folder() / "environment.json");
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->dump(), R"({"sessions":[{"host":"first"},{"host":"second"}]})");
}

TEST(RunFolder, AFolderThatCannotBeMadeIsIo) {
    const TempDir folder;
    std::ofstream(folder.path() / "file") << "x";
    const auto run = store::Run::create_or_open(folder.path() / "file", "c");
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().kind, ErrorKind::io);
    EXPECT_THAT(run.error().text(), HasSubstr("cannot be written: Not a directory"));
}

}  // namespace
}  // namespace plimsoll::store

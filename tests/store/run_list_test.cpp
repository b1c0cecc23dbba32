#include "plimsoll/store/run_list.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::TempDir;

TEST(RunList, HasEveryRunAndNothingElse) {
    const TempDir runs;
    const std::string first = open_run(runs.path(), "name = \"first\"\n").id();
    const std::string second = open_run(runs.path(), "a = 1\n").id();
    fs::create_directories(runs.path() / "notes");
    std::ofstream(runs.path() / "0123456789abcdef") << "a file";
    const auto listed = list_runs(runs.path());
    ASSERT_TRUE(listed.ok());
    ASSERT_EQ(listed->size(), 2U);
    EXPECT_LT(listed->at(0).id, listed->at(1).id);
    for (const auto& run : *listed) {
        EXPECT_EQ(run.name, run.id == first ? "first" : "");
        EXPECT_EQ(run.state, RunState{});
        EXPECT_EQ(run.problem, "");
        EXPECT_FALSE(run.interrupted);
    }
}

TEST(RunList, ARunWhoseProcessIsGoneIsInterrupted) {
    const TempDir runs;
    ASSERT_EQ(in_another_process(
                  [&] { return open_run(runs.path()).set_state({Phase::running, 3, ""}).ok() ? 0 : 1; }),
              0);
    EXPECT_TRUE(list_runs(runs.path())->front().interrupted);
    auto run = open_run(runs.path());
    EXPECT_FALSE(list_runs(runs.path())->front().interrupted) << "this process has it open";
}

TEST(RunList, ADamagedRunIsListedWithItsProblem) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    std::ofstream(folder / "state.json") << "{";
    const auto listed = list_runs(runs.path());
    ASSERT_TRUE(listed.ok());
    EXPECT_THAT(listed->front().problem, HasSubstr("state.json"));
}

TEST(RunList, AFolderThatIsNotThereIsNotFound) {
    const TempDir runs;
    EXPECT_EQ(list_runs(runs.path() / "none").error().kind, ErrorKind::not_found);
}

TEST(FindRun, ByPrefixAndByName) {
    const TempDir runs;
    const std::string id = open_run(runs.path(), "name = \"deep mixer\"\n").id();
    const std::string other = open_run(runs.path(), "name = \"other\"\n").id();
    ASSERT_NE(id.substr(0, 4), other.substr(0, 4));
    for (const std::string& text : {id, id.substr(0, 4), std::string("deep mixer")}) {
        const auto found = find_run(runs.path(), text);
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_EQ(found->id, id);
    }
}

TEST(FindRun, SeveralAndNoneAreErrorsThatHelp) {
    const TempDir runs;
    const std::string a = open_run(runs.path(), "name = \"mixer\"\na = 1\n").id();
    const std::string b = open_run(runs.path(), "name = \"mixer\"\na = 2\n").id();
    const auto several = find_run(runs.path(), "mixer");
    ASSERT_FALSE(several.ok());
    EXPECT_EQ(several.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(several.error().text(), HasSubstr("mixer: fits 2 runs: "));
    EXPECT_THAT(several.error().text(), HasSubstr(a + " (mixer)"));
    const auto none = find_run(runs.path(), "mixr");
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().kind, ErrorKind::not_found);
    EXPECT_THAT(none.error().text(), HasSubstr("(did you mean mixer"));
    EXPECT_EQ(find_run(runs.path(), "").error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace plimsoll::store

#include "plimsoll/server/fits.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/base/text.h"

namespace plimsoll::server {
namespace {

using namespace std::chrono_literals;

// A shell script in the place of plimsoll: it takes its folder, works until it is stopped, and answers.
class FitsTest : public ::testing::Test {
  protected:
    static constexpr const char* script =
        "#!/bin/sh\n"
        "for word; do case $word in --out=*) out=${word#--out=};; esac; done\n"
        "trap 'echo partial >\"$out/report.html\"; exit 75' TERM\n"
        "mkdir -p \"$out\"\n"
        "echo \"$*\" >>\"$out/calls\"\n"
        "echo racing\n"
        "case $2 in quick) echo '<html>' >\"$out/report.html\"; exit 0;; bad) echo 'error: data: none' >&2; "
        "exit 3;; esac\n"
        "while :; do sleep 0.05; done\n";

    FitsTest() : scratch_(std::move(ScratchFolder::make("fits")).value()) {
        EXPECT_TRUE(atomic_write(program(), script).ok());
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }
    [[nodiscard]] std::filesystem::path program() const { return scratch_.path() / "plimsoll"; }
    [[nodiscard]] std::filesystem::path folder() const { return scratch_.path() / "runs" / "fits"; }
    static std::string wait_for(Fits& fits, const std::string& id, const std::string& state) {
        for (int i = 0; i < 3000 && fits.show(id)->at("state") != state; ++i)
            std::this_thread::sleep_for(20ms);
        return fits.show(id)->at("state");
    }
    // The script works for the nth time, and would hear that it should stop.
    static void wait_for_work(Fits& fits, const std::string& id, int times = 1) {
        const auto said = [&] {
            const std::string log = fits.show(id)->at("log");
            return std::ranges::count(split(log, '\n'), "racing");
        };
        for (int i = 0; i < 3000 && said() < times; ++i) std::this_thread::sleep_for(20ms);
        EXPECT_EQ(said(), times);
    }

    ScratchFolder scratch_;
};

TEST_F(FitsTest, RunsToItsAnswer) {
    Fits fits(program(), folder());
    EXPECT_EQ(fits.list(), Json::array());
    const auto id = fits.start({"fit", "quick"});
    ASSERT_TRUE(id.ok()) << id.error().text();
    EXPECT_EQ(wait_for(fits, *id, "done"), "done");
    EXPECT_EQ(fits.show(*id)->at("log"), "racing\n");
    EXPECT_TRUE(fits.show(*id)->at("has_answer"));
    EXPECT_EQ(fits.report(*id)->text, "<html>\n");
    EXPECT_TRUE(fits.report(*id)->page);
    std::filesystem::rename(folder() / *id / "fit" / "report.html", folder() / *id / "fit" / "report.md");
    EXPECT_FALSE(fits.report(*id)->page);
    EXPECT_TRUE(fits.show(*id)->at("has_answer"));
    EXPECT_EQ(fits.list().size(), 1U);
}

TEST_F(FitsTest, StopsAndGoesOnWithTheSameWords) {
    Fits fits(program(), folder());
    const auto id = fits.start({"fit", "slow", "--time=1m"});
    ASSERT_TRUE(id.ok());
    wait_for_work(fits, *id);
    EXPECT_EQ(fits.start({"fit", "quick"}).error().kind, ErrorKind::unsupported);  // one at a time
    ASSERT_TRUE(fits.stop(*id).ok());
    EXPECT_EQ(wait_for(fits, *id, "stopped"), "stopped");
    EXPECT_FALSE(fits.stop(*id).ok());
    ASSERT_TRUE(fits.resume(*id).ok());
    EXPECT_EQ(fits.show(*id)->at("state"), "running");
    EXPECT_FALSE(fits.resume(*id).ok());
    wait_for_work(fits, *id, 2);
    fits.stop_all();
    const auto calls = read_text(folder() / *id / "fit" / "calls");
    ASSERT_TRUE(calls.ok());
    const std::string first = calls->substr(0, calls->find('\n') + 1);
    EXPECT_EQ(*calls, first + first);
}

TEST_F(FitsTest, SaysThatItFailed) {
    Fits fits(program(), folder());
    const auto id = fits.start({"fit", "bad"});
    EXPECT_EQ(wait_for(fits, *id, "failed"), "failed");
    EXPECT_EQ(fits.show(*id)->at("log"), "racing\nerror: data: none\n");
}

// The server ends: the fit stops at a checkpoint, and the next server goes on with it.
TEST_F(FitsTest, AnotherServerGoesOn) {
    std::string id;
    {
        Fits fits(program(), folder());
        id = *fits.start({"fit", "slow"});
        wait_for_work(fits, id);
    }
    EXPECT_EQ(*read_text(folder() / id / "fit" / "report.html"), "partial\n");
    Fits fits(program(), folder());
    EXPECT_EQ(fits.show(id)->at("state"), "stopped");
    EXPECT_TRUE(fits.resume(id).ok());
}

TEST_F(FitsTest, IdsAreIdsAlone) {
    Fits fits(program(), folder());
    std::filesystem::create_directories(folder() /
                                        "fedcba9876543210");  // not one of ours: it has no serve.json
    for (const char* id :
         {"", "..", "../..", "0123456789abcdef", "0123456789ABCDEF", "x", "fedcba9876543210"}) {
        EXPECT_FALSE(fits.show(id).ok()) << id;
        EXPECT_FALSE(fits.report(id).ok()) << id;
        EXPECT_FALSE(fits.resume(id).ok()) << id;
    }
    EXPECT_EQ(fits.list(), Json::array());
}

}  // namespace
}  // namespace plimsoll::server

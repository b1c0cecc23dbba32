#include "plimsoll/server/computations.h"

#include <algorithm>
#include <atomic>
#include <future>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/scratch_folder.h"

namespace plimsoll::server {
namespace {

using namespace std::chrono_literals;

// A shell in the place of plimsoll.
class Shells {
  public:
    explicit Shells(ComputationLimits limits = {})
        : scratch_(std::move(ScratchFolder::make("computations")).value()),
          computations_("/bin/sh", folder(), limits) {}

    Result<Computations::Ticket> start(const std::string& script, Computations::Done done,
                                       const std::string& client = "a") {
        return computations_.start({{"-c", script}, client, {}}, std::move(done));
    }
    ComputationEnd run(const std::string& script) {
        std::promise<ComputationEnd> end;
        EXPECT_TRUE(start(script, [&](const ComputationEnd& e) { end.set_value(e); }).ok());
        return end.get_future().get();
    }
    Computations& operator*() { return computations_; }
    // Where the shells work; nothing is in it.
    std::filesystem::path folder() {
        const auto path = scratch_.path() / "empty";
        std::filesystem::create_directory(path);
        return path;
    }

  private:
    ScratchFolder scratch_;
    Computations computations_;
};

TEST(Computations, GiveTheOutputOrTheError) {
    Shells shells;
    EXPECT_EQ(*shells.run("echo answer").output, "answer\n");
    EXPECT_EQ(*shells.run("echo no; exit 1").output, "no\n");
    const auto wrong = shells.run("echo 'error: depth: must be 1 to 9, got 0' >&2; exit 2");
    EXPECT_EQ(wrong.output.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(wrong.output.error().text(), "depth: must be 1 to 9, got 0");
    EXPECT_EQ(shells.run("echo 'error: x: none' >&2; exit 3").output.error().kind, ErrorKind::not_found);
    EXPECT_EQ(shells.run("kill -9 $$").output.error().kind, ErrorKind::unsupported);
}

TEST(Computations, WorkInAnEmptyFolder) { EXPECT_EQ(*Shells().run("ls -A | wc -l").output, "0\n"); }

TEST(Computations, HaveLimitedMemory) {
    ComputationLimits limits;
    limits.memory = 64'000'000;
    EXPECT_EQ(*Shells(limits).run("ulimit -v").output, "62500\n");
}

TEST(Computations, HaveLimitedTime) {
    ComputationLimits limits;
    limits.time = std::chrono::seconds(1);
    EXPECT_EQ(Shells(limits).run("sleep 60").output.error().text(), "computation: takes longer than 1 s");
}

TEST(Computations, HaveLimitedOutput) {
    ComputationLimits limits;
    limits.output_bytes = 100'000;
    EXPECT_EQ(Shells(limits).run("yes").output.error().text(),
              "computation: has a larger answer than is sent");
}

TEST(Computations, AreKilledWhenCancelled) {
    Shells shells;
    std::promise<ComputationEnd> end;
    const auto ticket = shells.start("sleep 60", [&](const ComputationEnd& e) { end.set_value(e); });
    while ((*shells).running() == 0) std::this_thread::sleep_for(5ms);
    EXPECT_EQ((*shells).running(), 1U);
    ticket->cancel();
    auto future = end.get_future();
    ASSERT_EQ(future.wait_for(50s), std::future_status::ready);  // sleep alone would take 60
    EXPECT_TRUE(future.get().cancelled);
}

TEST(Computations, AreKilledWhenTheServerStops) {
    Shells shells;
    std::atomic<int> ended = 0;
    for (int i = 0; i < 5; ++i)
        ASSERT_TRUE(
            shells.start("sleep 60", [&](const ComputationEnd& e) { ended += e.cancelled ? 1 : 0; }).ok());
    (*shells).stop();
    EXPECT_EQ(ended, 5);
    EXPECT_FALSE(shells.start("echo", [](const ComputationEnd&) {}).ok());
}

TEST(Computations, WaitAndThenAreRefused) {
    ComputationLimits limits;
    limits.at_once = 1;
    limits.waiting = 2;
    Shells shells(limits);
    std::vector<Computations::Ticket> tickets;
    const auto sleep = [&] { return shells.start("sleep 60", [](const ComputationEnd&) {}); };
    ASSERT_TRUE(sleep().ok());
    while ((*shells).running() == 0) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(sleep().ok());
    EXPECT_TRUE(sleep().ok());
    const auto fourth = sleep();
    ASSERT_FALSE(fourth.ok());
    EXPECT_EQ(fourth.error().where, "server");
}

// One client's thirty questions do not stand before another's one: only the one that runs already.
TEST(Computations, ClientsTakeTurns) {
    ComputationLimits limits;
    limits.at_once = 1;
    std::atomic<int> first = 0;
    std::promise<void> all_asked;
    std::promise<int> before;
    const auto asked = all_asked.get_future().share();
    Shells shells(limits);  // last: what it leaves undone still counts
    const auto count = [&, asked](const ComputationEnd&) {
        asked.wait();
        ++first;
    };
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(shells.start("true", count, "greedy").ok());
    ASSERT_TRUE(shells.start("true", [&](const ComputationEnd&) { before.set_value(first); }, "modest").ok());
    all_asked.set_value();
    EXPECT_EQ(before.get_future().get(), 1);
}

// Twenty questions of five clients, each noting that it began and that it ended: never more than three at
// once.
TEST(Computations, NeverRunMoreAtOnceThanConfigured) {
    ComputationLimits limits;
    limits.at_once = 3;
    std::promise<void> all;
    std::atomic<int> ended = 0;
    Shells shells(limits);
    const auto notes = (shells.folder().parent_path() / "notes").string();
    const auto done = [&](const ComputationEnd&) {
        if (++ended == 20) all.set_value();
    };
    for (int i = 0; i < 20; ++i)
        ASSERT_TRUE(shells
                        .start("echo + >>" + notes + "; sleep 0.03; echo - >>" + notes, done,
                               std::string(1, static_cast<char>('a' + i % 5)))
                        .ok());
    all.get_future().wait();
    const std::string signs = *read_text(notes);
    int running = 0, most = 0;
    for (const char sign : signs) {
        running += sign == '+' ? 1 : sign == '-' ? -1 : 0;
        most = std::max(most, running);
    }
    EXPECT_LE(most, 3);
    EXPECT_GE(most, 1);
    EXPECT_EQ(running, 0);
}

}  // namespace
}  // namespace plimsoll::server

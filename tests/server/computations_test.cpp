#include "plimsoll/server/computations.h"

#include <atomic>
#include <future>

#include <gtest/gtest.h>

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

  private:
    std::filesystem::path folder() {
        const auto path = scratch_.path() / "empty";
        std::filesystem::create_directory(path);
        return path;
    }
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
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ((*shells).running(), 1U);
    ticket->cancel();
    auto future = end.get_future();
    ASSERT_EQ(future.wait_for(5s), std::future_status::ready);
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

// One client's hundred questions do not stand before another's one.
TEST(Computations, ClientsTakeTurns) {
    ComputationLimits limits;
    limits.at_once = 1;
    Shells shells(limits);
    std::atomic<int> first = 0;
    for (int i = 0; i < 30; ++i)
        ASSERT_TRUE(shells.start("sleep 0.05", [&](const ComputationEnd&) { ++first; }, "greedy").ok());
    std::promise<int> before;
    ASSERT_TRUE(shells.start("true", [&](const ComputationEnd&) { before.set_value(first); }, "modest").ok());
    EXPECT_LE(before.get_future().get(), 3);
}

}  // namespace
}  // namespace plimsoll::server

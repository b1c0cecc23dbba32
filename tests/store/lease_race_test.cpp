// Leases between real processes: racing, stopped, killed.
#include <array>
#include <atomic>
#include <csignal>
#include <map>
#include <new>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::TempDir;

constexpr int racers = 6, contested = 3, rounds = 120;

// Counters that all processes of the test see.
struct Shared {
    std::array<std::atomic<int>, contested> owners{};
    std::atomic<int> taken{0}, refused{0}, together{0}, unopenable{0}, lost{0};
};

class SharedMemory {
  public:
    SharedMemory()
        : memory_(::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
          shared_(new(memory_) Shared) {}
    ~SharedMemory() { ::munmap(memory_, sizeof(Shared)); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    Shared* operator->() { return shared_; }

  private:
    void* memory_;
    Shared* shared_;
};

// Takes leases of runs at random and holds each for a moment; now and then dies while it holds one.
void race(const fs::path& runs, SharedMemory& shared, std::uint64_t seed) {
    RandomStream random(seed, "race");
    for (int round = 0; round < rounds; ++round) {
        const auto which = random.below(contested);
        const auto lease = Lease::take(runs / std::to_string(which), {.watch = Watch::nobody});
        if (!lease.ok()) {
            ++(lease.error().kind == ErrorKind::unsupported ? shared->refused : shared->unopenable);
            continue;
        }
        ++shared->taken;
        if (++shared->owners[which] != 1) ++shared->together;
        ::usleep(static_cast<useconds_t>(random.below(400)));
        if (!lease->still_mine().ok()) ++shared->lost;
        --shared->owners[which];
        if (random.below(10) == 0) ::raise(SIGKILL);
    }
}

TEST(LeaseRace, EachRunHasOneOwnerAtATime) {
    const TempDir runs;
    SharedMemory shared;
    for (int i = 0; i < contested; ++i) fs::create_directories(runs.path() / std::to_string(i));
    std::vector<pid_t> children;
    std::uint64_t seed = 0;
    const auto start = [&] {
        const pid_t child = ::fork();
        if (child == 0) race(runs.path(), shared, seed), ::_exit(0);
        ++seed;
        children.push_back(child);
    };
    for (int i = 0; i < racers; ++i) start();
    int killed = 0;
    while (!children.empty()) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, 0);
        std::erase(children, ended);
        if (WIFSIGNALED(status) && ++killed < 150) start();
    }
    EXPECT_EQ(shared->together, 0) << "two owners at once";
    EXPECT_EQ(shared->lost, 0) << "a live owner was taken over";
    EXPECT_EQ(shared->unopenable, 0);
    EXPECT_GT(shared->taken, 500);
    EXPECT_GT(shared->refused, 100);
    EXPECT_GT(killed, 50);
    for (int i = 0; i < contested; ++i)
        EXPECT_TRUE(Lease::take(runs.path() / std::to_string(i), {.watch = Watch::nobody}).ok());
}

// Every file below a folder with its bytes.
std::map<std::string, std::string> content_of(const fs::path& folder) {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        content[entry.path().lexically_relative(folder)] =
            entry.is_regular_file() ? *read_text(entry.path()) : "folder";
    return content;
}

// Writes everything a run has, over and over, until a write fails: 0 when that says that it was taken over.
int write_until_taken_over(const fs::path& runs) {
    auto opened = store::Run::create_or_open(runs, "race", {.beat = 2ms});
    if (!opened.ok()) return 1;
    auto run = std::move(opened).value();
    for (std::int64_t step = 1;; ++step) {
        const auto checkpoint = [&] {
            const auto made = run.write_checkpoint(step, two_files(step));
            return made.ok() ? Status() : Status(made.error());
        };
        for (const Status& status : {run.append_metric(row(step)), run.append_timing(row(step)),
                                     run.append_log("a line"), run.add_environment({{"step", step}}),
                                     run.set_state({Phase::running, step, ""}), checkpoint()}) {
            if (status.ok()) continue;
            return status.error().text().find("was taken over by process") != std::string::npos ? 0 : 2;
        }
    }
}

// Stopped at any moment, taken over, and continued: not a byte comes from the old owner any more.
TEST(LeaseRace, AStoppedOwnerWritesNothingAfterItWasTakenOver) {
    RandomStream random(1, "stopped");
    for (int round = 0; round < 60; ++round) {
        const TempDir runs;
        const pid_t old_owner = ::fork();
        if (old_owner == 0) ::_exit(write_until_taken_over(runs.path()));
        const fs::path folder = runs.path() / run_id("race");
        while (!read_metrics(folder).ok() || read_metrics(folder)->empty()) ::usleep(500);
        ::usleep(static_cast<useconds_t>(random.below(20'000)));
        ::kill(old_owner, SIGSTOP);
        int status = 0;
        ASSERT_EQ(::waitpid(old_owner, &status, WUNTRACED), old_owner);
        ASSERT_TRUE(WIFSTOPPED(status));
        auto run = store::Run::create_or_open(runs.path(), "race",
                                              {.beat = 1h, .grace = 30ms, .watch = Watch::everybody});
        ASSERT_TRUE(run.ok()) << run.error().text();
        const auto checkpoint = (*run).latest_checkpoint();
        ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().text();
        auto owner = std::move(run).value();
        ASSERT_TRUE(owner.rewind_to(*checkpoint).ok());
        ASSERT_TRUE(owner.append_metric(row(1'000'000)).ok());
        ASSERT_TRUE(owner.set_state({Phase::running, 1'000'000, ""}).ok());
        const auto before = content_of(folder);
        ::kill(old_owner, SIGCONT);
        ::waitpid(old_owner, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
        EXPECT_EQ(content_of(folder), before) << "round " << round;
        EXPECT_TRUE(owner.still_mine().ok());
    }
}

// Killed while it opens, writes and closes a run: the next one opens it at once.
TEST(LeaseRace, KilledAtRandomMomentsTheRunOpensAgain) {
    const TempDir runs;
    RandomStream random(2, "killed");
    for (int round = 0; round < 150; ++round) {
        const pid_t child = ::fork();
        if (child == 0) {
            for (;;) {
                const auto run = store::Run::create_or_open(runs.path(), "race", {.watch = Watch::nobody});
                if (!run.ok()) ::_exit(1);
            }
        }
        ::usleep(static_cast<useconds_t>(random.below(15'000)));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it could not open the run";
        const auto run = store::Run::create_or_open(runs.path(), "race", {.watch = Watch::nobody});
        ASSERT_TRUE(run.ok()) << run.error().text();
    }
    EXPECT_LE(std::distance(fs::directory_iterator(runs.path() / run_id("race") / "claims"), {}), 2)
        << "the leases of the dead were tidied up";
}

}  // namespace
}  // namespace plimsoll::store

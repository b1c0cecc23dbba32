#include "plimsoll/store/lease.h"

#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "plimsoll/base/format.h"
#include "plimsoll/store/disk.h"
#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
using namespace std::chrono_literals;
using testing::TempDir;

// A clock that stands still unless somebody sleeps; what happens meanwhile is up to the test.
class FakeClock final : public LeaseClock {
  public:
    std::chrono::nanoseconds now() override { return now_; }
    void sleep(std::chrono::nanoseconds time) override {
        now_ += time;
        if (while_asleep) while_asleep();
    }
    std::function<void()> while_asleep;

  private:
    std::chrono::nanoseconds now_ = 1s;
};

std::vector<std::string> names_in_folder(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

// A lease as a process of another machine would have made it.
LeaseInfo lease_of_another_machine(const fs::path& run_folder, std::uint64_t epoch = 1) {
    const LeaseInfo lease{.epoch = epoch,
                          .holder = {"node7", "another boot", 71, 5},
                          .token = "00000000deadbeef",
                          .started = "2026-01-01T00:00:00Z"};
    fs::create_directories(run_folder / "claims");
    EXPECT_TRUE(*create_lease(run_folder / "claims", lease));
    return lease;
}

TEST(Lease, IsReleasedAndTakenAgainWithTheNextEpoch) {
    const TempDir run;
    for (std::uint64_t epoch = 1; epoch <= 3; ++epoch) {
        const auto lease = Lease::take(run.path());
        ASSERT_TRUE(lease.ok()) << lease.error().text();
        EXPECT_EQ(lease->epoch(), epoch);
        EXPECT_EQ(lease->succeeded(), "");
        EXPECT_TRUE(lease->still_mine().ok());
        EXPECT_TRUE(fs::is_directory(lease->work_folder()));
        const auto newest = *newest_lease(run.path());
        EXPECT_EQ(newest->holder, this_process());
        EXPECT_FALSE(is_free(*newest));
    }
    EXPECT_TRUE(is_free(**newest_lease(run.path())));
    EXPECT_THAT(names_in_folder(run.path() / "claims"), ElementsAre("3.json", "3.released"));
}

TEST(Lease, OfALiveProcessHereIsRefusedAtOnceAndByName) {
    const TempDir run;
    const auto lease = Lease::take(run.path());
    FakeClock clock;
    clock.while_asleep = [] { ADD_FAILURE() << "waited"; };
    LeaseWatcher watcher(clock);
    const auto second = Lease::take(run.path(), {.watcher = &watcher});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().kind, ErrorKind::unsupported);
    EXPECT_EQ(second.error().text(), fmt::format("run {}: is being written by process {} on {} (epoch 1)",
                                                 run.path().filename().string(), ::getpid(), host_name()));
    EXPECT_TRUE(lease->still_mine().ok());
}

TEST(Lease, OfAKilledProcessHereIsTakenAtOnce) {
    const TempDir run;
    pid_t child = 0;
    EXPECT_EQ(in_another_process([&] {
                  const auto lease = Lease::take(run.path());
                  ::raise(SIGKILL);
                  return 0;
              }),
              -1);
    child = static_cast<pid_t>((*newest_lease(run.path()))->holder.process);
    const auto lease = Lease::take(run.path(), {.watch = Watch::nobody});
    ASSERT_TRUE(lease.ok()) << lease.error().text();
    EXPECT_EQ(lease->succeeded(), fmt::format("process {} on {} (epoch 1) is gone", child, host_name()));
    EXPECT_THAT(names_in_folder(run.path() / "claims"), ElementsAre(MatchesRegex("2-.*work"), "2.json"));
}

TEST(Lease, AProcessNumberThatIsUsedAgainIsAnotherProcess) {
    ProcessIdentity who = this_process();
    EXPECT_FALSE(is_gone(who));
    who.start += 1;
    EXPECT_TRUE(is_gone(who));
    who.system = "another boot";
    EXPECT_FALSE(is_gone(who)) << "nothing is known about other machines";
}

TEST(Lease, AZombieIsGone) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    ProcessIdentity who = this_process();
    who.process = child;
    EXPECT_TRUE(is_gone(who));
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(is_gone(who));
}

// Only what the observer itself has seen counts: not one moment earlier than the grace period.
TEST(Lease, OfAnotherMachineIsTakenAfterTheWholeGracePeriod) {
    for (const char* told : {"1970-01-01T00:00:00Z", "2999-01-01T00:00:00Z"}) {
        const TempDir run;
        LeaseInfo other = lease_of_another_machine(run.path());
        FakeClock clock;
        LeaseWatcher watcher(clock);
        const auto start = clock.now();
        std::vector<std::string> waited_for;
        LeaseOptions options{.beat = 7s, .grace = 60s, .watcher = &watcher};
        options.waiting = [&](const LeaseInfo& lease, auto) {
            waited_for.push_back(described(lease.holder));
        };
        // Wall clocks that jump: the file's times and what it says about them change nothing.
        fs::last_write_time(run.path() / "claims" / "1.json",
                            fs::file_time_type::clock::now() + (told[0] == '1' ? -100'000h : 100'000h));
        const auto lease = Lease::take(run.path(), options);
        ASSERT_TRUE(lease.ok()) << lease.error().text();
        EXPECT_EQ(clock.now() - start, 60s);
        EXPECT_THAT(waited_for, ::testing::Each("process 71 on node7"));
        EXPECT_EQ(waited_for.size(), 9U);
        EXPECT_EQ(lease->succeeded(), "process 71 on node7 (epoch 1) had shown no life for 60 s");
        EXPECT_EQ(lease->epoch(), 2U);
    }
}

TEST(Lease, OfAnotherMachineThatShowsLifeIsRefused) {
    const TempDir run;
    const LeaseInfo other = lease_of_another_machine(run.path());
    FakeClock clock;
    int sleeps = 0;
    clock.while_asleep = [&] {
        if (++sleeps == 3) show_life(run.path() / "claims", other, 1);
    };
    LeaseWatcher watcher(clock);
    const auto lease = Lease::take(run.path(), {.beat = 5s, .grace = 60s, .watcher = &watcher});
    ASSERT_FALSE(lease.ok());
    EXPECT_THAT(lease.error().text(), HasSubstr("is being written by process 71 on node7 (epoch 1)"));
    EXPECT_EQ(sleeps, 3);
}

// A sweep's runner looks at many runs in turn and never waits: what it saw earlier counts.
TEST(Lease, AWatcherRemembersWhatItSaw) {
    const TempDir run;
    const LeaseInfo other = lease_of_another_machine(run.path());
    FakeClock clock;
    LeaseWatcher watcher(clock);
    const LeaseOptions options{.grace = 60s, .watch = Watch::nobody, .watcher = &watcher};
    EXPECT_FALSE(Lease::take(run.path(), options).ok());
    clock.sleep(59s);
    EXPECT_FALSE(Lease::take(run.path(), options).ok());
    show_life(run.path() / "claims", other, 9);
    clock.sleep(30s);
    EXPECT_FALSE(Lease::take(run.path(), options).ok()) << "a sign of life: the period begins anew";
    clock.sleep(60s);
    EXPECT_TRUE(Lease::take(run.path(), options).ok());
}

TEST(Lease, OnRequestIsTakenAtOnce) {
    const TempDir run;
    lease_of_another_machine(run.path());
    const auto lease = Lease::take(run.path(), {.watch = Watch::nobody, .take_over = true});
    ASSERT_TRUE(lease.ok());
    EXPECT_EQ(lease->succeeded(), "process 71 on node7 (epoch 1) was put aside on request");
}

TEST(Lease, ThatCannotBeReadIsSomebodysUntilTheGracePeriodIsOver) {
    const TempDir run;
    fs::create_directories(run.path() / "claims");
    std::ofstream(run.path() / "claims" / "4.json") << "{\"epo";
    FakeClock clock;
    LeaseWatcher watcher(clock);
    const auto now = Lease::take(run.path(), {.watch = Watch::nobody, .watcher = &watcher});
    ASSERT_FALSE(now.ok());
    EXPECT_THAT(now.error().text(), HasSubstr("is being written by an unknown process (epoch 4)"));
    const auto later = Lease::take(run.path(), {.watcher = &watcher});
    ASSERT_TRUE(later.ok());
    EXPECT_EQ(later->epoch(), 5U);
}

// Somebody slow, who believes that epoch 1 is the last, comes after epoch 3 has tidied up: it does not get 2.
TEST(Lease, ANumberThatIsFreeAgainIsNotTaken) {
    const TempDir run;
    lease_of_another_machine(run.path(), 3);
    const LeaseInfo late{.epoch = 2, .holder = this_process(), .token = "aa", .started = ""};
    const auto won = create_lease(run.path() / "claims", late);
    ASSERT_TRUE(won.ok());
    EXPECT_FALSE(*won);
    EXPECT_THAT(names_in_folder(run.path() / "claims"), ElementsAre("3-00000000deadbeef.work", "3.json"));
}

TEST(Lease, ThatWasTakenOverSaysByWhomAndReleasesNothing) {
    const TempDir run;
    auto first = Lease::take(run.path(), {.beat = 1ms});
    const fs::path work = first->work_folder();
    const auto second = Lease::take(run.path(), {.take_over = true});
    ASSERT_TRUE(second.ok());
    EXPECT_FALSE(fs::exists(work));
    const Status mine = first->still_mine();
    ASSERT_FALSE(mine.ok());
    EXPECT_EQ(mine.error().kind, ErrorKind::unsupported);
    EXPECT_EQ(mine.error().text(),
              fmt::format("run {}: was taken over by process {} on {} (epoch 2); nothing more is written",
                          run.path().filename().string(), ::getpid(), host_name()));
    {
        const auto gone = std::move(first);
    }
    EXPECT_THAT(names_in_folder(run.path() / "claims"), ElementsAre(MatchesRegex("2-.*work"), "2.json"));
    EXPECT_TRUE(second->still_mine().ok());
}

TEST(Lease, OfAFolderThatWasReplacedIsLost) {
    const TempDir runs;
    fs::create_directories(runs.path() / "a");
    const auto lease = Lease::take(runs.path() / "a");
    fs::rename(runs.path() / "a", runs.path() / "b");
    EXPECT_THAT(lease->still_mine().error().text(),
                HasSubstr("was removed or replaced; nothing more is written"));
    fs::create_directories(runs.path() / "a");
    const auto another = Lease::take(runs.path() / "a");
    EXPECT_EQ(another->epoch(), lease->epoch());
    EXPECT_FALSE(lease->still_mine().ok()) << "the same number in another folder";
}

TEST(Lease, ShowsLifeByItself) {
    const TempDir run;
    const auto lease = Lease::take(run.path(), {.beat = 1ms});
    const LeaseInfo info = **newest_lease(run.path());
    const std::string first = sign_of_life(run.path() / "claims", info);
    EXPECT_THAT(first, StartsWith("0000000000"));
    while (sign_of_life(run.path() / "claims", info) == first) ::usleep(500);
}

TEST(RunLease, EveryWriteAfterATakeoverIsRefused) {
    const TempDir runs;
    auto old_one = open_run(runs.path());
    ASSERT_TRUE(old_one.append_metric(row(1)).ok());
    auto new_one = store::Run::create_or_open(runs.path(), "name = \"a\"\n", {.take_over = true});
    ASSERT_TRUE(new_one.ok()) << new_one.error().text();
    ASSERT_EQ(new_one->notes().size(), 1U);
    EXPECT_THAT(new_one->notes()[0], HasSubstr("taken over: process "));
    const std::vector<Status> writes{old_one.append_metric(row(2)),
                                     old_one.append_timing(row(2)),
                                     old_one.append_log("mine"),
                                     old_one.set_state({Phase::done, 2, ""}),
                                     old_one.add_environment(Json::object()),
                                     old_one.rewind_to(std::nullopt)};
    for (const Status& status : writes) {
        ASSERT_FALSE(status.ok());
        EXPECT_THAT(status.error().text(), HasSubstr("was taken over by process "));
    }
    const auto checkpoint = old_one.write_checkpoint(2, two_files(2));
    ASSERT_FALSE(checkpoint.ok());
    EXPECT_THAT(checkpoint.error().text(), HasSubstr("(epoch 2); nothing more is written"));
    EXPECT_EQ(read_metrics(new_one->folder())->size(), 1U);
    EXPECT_EQ(names_in_folder(new_one->folder() / "checkpoint").size(), 0U);
    EXPECT_TRUE(new_one->still_mine().ok());
}

// A process that was stopped between asking and writing does the rest of its write after it was taken over:
// through the file it has open, or by a rename out of its work folder.
TEST(RunLease, AWriteThatWasAskedForBeforeTheTakeoverGoesNowhere) {
    const TempDir runs;
    auto old_one = open_run(runs.path());
    ASSERT_TRUE(old_one.append_metric(row(1)).ok());
    const fs::path folder = old_one.folder(), work = folder / "claims" / work_name(**newest_lease(folder));
    std::vector<int> open_files;
    for (const char* name : {"metrics.jsonl", "timings.jsonl", "log.txt"})
        open_files.push_back(::open((folder / name).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    std::ofstream(work / "state.json") << "old";
    fs::create_directories(work / "making");
    auto new_one = store::Run::create_or_open(runs.path(), "name = \"a\"\n", {.take_over = true});
    ASSERT_TRUE(new_one.ok());
    const std::vector<std::string> before{*read_text(folder / "metrics.jsonl"),
                                          *read_text(folder / "timings.jsonl"),
                                          *read_text(folder / "log.txt")};
    for (const int file : open_files) {
        EXPECT_EQ(::write(file, "late\n", 5), 5);
        ::close(file);
    }
    EXPECT_EQ(*read_text(folder / "metrics.jsonl"), before[0]);
    EXPECT_EQ(*read_text(folder / "timings.jsonl"), before[1]);
    EXPECT_EQ(*read_text(folder / "log.txt"), before[2]);
    EXPECT_FALSE(rename_path(work / "state.json", folder / "state.json").ok());
    EXPECT_FALSE(rename_path(work / "making", folder / "checkpoint" / "step-9").ok());
    EXPECT_FALSE(fs::exists(folder / "checkpoint" / "step-9"));
}

// A copy of a folder with a live lease, as rsync makes it: the machine it came to waits, or is asked not to.
TEST(RunLease, ACopyOnAnotherMachineOpensAfterTheGracePeriodOrOnRequest) {
    const TempDir folder;
    const fs::path runs = folder.path() / "runs";
    auto run = open_run(runs);
    ASSERT_TRUE(run.append_metric(row(1)).ok());
    for (const bool request : {false, true}) {
        const fs::path copy = folder.path() / (request ? "first" : "second");
        fs::copy(runs, copy, fs::copy_options::recursive);
        // What the other machine sees: a lease that is none of its own.
        const fs::path lease = copy / run.id() / "claims" / "1.json";
        std::string text = *read_text(lease);
        text.replace(text.find("\"system\": \""), 11, "\"system\": \"elsewhere ");
        std::ofstream(lease) << text;
        FakeClock clock;
        LeaseWatcher watcher(clock);
        const auto start = clock.now();
        const auto opened =
            store::Run::create_or_open(copy, "name = \"a\"\n", {.take_over = request, .watcher = &watcher});
        ASSERT_TRUE(opened.ok()) << opened.error().text();
        EXPECT_EQ(clock.now() - start, request ? 0s : 60s);
        EXPECT_EQ(read_metrics(opened->folder())->size(), 1U);
    }
    EXPECT_TRUE(run.still_mine().ok());
}

// The lock of the system alone keeps a run only where no lease says more.
TEST(RunLease, TheLockCountsWhereTheLeaseSaysNothing) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    const int lock = ::open((folder / "run.lock").c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(::flock(lock, LOCK_EX), 0);
    const auto refused = store::Run::create_or_open(runs.path(), "name = \"a\"\n");
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().text(), HasSubstr("is being written by process"));
    lease_of_another_machine(folder, 2);
    EXPECT_TRUE(store::Run::create_or_open(runs.path(), "name = \"a\"\n", {.take_over = true}).ok())
        << "a stopped process keeps its lock, not its lease";
    ::close(lock);
}

TEST(RunLease, AReadOnlyStoreIsAClearError) {
    const TempDir folder;
    const std::string id = run_id("name = \"a\"\n");
    const int code = in_another_process([&] {
        if (::unshare(CLONE_NEWNS) != 0) return 77;
        if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
        if (::mount("plimsoll", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) return 77;
        {
            const auto run = open_run(folder.path());
        }
        if (::mount("", folder.path().c_str(), "", MS_REMOUNT | MS_RDONLY, "") != 0) return 77;
        const std::string wanted =
            (folder.path() / id).string() + ": cannot be written: Read-only file system";
        const auto run = store::Run::create_or_open(folder.path(), "name = \"a\"\n");
        if (run.ok() || run.error().kind != ErrorKind::io || run.error().text() != wanted) return 1;
        const auto fresh = store::Run::create_or_open(folder.path(), "name = \"b\"\n");
        const bool clear =
            !fresh.ok() && fresh.error().text().ends_with("cannot be written: Read-only file system");
        return clear ? 0 : 2;
    });
    if (code == 77) GTEST_SKIP() << "mounting a tmpfs needs root";
    EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace plimsoll::store

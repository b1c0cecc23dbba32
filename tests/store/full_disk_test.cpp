#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;

// A process in which no file may grow beyond `bytes`.
int with_small_files(rlim_t bytes, const std::function<int()>& body) {
    return in_another_process([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        return body();
    });
}

TEST(FullDisk, AMetricThatDoesNotFitLeavesWholeRows) {
    const TempDir runs;
    const fs::path folder = open_run(runs.path()).folder();
    const int rows = with_small_files(1000, [&] {
        auto opened = store::Run::create_or_open(runs.path(), "name = \"a\"\n");
        if (!opened.ok()) return 255;
        auto run = std::move(opened).value();
        for (int step = 0; step < 200; ++step) {
            const auto added = run.append_metric(row(step));
            if (added.ok()) continue;
            const bool clear = added.error().kind == ErrorKind::io &&
                               added.error().text().ends_with("cannot be written: No space left on device");
            return clear ? step : 254;
        }
        return 253;
    });
    EXPECT_GT(rows, 10);
    EXPECT_LT(rows, 200);
    EXPECT_EQ(read_metrics(folder)->size(), static_cast<std::size_t>(rows));
    EXPECT_EQ(read_text(folder / "metrics.jsonl")->back(), '\n');
}

TEST(FullDisk, ACheckpointThatDoesNotFitLeavesTheLastOne) {
    const TempDir runs;
    EXPECT_EQ(with_small_files(4000,
                               [&] {
                                   auto run = open_run(runs.path());
                                   if (!run.write_checkpoint(1, {{"small", "x"}}).ok()) return 1;
                                   const auto made = run.write_checkpoint(2, two_files(2));
                                   if (made.ok()) return 2;
                                   return made.error().kind == ErrorKind::io ? 0 : 3;
                               }),
              0);
    const auto run = open_run(runs.path());
    EXPECT_EQ((*run.latest_checkpoint())->step, 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(run.folder() / "checkpoint"), {}), 1);
}

// A real full disk: a tmpfs of one megabyte in a mount namespace of our own.
TEST(FullDisk, OnARealOneNothingIsLost) {
    const TempDir folder;
    const int code = in_another_process([&] {
        if (::unshare(CLONE_NEWNS) != 0) return 77;
        if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
        if (::mount("plimsoll", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) return 77;
        auto run = open_run(folder.path());
        if (!run.append_metric(row(1)).ok() || !run.write_checkpoint(1, two_files(1)).ok()) return 1;
        const std::vector<CheckpointFile> large{{"weights", std::string(2'000'000, 'w')}};
        const auto made = run.write_checkpoint(2, large);
        if (made.ok() || made.error().kind != ErrorKind::io) return 2;
        if (made.error().message.find("No space left on device") == std::string::npos) return 3;
        if ((*run.latest_checkpoint())->step != 1) return 4;
        if (!run.append_metric(row(2)).ok()) return 5;  // the half checkpoint has made room again
        if (!run.set_state({Phase::failed, 2, made.error().text()}).ok()) return 6;
        return read_metrics(run.folder())->size() == 2 ? 0 : 7;
    });
    if (code == 77) GTEST_SKIP() << "mounting a tmpfs needs root";
    EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace plimsoll::store

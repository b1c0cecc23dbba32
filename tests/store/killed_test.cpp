#include <chrono>
#include <csignal>

#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "tests/store/store_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;

constexpr std::int64_t last_step = 60;
constexpr std::int64_t checkpoint_every = 3;

// A "training" whose whole state is one number that every step changes; what a real one promises, in small.
double next_state(double state) { return 3.7 * state * (1 - state); }

std::vector<CheckpointFile> saved(double state) {
    const FileWriter writer = [state](const fs::path& path) {
        return atomic_write(path, fmt::format("{}", state));
    };
    return {{"padding", std::string(20'000, 'p')}, {"state", writer}};
}

// Opens the run, goes on from its checkpoint and trains to the end.
int train(const fs::path& runs) {
    auto opened = store::Run::create_or_open(runs, "killed");
    if (!opened.ok()) return 1;
    auto run = std::move(opened).value();
    const auto checkpoint = run.latest_checkpoint();
    if (!checkpoint.ok()) return 2;
    if (!run.rewind_to(*checkpoint).ok()) return 3;
    double state = 0.5;
    std::int64_t step = 0;
    if (checkpoint->has_value()) {
        state = std::stod(*read_text((*checkpoint)->folder / "state"));
        step = (*checkpoint)->step;
    }
    while (step < last_step) {
        state = next_state(state);
        ++step;
        if (!run.append_metric(row(step, state)).ok()) return 4;
        if (step % 4 == 0 && !run.append_metric(row(step, -state)).ok()) return 5;
        if (step % checkpoint_every == 0 && !run.write_checkpoint(step, saved(state)).ok()) return 6;
    }
    return run.set_state({Phase::done, step, ""}).ok() ? 0 : 7;
}

std::string metrics_of(const fs::path& runs) { return *read_text(runs / run_id("killed") / "metrics.jsonl"); }

// Kill -9 at a random moment; false when the child was done before.
bool killed_after(const fs::path& runs, std::uint64_t microseconds) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(train(runs));
    ::usleep(static_cast<useconds_t>(microseconds));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << WEXITSTATUS(status);
    return WIFSIGNALED(status);
}

// Kills the training until it has ended, checking after each kill that no checkpoint was lost; how many
// kills.
int kill_until_done(const fs::path& runs, RandomStream& random, std::uint64_t microseconds) {
    std::int64_t last = 0;
    for (int kills = 0;; ++kills) {
        if (!killed_after(runs, random.below(microseconds))) return kills;
        const auto found = latest_checkpoint(runs / run_id("killed"));
        EXPECT_TRUE(found.ok()) << found.error().text();
        const std::int64_t step = found.ok() && found->has_value() ? (*found)->step : 0;
        EXPECT_GE(step, last) << "a checkpoint was lost";
        last = step;
        if (kills == 20) microseconds *= 2;
    }
}

// However often it is killed, the run's metrics end as those of one that nobody disturbed, byte for byte, and
// after each kill one complete checkpoint is found (none before the first).
TEST(Killed, AtRandomMomentsTheMetricsEndTheSame) {
    const TempDir folder;
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(in_another_process([&] { return train(folder.path() / "undisturbed"); }), 0);
    const auto taken = std::chrono::steady_clock::now() - start;
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(taken).count();
    const std::string wanted = metrics_of(folder.path() / "undisturbed");
    RandomStream random(1, "killed");
    int kills = 0;
    for (int trial = 0; trial < 100 && kills < 100; ++trial) {
        const fs::path runs = folder.path() / std::to_string(trial);
        kills += kill_until_done(runs, random, static_cast<std::uint64_t>(microseconds / 2 + 1));
        EXPECT_EQ(metrics_of(runs), wanted) << trial;
    }
    EXPECT_GT(kills, 0);
    RecordProperty("kills", kills);
}

}  // namespace
}  // namespace plimsoll::store

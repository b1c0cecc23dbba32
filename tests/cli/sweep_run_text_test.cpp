#include "plimsoll/cli/sweep/sweep_run_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

lab::SweepProgress in_the_middle() {
    lab::SweepProgress progress;
    progress.jobs = 12;
    progress.done = 8;
    progress.failed = 1;
    progress.waiting = 1;
    progress.seconds_left = 125;
    progress.running = {{3, "0d68eb5c41ce4761", 1200, 4000, 2.41131, 60, 35},
                        {10, "b6e7b4568b4fe297", 0, {}, {}, 1, {}}};
    return progress;
}

TEST(SweepRunText, Durations) {
    const auto seconds = [](const char* text) { return parse_duration(text, "t")->count(); };
    EXPECT_EQ(seconds("90s"), 90);
    EXPECT_EQ(seconds("10m"), 600);
    EXPECT_EQ(seconds("1h30m"), 5400);
    EXPECT_EQ(seconds("2d1s"), 172801);
    for (const char* wrong :
         {"", "10", "m", "0s", "1m1h", "1m1m", "-5m", "1.5h", "5 m", "9999999999999999999s"})
        EXPECT_FALSE(parse_duration(wrong, "t").ok()) << wrong;
    EXPECT_EQ(parse_duration("10", "--stop-after").error().text(),
              "--stop-after: '10' is not a time like 90s, 10m or 1h30m");
}

TEST(SweepRunText, TheTableShowsWhatRunsAndTheCounts) {
    EXPECT_THAT(live_lines(in_the_middle()),
                ElementsAre("     job   id                              step       loss   time left",
                            "  --------------------------------------------------------------------",
                            "       3   0d68eb5c41ce4761        1200 of 4000     2.4113        35 s",
                            "      10   b6e7b4568b4fe297                   0                       ",
                            "  12 jobs: 8 done, 1 failed, 2 running, 1 waiting; 2 min left"));
}

TEST(SweepRunText, ManyWorkersDoNotFillTheScreen) {
    auto progress = in_the_middle();
    progress.running.assign(64, progress.running[0]);
    const auto lines = live_lines(progress);
    EXPECT_THAT(lines, SizeIs(16));
    EXPECT_EQ(lines[14], "  and 52 more");
    for (const auto& line : lines) EXPECT_LT(line.size(), 80u);
}

TEST(SweepRunText, TheLineOfAJobThatEnded) {
    auto progress = in_the_middle();
    lab::JobOutcome job{
        .id = "0d68eb5c41ce4761", .state = lab::JobResult::done, .seconds = 35, .here = true, .loss = 1.5};
    progress.ended = &job;
    progress.ended_number = 3;
    EXPECT_EQ(ended_line(progress), "job 3 of 12  0d68eb5c41ce4761  done after 35 s  loss 1.5000");
    job = {.id = "0d68eb5c41ce4761", .state = lab::JobResult::failed, .reason = "bad\033[2J"};
    EXPECT_EQ(ended_line(progress), "job 3 of 12  0d68eb5c41ce4761  failed  bad?[2J");
}

}  // namespace
}  // namespace plimsoll::cli

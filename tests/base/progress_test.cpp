#include "plimsoll/base/progress.h"

#include <chrono>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "plimsoll/base/busy_line.h"

namespace plimsoll {
namespace {

TEST(Progress, TheLineHasShareAndTimeLeft) {
    EXPECT_EQ(progress_line("rank", 1, 4, 1), "rank  25 %  3 s left");
    EXPECT_EQ(progress_line("rank", 4, 4, 9), "rank  100 %  0 s left");
    EXPECT_EQ(progress_line("rank", 1, 100, 1), "rank  1 %  2 min left");
    EXPECT_EQ(progress_line("rank", 1, 10'001, 1), "rank  0 %  2.8 h left");
}

TEST(Progress, WithoutAShareTheTimeSpentStands) {
    EXPECT_EQ(progress_line("rank", 0, 4, 12), "rank  12 s");
    EXPECT_EQ(progress_line("rank", 0, 0, 12), "rank  12 s");
}

TEST(Progress, TheCallbackReachesTheBar) {
    ProgressBar bar("quiet");
    bar.callback()(1, 2);  // stderr is no terminal under CTest, so nothing shows
}

// What stderr gets while `work` runs.
std::string heard(ProgressTalk talk, const std::function<void()>& work) {
    set_progress_talk(talk);
    ::testing::internal::CaptureStderr();
    work();
    set_progress_talk(ProgressTalk::usual);
    return ::testing::internal::GetCapturedStderr();
}

void update_twice() {
    ProgressBar bar("rank");
    bar.update(1, 4);
    bar.update(2, 4);
}

TEST(Progress, IsSaidAtOnceWhenAskedForAndNeverWhenNot) {
    EXPECT_EQ(heard(ProgressTalk::at_once, update_twice), "rank  25 %  0 s left\n");  // a line in ten seconds
    EXPECT_EQ(heard(ProgressTalk::never, update_twice), "");
    EXPECT_EQ(heard(ProgressTalk::usual, update_twice), "");  // two seconds are not over
}

TEST(BusyLine, SpeaksWhileOthersWork) {
    const auto work = [] {
        const BusyLine line("looking");
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
    };
    EXPECT_EQ(heard(ProgressTalk::at_once, work), "looking  0 s\n");
    EXPECT_EQ(heard(ProgressTalk::usual, work), "");
}

}  // namespace
}  // namespace plimsoll

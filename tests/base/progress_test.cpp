#include "plimsoll/base/progress.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace plimsoll

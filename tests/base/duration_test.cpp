#include "plimsoll/base/duration.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Duration, HasTheUnitThatAPersonWouldTake) {
    EXPECT_EQ(duration_text(0), "0 s");
    EXPECT_EQ(duration_text(89.4), "89 s");
    EXPECT_EQ(duration_text(90), "2 min");
    EXPECT_EQ(duration_text(5'399), "90 min");
    EXPECT_EQ(duration_text(5'400), "1.5 h");
    EXPECT_EQ(duration_text(47.9 * 3600), "47.9 h");
    EXPECT_EQ(duration_text(60.0 * 3600), "2.5 days");
}

}  // namespace
}  // namespace plimsoll

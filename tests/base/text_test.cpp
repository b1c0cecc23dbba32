#include "plimsoll/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Text, SplitKeepsEmptyPieces) {
    EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
    EXPECT_TRUE(split("", ',').empty());
}

TEST(Text, CountsAreReadAsPeopleWriteThem) {
    EXPECT_EQ(*parse_count("100M", "params"), 100'000'000);
    EXPECT_EQ(*parse_count("1.5B", "params"), 1'500'000'000);
    EXPECT_EQ(*parse_count("2e8", "params"), 200'000'000);
    EXPECT_EQ(*parse_count("9223372036854775807", "params"), INT64_MAX);
}

TEST(Text, CountsThatAreNotWholeOrNotNumbersAreRefused) {
    for (const char* text : {"", "M", "-5", "1.5", "ten", "1e400", "nan", "5 M"}) {
        const auto result = parse_count(text, "params");
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_THAT(result.error().text(), HasSubstr("params: must be a whole number")) << text;
    }
}

TEST(Text, NearMissesComeNearestFirst) {
    const std::vector<std::string> keys{"depth", "width", "heads", "head_dim"};
    EXPECT_THAT(near_misses("dept", keys), ElementsAre("depth"));
    EXPECT_THAT(near_misses("wdith", keys), ElementsAre());
    EXPECT_THAT(suggestion("zzz", keys), HasSubstr("one of: depth"));
}

TEST(Text, HumanCountsHaveThreeSignificantFigures) {
    EXPECT_EQ(human_count(950), "950");
    EXPECT_EQ(human_count(11'307'000'000.0), "11.3 B");
    EXPECT_EQ(human_count(999'600), "1.00 M");
}

}  // namespace
}  // namespace plimsoll

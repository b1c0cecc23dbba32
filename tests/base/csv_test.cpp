#include "plimsoll/base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using ::testing::HasSubstr;

TEST(Csv, LinesReadBackAsTheyWere) {
    const std::vector<std::vector<std::string>> lines{{"a", "", "c"}, {"a,b", "say \"x\"", ""}, {"\""}};
    for (const auto& cells : lines) {
        const auto rows = parse_csv(csv_line(cells), "test");
        ASSERT_TRUE(rows.ok());
        ASSERT_EQ(rows->size(), 1U);
        EXPECT_EQ(texts_of(rows->front()), cells);
    }
}

TEST(Csv, ErrorsNameTheLine) {
    EXPECT_THAT(parse_csv("a,b\n1,\"2", "x.csv").error().text(), HasSubstr("x.csv:2: a quote that is never"));
}

}  // namespace
}  // namespace plimsoll

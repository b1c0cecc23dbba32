#include "plimsoll/lab/experiment/computed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lab/table_support.h"

// The computed experiments against the numbers of the errata, which were computed by others.
namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;

// E3: printed, real, down, nearest, up for 10^7 to 10^12.
TEST(LevineTable1, HasTheDepthsOfTheErratum) {
    const auto table = levine_table1_rows(Json::object()).value();
    const double real[] = {5.4343, 6.4073, 7.3903, 8.3810, 9.3778, 10.3796};
    double size = 1e7;
    for (int i = 0; i < 6; ++i, size *= 10) {
        const auto depth = [&](const char* rule) {
            return number_at(table, {{"size", size}, {"rule", rule}}, "depth");
        };
        if (i < 5) {
            EXPECT_EQ(depth("printed"), 5 + i);
        }
        EXPECT_NEAR(depth("real"), real[i], 5e-5);
        EXPECT_EQ(depth("rounded down"), 5 + i);
        EXPECT_EQ(depth("nearest"), 5 + i);
        EXPECT_EQ(depth("rounded up"), 6 + i);
        EXPECT_GT(depth("knee"), depth("rounded up"));
    }
    EXPECT_EQ(table.rows.size(), 5U * 6 + 5);
    // "size 10^7 at L=5 has d_x=408, log_3 408=5.47 > 5": the table's own depth lies below its threshold.
    const std::map<std::string, Wanted> first{{"size", 1e7}, {"rule", "printed"}};
    EXPECT_EQ(number_at(table, first, "width"), 408);
    EXPECT_NEAR(number_at(table, first, "threshold"), 5.47, 5e-3);
    EXPECT_EQ(text_at(table, first, "regime"), "efficient");
    EXPECT_EQ(text_at(table, {{"size", 1e7}, {"rule", "rounded up"}}, "regime"), "inefficient");
}

// The first depth past the knee, from the closed form T = log3(2 d (d + 1) / e): another way to it.
TEST(LevineTable1, KneeIsWhereTheClosedFormHasIt) {
    const auto table = levine_table1_rows(Json::object()).value();
    for (const double size : {1e7, 1e9, 1e11}) {
        const auto knee = number_at(table, {{"size", size}, {"rule", "knee"}}, "depth");
        const auto past = [&](double depth) {
            const double d = std::floor(std::sqrt(size / (12 * depth)));
            return depth >= std::log(2 * d * (d + 1) / std::exp(1.0)) / std::log(3.0);
        };
        EXPECT_TRUE(past(knee)) << size;
        EXPECT_FALSE(past(knee - 1)) << size;
    }
}

// E2.
TEST(LevineCorollary1, HasTheWidthsOfTheErratum) {
    const auto table = levine_corollary1_rows(Json::object()).value();
    const auto near = [&](double deep, double shallow, const char* bound, double expected, double share) {
        const double width =
            number_at(table, {{"deep_width", deep}, {"shallow_depth", shallow}, {"bound", bound}}, "width");
        EXPECT_NEAR(width / expected, 1, share) << bound << " " << shallow;
    };
    near(1000, 2, "eq6", 7.3362e15, 1e-4);
    near(1000, 3, "eq6", 7.6136e4, 1e-4);
    near(1000, 2, "midk", 1.5504e17, 1e-4);
    near(1000, 3, "midk", 1.9469e5, 1e-4);
    near(1000, 2, "ms", 1.0009e25, 1e-4);
    near(1000, 3, "ms", 4.9253e7, 1e-4);
    near(1024, 2, "eq6", 1.195e16, 1e-3);
    near(1024, 3, "eq6", 8.85e4, 1e-3);
    near(1024, 2, "midk", 2.361e17, 1e-3);
    near(1024, 3, "midk", 2.216e5, 1e-3);
    near(1024, 2, "ms", 1.574e25, 1e-3);
    near(1024, 3, "ms", 5.66e7, 1e-3);
    near(1000, 2, "printed", 2e17, 0);
    near(1000, 3, "printed", 2e5, 0);
    for (const auto& row : table.rows) EXPECT_GE(report::finite_number(row[5]).value_or(0), 1);
    // Of the three only MID-K rounds to what is printed.
    for (const double shallow : {2.0, 3.0}) {
        const auto ratio = [&](const char* bound) {
            return number_at(table, {{"deep_width", 1000.0}, {"shallow_depth", shallow}, {"bound", bound}},
                             "ratio");
        };
        EXPECT_NEAR(ratio("midk"), 1, 0.25);
        EXPECT_LT(ratio("eq6"), 0.5);
        EXPECT_GT(ratio("ms"), 100);
    }
}

TEST(Computed, KnowsItsNamesAndArguments) {
    EXPECT_TRUE(computed_rows("levine-table1", Json::object()).ok());
    EXPECT_EQ(computed_rows("levine-tabel1", Json::object()).error().text(),
              "compute: unknown 'levine-tabel1' (did you mean levine-table1?)");
    EXPECT_THAT(computed_rows("levine-table1", {{"sizes", 3}}).error().text(),
                HasSubstr("arguments: unknown key 'sizes'"));
}

}  // namespace
}  // namespace plimsoll::lab

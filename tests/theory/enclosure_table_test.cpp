#include "plimsoll/theory/attainment/enclosure_table.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace plimsoll::theory {
namespace {

const std::vector<std::int64_t> page_widths{64, 128, 256, 512, 768, 1024, 1600, 2048, 4096, 8192, 12'288};
const std::vector<std::int64_t> page_depths{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};

double least_ratio(const std::vector<EnclosureRow>& rows, std::int64_t from_depth) {
    double least = 1;
    for (const auto& row : rows)
        if (row.depth >= from_depth) least = std::min(least, row.ratio());
    return least;
}

// The extremes of docs/findings/enclosure.md.
TEST(EnclosureTable, OneHeadIsProvedUpToTheFactorOfThePage) {
    const auto rows = enclosure_table(page_widths, page_depths, std::nullopt);
    ASSERT_EQ(rows.size(), page_widths.size() * page_depths.size());
    EXPECT_NEAR(least_ratio(rows, 2), 0.284, 5e-4);
    EXPECT_GE(least_ratio(rows, 4), 0.286);
    for (const auto& row : rows) {
        EXPECT_LE(row.before, row.lower) << row.width << " x " << row.depth;
        EXPECT_LE(row.lower, row.upper) << row.width << " x " << row.depth;
        EXPECT_FALSE(row.theorem.empty()) << row.width << " x " << row.depth;
    }
}

TEST(EnclosureTable, HeadsOfASizeThatDividesNoWidthAreOneHead) {
    const auto rows = enclosure_table({100, 128}, {6}, 64);
    EXPECT_EQ(rows[0].heads, 1);
    EXPECT_EQ(rows[0].head_dim, 100);
    EXPECT_EQ(rows[1].heads, 2);
    EXPECT_EQ(rows[1].head_dim, 64);
    EXPECT_LE(rows[1].upper, enclosure_table({128}, {6}, std::nullopt)[0].upper);
}

TEST(EnclosureTable, OneLayerHasNoLowerEnd) {
    const auto rows = enclosure_table({64}, {1}, std::nullopt);
    EXPECT_EQ(rows[0].lower, 0);
    EXPECT_TRUE(rows[0].theorem.empty());
    EXPECT_GT(rows[0].upper, 0);
}

}  // namespace
}  // namespace plimsoll::theory

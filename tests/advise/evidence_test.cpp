#include "plimsoll/advise/evidence.h"

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "plimsoll/advise/load_line.h"
#include "plimsoll/base/csv.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"

namespace plimsoll::advise {
namespace {

TEST(Evidence, EveryRowSaysWhatItIsAndWhereItIsFrom) {
    ASSERT_GE(evidence_rows().size(), 250U);
    for (const auto& row : evidence_rows()) {
        EXPECT_FALSE(row.study.empty() || row.source.empty() || row.family.empty() || row.group.empty() ||
                     row.matched_by.empty() || row.how_read.empty())
            << row.group << " depth " << row.depth;
        EXPECT_GE(row.year, 2020);
        EXPECT_LE(row.year, 2026);
        EXPECT_GE(row.depth, 1) << row.group;
        EXPECT_GE(row.width, 16) << row.group;
        EXPECT_GT(row.non_embedding, 0) << row.group;
        EXPECT_TRUE(row.value > 0 || row.metric == Metric::percent_over_best) << row.group;
    }
}

// 12 L d^2 up to what rows claim: Gemstones' layers have 15 d^2, gated ones of MobileLLM and the vision
// models with their own hidden sizes lie between 0.7 and 1.3.
TEST(Evidence, SizesFollowFromTheShapes) {
    for (const auto& row : evidence_rows()) {
        const double ratio = row.non_embedding / standard_size(row.depth, row.width);
        // The sweep of the modern table met its budget by the width of the feed-forward layers.
        const double close = row.group == "Plimsoll 1.8M modern" ? 0.12 : 0.03;
        const double wanted = row.study == "Gemstones" ? 1.24 : 1, room = row.fitted ? close : 0.35;
        EXPECT_NEAR(ratio, wanted, room) << row.group << " " << row.depth << " x " << row.width;
    }
}

TEST(Evidence, NoShapeIsTwiceInAGroupAndGroupsAreOfOneKind) {
    std::set<std::string> seen;
    for (const auto& row : evidence_rows()) {
        const auto key = row.group + " " + std::to_string(row.depth) + " " + std::to_string(row.width);
        EXPECT_TRUE(seen.insert(key).second) << key;
        for (const auto& other : evidence_rows()) {
            if (other.group != row.group) continue;
            EXPECT_EQ(other.metric_name, row.metric_name) << row.group;
            EXPECT_EQ(other.matched_by, row.matched_by) << row.group;
            EXPECT_EQ(other.fitted, row.fitted) << row.group;
        }
    }
}

// A group that is fitted has one size: a factor of two and a half at most, Gemstones' classes included.
TEST(Evidence, FittedGroupsDoNotMixBudgets) {
    for (const auto& group : evidence_groups()) {
        if (!group.fitted) continue;
        EXPECT_GE(group.points.size(), 2U) << group.name;
        for (const auto& row : evidence_rows())
            EXPECT_TRUE(row.group != group.name ||
                        std::abs(std::log(row.non_embedding / group.size)) < std::log(1.7))
                << group.name << " depth " << row.depth;
    }
}

TEST(Evidence, TheMeasuredSizesAreThoseOfTheFittedGroups) {
    double least = 1e300, most = 0;
    for (const auto& group : evidence_groups()) {
        if (!group.fitted) continue;
        least = std::min(least, group.size);
        most = std::max(most, group.size);
    }
    // 5 %: the constants are rounded outwards.
    EXPECT_NEAR(smallest_measured / least, 1, 0.05);
    EXPECT_NEAR(largest_measured / most, 1, 0.05);
}

TEST(Evidence, TheBestOfAGroupLostNothingAndDepthsAreInterpolated) {
    for (const auto& group : evidence_groups()) {
        double least = 1e300;
        for (const auto& point : group.points) {
            EXPECT_GE(point.lost, -1e-12) << group.name;
            least = std::min(least, point.lost);
            const auto at = lost_at_depth(group, point.depth);
            EXPECT_FALSE(at.clamped);
        }
        EXPECT_NEAR(least, 0, 1e-12) << group.name;
        EXPECT_TRUE(lost_at_depth(group, group.points.back().depth * 1.01).clamped);
    }
}

// Our own table, RACE section 1: 4 x 160 is best, 24 x 72 loses ln(1.648 / 1.575).
TEST(Evidence, OurTruthTableIsThere) {
    for (const auto& group : evidence_groups()) {
        if (group.name != "Plimsoll 1.8M") continue;
        EXPECT_NEAR(lost_at_depth(group, 4).lost, 0, 1e-12);
        EXPECT_NEAR(lost_at_depth(group, 24).lost, 100 * std::log(1.648 / 1.575), 1e-9);
        return;
    }
    FAIL() << "no group Plimsoll 1.8M";
}

// The rows are those of the truth table that fit is judged by: the mean over seeds at the better rate.
TEST(Evidence, TheModernTableIsThatOfTheBench) {
    const auto file = read_text(PLIMSOLL_SOURCE "/bench/fit/truth/enwiki_modern.csv");
    ASSERT_TRUE(file.ok());
    const auto lines = parse_csv(*file, "enwiki_modern.csv");
    ASSERT_TRUE(lines.ok());
    std::map<double, std::map<std::string, std::vector<double>>> values;  // by depth, by rate
    for (std::size_t i = 1; i < lines->size(); ++i) {
        const auto cells = texts_of((*lines)[i]);
        values[*parse_real(cells.at(2), "depth")][cells.at(4)].push_back(*parse_real(cells.at(6), "value"));
    }
    std::size_t compared = 0;
    for (const auto& row : evidence_rows()) {
        if (row.group != "Plimsoll 1.8M modern") continue;
        double best = 1e300;
        for (const auto& [rate, of_seeds] : values.at(row.depth))
            best = std::min(best, std::accumulate(of_seeds.begin(), of_seeds.end(), 0.0) /
                                      static_cast<double>(of_seeds.size()));
        EXPECT_NEAR(row.value, best, 5.1e-5) << row.depth;  // four digits
        EXPECT_TRUE(row.fitted);
        ++compared;
    }
    EXPECT_EQ(compared, values.size());
}

}  // namespace
}  // namespace plimsoll::advise

#include "plimsoll/rank/partition.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::rank {
namespace {

using ::testing::ElementsAre;

const SplitShape eight{.by_position = true, .rows = 1, .cols = 8};
const SplitShape seven{.by_position = true, .rows = 1, .cols = 7};
const SplitShape mixer{.by_position = false, .rows = 2, .cols = 3};

std::vector<std::size_t> left_of(const char* word, const SplitShape& shape) {
    return parse_partitions(word, shape, 1).value().front().left_items();
}

std::string error_of(const char* word, const SplitShape& shape) {
    return parse_partitions(word, shape, 1).error().text();
}

TEST(Partition, WordsSplitPositions) {
    EXPECT_THAT(left_of("half", eight), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(left_of("interleaved", eight), ElementsAre(0, 2, 4, 6));
}

TEST(Partition, WordsSplitEntries) {
    EXPECT_THAT(left_of("half", mixer), ElementsAre(0, 1, 2));
    EXPECT_THAT(left_of("rows", mixer), ElementsAre(0, 1, 2));
    const SplitShape wide{.by_position = false, .rows = 3, .cols = 4};
    EXPECT_THAT(left_of("columns", wide), ElementsAre(0, 1, 4, 5, 8, 9));
}

TEST(Partition, AllAreDistinctBalancedAndHoldTheFirst) {
    const auto all = parse_partitions("all", eight, 1).value();
    EXPECT_EQ(all.size(), 35U);
    EXPECT_EQ(balanced_partitions(8), 35U);
    std::set<std::vector<bool>> distinct;
    for (const Partition& partition : all) {
        EXPECT_EQ(partition.left_count(), 4U);
        EXPECT_TRUE(partition.left[0]);
        distinct.insert(partition.left);
    }
    EXPECT_EQ(distinct.size(), all.size());
    EXPECT_EQ(all.front().name, "0,1,2,3");
}

TEST(Partition, CountsOfBalancedPartitions) {
    EXPECT_EQ(balanced_partitions(2), 1U);
    EXPECT_EQ(balanced_partitions(4), 3U);
    EXPECT_EQ(balanced_partitions(16), 6435U);
    EXPECT_EQ(balanced_partitions(7), 0U);
    EXPECT_EQ(balanced_partitions(200), std::uint64_t{1} << 63);
}

TEST(Partition, RandomOnesAreBalancedAndFollowTheSeed) {
    const auto first = parse_partitions("random:20", eight, 3).value();
    const auto again = parse_partitions("random:20", eight, 3).value();
    const auto other = parse_partitions("random:20", eight, 4).value();
    ASSERT_EQ(first.size(), 20U);
    bool differs = false;
    for (std::size_t k = 0; k < first.size(); ++k) {
        EXPECT_EQ(first[k].left_count(), 4U);
        EXPECT_EQ(first[k].left, again[k].left);
        differs = differs || first[k].left != other[k].left;
    }
    EXPECT_TRUE(differs);
    EXPECT_EQ(first[1].name, "random:2");
}

// Every half with item 0 turns up about equally often: 35 kinds, 3500 draws, 100 expected of each.
TEST(Partition, RandomOnesAreUniform) {
    std::map<std::vector<bool>, int> seen;
    const auto drawn = parse_partitions("random:3500", eight, 1);
    for (const Partition& partition : *drawn) ++seen[partition.left];
    EXPECT_EQ(seen.size(), 35U);
    for (const auto& [left, count] : seen) EXPECT_NEAR(count, 100, 50);
}

TEST(Partition, LeftListsAreSorted) {
    const auto partition = partition_with_left("5, 0,2", eight).value();
    EXPECT_THAT(partition.left_items(), ElementsAre(0, 2, 5));
    EXPECT_EQ(partition.name, "0,2,5");
}

TEST(Partition, OddSplitsAreErrors) {
    EXPECT_EQ(error_of("half", seven), "partition: half needs an even number of positions, got 7");
    EXPECT_EQ(error_of("interleaved", seven),
              "partition: interleaved needs an even number of positions, got 7");
    EXPECT_EQ(error_of("all", seven), "partition: all needs an even number of positions, got 7");
    EXPECT_EQ(error_of("random:3", seven), "partition: random needs an even number of positions, got 7");
    EXPECT_EQ(error_of("columns", mixer), "partition: columns needs an even number of columns, got 3");
    EXPECT_EQ(error_of("half", {.rows = 3, .cols = 3}),
              "partition: half needs an even number of entries, got 9");
}

TEST(Partition, WordsThatDoNotFitAreErrors) {
    EXPECT_EQ(error_of("rows", eight),
              "partition: rows is for mixers; attention is split by positions (half, interleaved, ..)");
    EXPECT_EQ(error_of("hlaf", eight), "partition: unknown partition 'hlaf' (did you mean half?)");
    EXPECT_EQ(error_of("random:0", eight), "partition: random:0 must ask for 1 to 10000 partitions");
    EXPECT_THAT(error_of("random:x", eight), ::testing::StartsWith("partition random: "));
    EXPECT_EQ(error_of("all", {.by_position = true, .rows = 1, .cols = 18}),
              "partition: all stands for 24310 partitions of 18 positions, more than 10000; try random:K");
}

TEST(Partition, LeftListsThatDoNotFitAreErrors) {
    const auto error = [](const char* list) { return partition_with_left(list, eight).error().text(); };
    EXPECT_EQ(error("0,8"), "left: there is no position 8; positions are counted from 0 to 7");
    EXPECT_EQ(error("-1"), "left: there is no position -1; positions are counted from 0 to 7");
    EXPECT_EQ(error("1,2,1"), "left: names position 1 twice");
    EXPECT_EQ(error(""), "left: side A is empty");
    EXPECT_EQ(error("0,1,2,3,4,5,6,7"), "left: side B is empty");
    EXPECT_EQ(partition_with_left("6", mixer).error().text(),
              "left: there is no entry 6; entries are counted from 0 to 5");
    EXPECT_THAT(error("a"), ::testing::StartsWith("left: "));
}

}  // namespace
}  // namespace plimsoll::rank

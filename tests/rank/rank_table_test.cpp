// Grids, expressions for positions, tables that go on where they stopped.
#include "plimsoll/rank/rank_table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::rank {
namespace {

TEST(RankGridTest, ExpandsRangesTheFirstKeySlowest) {
    const auto grid = parse_grid("attention:depth=1..2,width=2..3,heads=1");
    ASSERT_TRUE(grid.ok()) << grid.error().text();
    ASSERT_EQ(grid->points.size(), 4);
    EXPECT_EQ(arch::to_text(grid->points[1].spec), "attention:depth=1,width=3,heads=1");
    EXPECT_EQ(grid->points[1].series, "width=3");
    EXPECT_EQ(grid->points[2].depth, 2);
    EXPECT_TRUE(grid->skipped.empty());
}

TEST(RankGridTest, SkipsWhatIsNoArchitecture) {
    const auto grid = parse_grid("attention:depth=1,width=3,heads=1..3");
    ASSERT_TRUE(grid.ok()) << grid.error().text();
    EXPECT_EQ(grid->points.size(), 2);
    ASSERT_EQ(grid->skipped.size(), 1);
    EXPECT_EQ(grid->skipped[0].text, "attention:depth=1,width=3,heads=2");
}

TEST(RankGridTest, RefusesEmptyAndEndlessRanges) {
    EXPECT_EQ(parse_grid("attention:depth=3..1,width=2,heads=1").error().text(),
              "depth: the range 3..1 is empty");
    EXPECT_EQ(parse_grid("attention:depth=1..99999,width=2,heads=1").error().text(),
              "depth: the range 1..99999 has more than 10000 values");
    EXPECT_EQ(parse_grid("attention:depth=1..200,width=1..200,heads=1").error().text(),
              "table: has more than 10000 rows");
    EXPECT_EQ(parse_grid("attention:depht=1..2,width=2,heads=1").error().kind, ErrorKind::bad_input);
}

TEST(RankGridTest, PositionsFollowTheWidth) {
    EXPECT_EQ(*positions_at("8", 3), 8);
    EXPECT_EQ(*positions_at("2d", 3), 6);
    EXPECT_EQ(*positions_at("d", 3), 3);
    EXPECT_EQ(*positions_at("2d+2", 3), 8);
    EXPECT_EQ(*positions_at("2d-2", 3), 4);
    EXPECT_FALSE(positions_at("xd", 3).ok());
    EXPECT_FALSE(positions_at("0d", 3).ok());
    EXPECT_FALSE(positions_at("2dd", 3).ok());
}

TEST(RankGridTest, PositionsMayBeARange) {
    EXPECT_EQ(*positions_in("2..2d", 3), (std::vector<std::int64_t>{2, 3, 4, 5, 6}));
    EXPECT_EQ(*positions_in("2d", 3), (std::vector<std::int64_t>{6}));
    EXPECT_EQ(positions_in("2d..2", 3).error().text(), "positions: the range 2d..2 is empty");
    EXPECT_EQ(positions_in("1..99999", 3).error().text(),
              "positions: the range 1..99999 has more than 10000 values");
    EXPECT_FALSE(positions_in("2..x", 3).ok());
}

TEST(RankGridTest, SeveralSpecsAreToldApartByWhatTheyDoNotShare) {
    const auto grid = parse_grid("attention:depth=1..2,width=2,heads=1; attention:depth=1,width=2,heads=2");
    ASSERT_TRUE(grid.ok()) << grid.error().text();
    ASSERT_EQ(grid->points.size(), 3);
    EXPECT_EQ(grid->points[0].series, "heads=1");
    EXPECT_EQ(grid->points[2].series, "depth=1, heads=2");
    EXPECT_EQ(parse_grid("attention:depth=1,width=2,heads=1; mixer").error().text(),
              "table: must be a spec such as attention:depth=1..3,width=4, got 'mixer'");
}

TableQuestion question_of(const std::string& grid, const std::string& positions,
                          const std::string& file = "") {
    TableQuestion question{.base = {}, .grid = grid, .positions = positions, .file = file};
    question.base.threads = 1;
    return question;
}

TEST(RankTableTest, MeasuresEveryRow) {
    const auto table = measure_table(question_of("attention:depth=1..2,width=1..3,heads=1", "2d"));
    ASSERT_TRUE(table.ok()) << table.error().text();
    std::vector<std::size_t> ranks;
    for (const auto& row : table->rows) ranks.push_back(row.rank);
    EXPECT_EQ(ranks, (std::vector<std::size_t>{2, 3, 4, 5, 18, 49}));
}

TEST(RankTableTest, CsvReadsBack) {
    const auto table = measure_table(question_of("square-mixer:rows=2,cols=2,depth=1..3", ""));
    ASSERT_TRUE(table.ok()) << table.error().text();
    const auto rows = read_rank_csv(to_csv(table->rows), "test");
    ASSERT_TRUE(rows.ok()) << rows.error().text();
    ASSERT_EQ(rows->size(), 3);
    for (std::size_t i = 0; i < rows->size(); ++i) {
        EXPECT_TRUE((*rows)[i].same_question(table->rows[i])) << i;
        EXPECT_EQ((*rows)[i].rank, table->rows[i].rank);
        EXPECT_EQ((*rows)[i].exact, table->rows[i].exact);
        EXPECT_EQ((*rows)[i].bound, table->rows[i].bound);
        EXPECT_EQ((*rows)[i].bounds.size(), table->rows[i].bounds.size());
    }
}

// A row that was changed by hand stays as it is: it was not run again. The one that is missing is.
TEST(RankTableTest, GoesOnWhereItStopped) {
    const testing::TempDir folder;
    const std::string file = (folder.path() / "ranks.csv").string();
    const auto question = question_of("attention:depth=1..2,width=2,heads=1", "4", file);
    ASSERT_TRUE(measure_table(question).ok());
    auto rows = read_rank_csv(*read_text(file), file).value();
    ASSERT_EQ(rows.size(), 2);
    rows[0].rank = 777;
    rows.pop_back();
    ASSERT_TRUE(atomic_write(file, to_csv(rows)).ok());
    const auto again = measure_table(question);
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(again->rows[0].rank, 777);
    EXPECT_TRUE(again->rows[0].resumed);
    EXPECT_EQ(again->rows[1].rank, 18);
    EXPECT_FALSE(again->rows[1].resumed);
    EXPECT_EQ(read_rank_csv(*read_text(file), file)->size(), 2);
}

TEST(RankTableTest, AnotherQuestionIsAnotherRow) {
    const testing::TempDir folder;
    const std::string file = (folder.path() / "ranks.csv").string();
    auto question = question_of("attention:depth=2,width=2,heads=1", "4", file);
    ASSERT_TRUE(measure_table(question).ok());
    question.positions = "2";
    const auto table = measure_table(question);
    ASSERT_TRUE(table.ok()) << table.error().text();
    EXPECT_EQ(table->rows[0].rank, 15);
    EXPECT_EQ(read_rank_csv(*read_text(file), file)->size(), 2);
}

// Two processes that began with the same file: neither overwrites what the other has added.
TEST(RankTableTest, TwoWritersLoseNoRows) {
    const testing::TempDir folder;
    const std::string file = (folder.path() / "ranks.csv").string();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    const auto grid = fmt::format("attention:depth=1..2,width=1..2,heads={}", child == 0 ? 1 : 2);
    const auto table = measure_table(question_of(grid, child == 0 ? "2" : "4", file));
    if (child == 0) ::_exit(table.ok() ? 0 : 1);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    ASSERT_TRUE(table.ok()) << table.error().text();
    EXPECT_EQ(read_rank_csv(*read_text(file), file)->size(), 4 + 2);
}

// What another process finished meanwhile is kept, in whatever order.
TEST(RankTableTest, ARowAddedByAnotherProcessMeanwhileIsKept) {
    const testing::TempDir folder;
    const std::string file = (folder.path() / "ranks.csv").string();
    bool written = false;
    const auto progress = [&](std::uint64_t, std::uint64_t) {
        if (written) return;
        written = true;
        ASSERT_TRUE(measure_table(question_of("attention:depth=1,width=3,heads=1", "4", file)).ok());
    };
    ASSERT_TRUE(measure_table(question_of("attention:depth=1..2,width=2,heads=1", "4", file), progress).ok());
    EXPECT_TRUE(written);
    EXPECT_EQ(read_rank_csv(*read_text(file), file)->size(), 3);
}

TEST(RankTableTest, AFileThatCannotBeWrittenIsRefusedBeforeAnyWork) {
    bool measured = false;
    const auto table =
        measure_table(question_of("attention:depth=1,width=2,heads=1", "4", "/no/such/folder/x.csv"),
                      [&](std::uint64_t, std::uint64_t) { measured = true; });
    ASSERT_FALSE(table.ok());
    EXPECT_EQ(table.error().kind, ErrorKind::not_found);
    EXPECT_FALSE(measured);
}

TEST(RankTableTest, RefusesOtherFilesAndBrokenLines) {
    EXPECT_EQ(read_rank_csv("a,b\n1,2\n", "x.csv").error().text(),
              "x.csv: is not a table of ranks: its heading is another; choose a new file");
    std::string text = to_csv({RankRow{}});
    text += "attention,1\n";
    EXPECT_EQ(read_rank_csv(text, "x.csv").error().text(), "x.csv line 3: must have 17 fields, got 2");
}

}  // namespace
}  // namespace plimsoll::rank

#include "plimsoll/report/table.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/random.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string table_problem(std::string_view text) { return error_text(parse_table(text, "rows.csv")); }

Cell cell(const std::string& text) { return parse_table("a,b\n" + text + ",\n", "")->rows.at(0).at(0); }

TEST(ReportTable, UnquotedCellsAreWhatTheyLookLike) {
    EXPECT_EQ(cell("12"), Cell(std::int64_t{12}));
    EXPECT_EQ(cell("-7"), Cell(std::int64_t{-7}));
    EXPECT_EQ(cell("12.0"), Cell(12.0));
    EXPECT_EQ(cell("1e-3"), Cell(0.001));
    EXPECT_EQ(cell("9223372036854775808"), Cell(9223372036854775808.0));
    EXPECT_EQ(cell("true"), Cell(true));
    EXPECT_EQ(cell(""), Cell());
    for (const char* text : {"007", "nan", "inf", "-inf", "64K", "1e999", "+1", "1 ", "0x10", "12abc", "-"})
        EXPECT_EQ(cell(text), Cell(std::string(text)));
    EXPECT_EQ(cell("\"12\""), Cell(std::string("12")));
    EXPECT_EQ(cell("\"\""), Cell(std::string()));
    EXPECT_EQ(cell("\"a,\"\"b\"\"\nc\""), Cell(std::string("a,\"b\"\nc")));
}

// Cells that are hard to keep: everything that looks like something else.
std::vector<Cell> awkward_cells() {
    std::vector<Cell> cells{Cell(),
                            true,
                            false,
                            std::int64_t{0},
                            std::int64_t{-1},
                            INT64_MAX,
                            INT64_MIN,
                            0.0,
                            -0.0,
                            1.0,
                            0.1,
                            1e300,
                            5e-324,
                            1.0 / 3,
                            123456.0,
                            1e15,
                            1e16,
                            9.007199254740993e15};
    for (const char* text : {"", " ", "12", "1.5", "true", "a,b", "\"", "\r", "a\r\nb", "nan", "-0",
                             "mixer:depth=3,width=4", "\xC3\xA9"})
        cells.emplace_back(std::string(text));
    return cells;
}

TEST(ReportTable, CsvRoundTripIsExact) {
    const auto cells = awkward_cells();
    Table table{{"\xEF\xBB\xBF", "b,c", "\"d\""}, {}};  // a name that is a byte-order mark
    RandomStream random(1, "cells");
    for (int row = 0; row < 500; ++row) {
        auto& made = table.rows.emplace_back();
        for (int i = 0; i < 3; ++i) made.push_back(cells[random.below(cells.size())]);
    }
    const auto again = parse_table(csv_text(table), "again");
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(again->columns, table.columns);
    EXPECT_EQ(again->rows, table.rows);
    EXPECT_EQ(csv_text(*again), csv_text(table));  // tells -0.0 from 0.0
}

TEST(ReportTable, RandomDoublesRoundTrip) {
    Table table{{"x"}, {}};
    RandomStream random(2, "doubles");
    while (table.rows.size() < 2000) {
        const double value = std::bit_cast<double>(random.next());
        if (std::isfinite(value)) table.rows.push_back({value});
    }
    EXPECT_EQ(parse_table(csv_text(table), "")->rows, table.rows);
}

TEST(ReportTable, OneColumnKeepsItsEmptyRows) {
    const Table table{{"a"}, {{Cell()}, {std::int64_t{1}}, {Cell()}}};
    EXPECT_EQ(parse_table(csv_text(table), "")->rows, table.rows);
}

TEST(ReportTable, NotFiniteNumbersBecomeText) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(csv_text({{"a", "b", "c"}, {{std::nan(""), inf, -inf}}}), "a,b,c\nnan,inf,-inf\n");
}

TEST(ReportTable, LineEndsAndBlankLines) {
    const auto table = parse_table(
        "\xEF\xBB\xBF"
        "a,b\r\n1,2\r\n\r\n3,4",
        "x");
    ASSERT_TRUE(table.ok());
    EXPECT_THAT(table->columns, ElementsAre("a", "b"));
    EXPECT_EQ(table->rows.size(), 2u);
}

TEST(ReportTable, HostileTextIsRefusedWithItsPlace) {
    EXPECT_EQ(table_problem(""), "rows.csv: is empty: the first line must name the columns");
    EXPECT_EQ(table_problem("a,b,a\n"), "rows.csv:1: columns 1 and 3 are both named 'a'");
    EXPECT_EQ(table_problem("a,,b\n"), "rows.csv:1: column 2 has no name");
    EXPECT_EQ(table_problem("a,b\n1,2\n1,2,3\n"),
              "rows.csv:3: must have 2 cells, as many as there are names, got 3");
    EXPECT_EQ(table_problem("a,b\n\"x\ny\",2\n1\n"),
              "rows.csv:4: must have 2 cells, as many as there are names, got 1");
    EXPECT_EQ(table_problem("a,b\n1,\"2\n3,4\n"), "rows.csv:2: a quote that is never closed");
    EXPECT_EQ(table_problem("a,b\n\"1\"2,3\n"), "rows.csv:2: text after the closing quote of a cell");
    EXPECT_EQ(table_problem("a,b\n1,2\"\n"),
              "rows.csv:2: a quote inside a cell that does not start with one");
    EXPECT_EQ(table_problem("a,b\n1,\xFF\n"), "rows.csv:2: is not valid UTF-8");
}

TEST(ReportTable, FilesAreWrittenAndRead) {
    const plimsoll::testing::TempDir folder;
    const Table table{{"a", "b"}, {{0.5, std::string("x")}}};
    ASSERT_TRUE(atomic_write(folder.path() / "rows.csv", csv_text(table)).ok());
    EXPECT_EQ(read_csv(folder.path() / "rows.csv")->rows, table.rows);
    EXPECT_EQ(read_csv(folder.path() / "none.csv").error().kind, ErrorKind::not_found);
}

Table runs() {
    return *parse_table(
        "family,depth,params,permuted,note\n"
        "mixer,2,64000,true,\n"
        "mixer,4,32000,false,\"64K\"\n"
        "attention,4,64000,,on\n",
        "");
}

// The numbers of the rows that are kept, or the error.
std::string kept(const std::vector<std::string>& where) {
    const Table table = runs();
    const auto rows = filtered(table, where, "where");
    if (!rows.ok()) return rows.error().text();
    std::string text;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (std::ranges::find(rows->rows, table.rows[i]) != rows->rows.end()) text += std::to_string(i);
    return text;
}

TEST(ReportTable, ConditionsKeepRows) {
    EXPECT_EQ(kept({}), "012");
    EXPECT_EQ(kept({"family == mixer"}), "01");
    EXPECT_EQ(kept({"family != mixer"}), "2");
    EXPECT_EQ(kept({"family == mixer", "depth > 2"}), "1");
    EXPECT_EQ(kept({"depth<=2 or family==attention"}), "02");
    EXPECT_EQ(kept({"params == 64K"}), "02");
    EXPECT_EQ(kept({"permuted == on"}), "0");
    EXPECT_EQ(kept({"permuted == false"}), "1");
    EXPECT_EQ(kept({"permuted != on"}), "1");  // row 2 has no value
    EXPECT_EQ(kept({"note == 64K"}), "1");     // a word beside a number is read as one
    EXPECT_EQ(kept({"note == '64K'"}), "1");
    EXPECT_EQ(kept({"note == on"}), "2");
}

TEST(ReportTable, WrongConditionsNameTheColumn) {
    EXPECT_EQ(kept({"dpeth > 2"}), "where: unknown column 'dpeth' (did you mean depth?)");
    EXPECT_EQ(kept({"family < 3"}), "where: 'family < 3': mixer and 3 cannot be put in order");
    EXPECT_EQ(kept({"depth >"}), "where: a comparison has two sides, as in depth <= 12");
    EXPECT_THAT(kept({"depth"}), HasSubstr("must be comparisons with"));
    EXPECT_EQ(column_named(runs(), "famly", "x").error().text(),
              "x: no column 'famly' (did you mean family?)");
}

TEST(ReportTable, CellsHaveAnOrder) {
    auto cells =
        std::vector<Cell>{std::string("b"), 2.5, true, std::string("a"), std::int64_t{2}, Cell(), 3.0, false};
    std::ranges::sort(cells, cell_less);
    EXPECT_THAT(cells, ElementsAre(Cell(), Cell(false), Cell(true), Cell(std::int64_t{2}), Cell(2.5),
                                   Cell(3.0), Cell(std::string("a")), Cell(std::string("b"))));
}

}  // namespace
}  // namespace plimsoll::report

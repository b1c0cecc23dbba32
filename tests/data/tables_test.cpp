#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/csv.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/data/tables/chunks.h"
#include "plimsoll/data/tables/text_table.h"
#include "tests/support/error_text.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

Table table_of(std::string_view text, ReadOptions read = {}) {
    return parse_table(text, "f", read, {}).value();
}
std::string table_error(std::string_view text, ReadOptions read = {}) {
    return error_text(parse_table(text, "f", read, {}));
}

Rows rows_of(std::string_view text, const Dialect& dialect = {}) {
    RecordReader reader(text, dialect, "f");
    std::vector<Cell> cells;
    Rows rows;
    while (reader.next(cells, 1000).value()) {
        auto& row = rows.emplace_back();
        for (const Cell& cell : cells) row.emplace_back(cell.text);
    }
    return rows;
}

std::string record_error(std::string_view text) {
    RecordReader reader(text, {}, "f");
    std::vector<Cell> cells;
    while (true) {
        const auto more = reader.next(cells, 3);
        if (!more.ok()) return more.error().text();
        if (!*more) return "";
    }
}

// Random cells of letters that matter to CSV, not in quotes unless they must be.
Rows random_rows(std::uint64_t seed, std::size_t rows, std::size_t columns) {
    constexpr std::string_view letters = "ab12 ,\"\n;\t\r.";
    RandomStream stream(seed, "test/rows");
    Rows made(rows, std::vector<std::string>(columns));
    for (auto& row : made)
        for (auto& cell : row) {
            cell = "x";
            for (std::uint64_t i = stream.below(6); i > 0; --i) cell += letters[stream.below(letters.size())];
        }
    return made;
}

std::string written(const Rows& rows) {
    std::string text;
    for (const auto& row : rows) text += csv_line(row) + "\n";
    return text;
}

TEST(Records, WhatIsWrittenIsReadBack) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Rows rows = random_rows(seed, 5, 1 + seed % 4);
        EXPECT_EQ(rows_of(written(rows)), rows) << seed;
    }
    EXPECT_EQ(rows_of("a,b\r\n\r\n1,\"2\n3\"\r\n"), (Rows{{"a", "b"}, {"1", "2\n3"}}));
    EXPECT_EQ(rows_of("a\t\"b\n", {'\t', false}), (Rows{{"a", "\"b"}}));
}

TEST(Records, BrokenOnesSayTheirLine) {
    EXPECT_EQ(record_error("a,b\n\"c\n\n"), "f: line 2: a quotation mark that is never closed");
    EXPECT_EQ(record_error("a,b\n\n\"c\"d,e\n"),
              "f: line 3: text behind the closing quotation mark of a cell");
    EXPECT_EQ(record_error("a,b\"c\n"),
              "f: line 1: a quotation mark inside a cell that does not start with one; such a cell stands in "
              "quotation marks, with that mark doubled");
    EXPECT_EQ(record_error("1,2,3,4\n"), "f: line 1: more than 3 cells");
}

// However the text is cut, the chunks are its records in a row.
TEST(Chunks, ARecordIsNeverCut) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Rows rows = random_rows(seed, 20, 3);
        const std::string text = written(rows);
        for (const std::size_t bytes : {std::size_t{1}, std::size_t{7}, std::size_t{64}, text.size()}) {
            Rows all;
            for (const Chunk& chunk : cut_at_records(text, {}, 1, bytes)) {
                const Rows some = rows_of(chunk.text);
                all.insert(all.end(), some.begin(), some.end());
                EXPECT_EQ(chunk.line, 1 + std::count(text.data(), chunk.text.data(), '\n'));
            }
            EXPECT_EQ(all, rows) << seed << ", " << bytes;
        }
    }
}

TEST(Tables, ColumnsAreNumbersOrCategories) {
    const Table table =
        table_of("size,colour,weight,species\n1.5,red,,cat\n-2e3,NA,7,dog\n+3,\"NA\",.5,cat\n");
    ASSERT_EQ(table.numbers.size(), 2U);
    EXPECT_THAT(table.numbers[0].values, ElementsAre(1.5F, -2000.F, 3.F));
    EXPECT_EQ(table.numbers[1].missing, 1U);
    EXPECT_TRUE(std::isnan(table.numbers[1].values[0]));
    ASSERT_EQ(table.categories.size(), 1U);
    EXPECT_THAT(table.categories[0].values, ElementsAre("NA", "red"));  // in quotes it is a text
    EXPECT_THAT(table.categories[0].codes, ElementsAre(1, 2, 0));
    EXPECT_EQ(table.label.name, "species");
    EXPECT_TRUE(table.label.guessed);
    EXPECT_THAT(table.label.class_names, ElementsAre("cat", "dog"));
    EXPECT_THAT(table.label.classes, ElementsAre(0, 1, 0));
}

// A text in the last of many rows makes the column one of categories, as if it had been in the first.
TEST(Tables, ALateTextMakesAColumnOfCategories) {
    std::string text = "a,y\n";
    for (int i = 0; i < 500; ++i) text += "7," + std::string(i % 2 == 0 ? "u" : "v") + "\n";
    text += "x,u\n";
    const Table table = table_of(text);
    ASSERT_EQ(table.categories.size(), 1U);
    EXPECT_THAT(table.categories[0].values, ElementsAre("7", "x"));
    EXPECT_EQ(table.categories[0].codes.back(), 1);
}

TEST(Tables, FewWholeNumbersAreClassesOthersAreNot) {
    std::string few = "x,y\n", many = "x,y\n";
    for (int i = 0; i < 40; ++i) {
        few += std::to_string(i) + "," + std::to_string(i % 4 * 10) + "\n";
        many += std::to_string(i) + "," + std::to_string(i) + "\n";
    }
    EXPECT_THAT(table_of(few).label.class_names, ElementsAre("0", "10", "20", "30"));
    EXPECT_EQ(table_of(few).label.classes[3], 3);
    EXPECT_EQ(table_of(many).label.numbers.size(), 40U);
    EXPECT_TRUE(table_of(many).label.classes.empty());
}

TEST(Tables, SomebodyMaySayAsWhatALabelIsRead) {
    std::string text = "a,q:number,q\n";
    for (int i = 0; i < 100; ++i) text += fmt::format("{},{},{}\n", i, i % 4, 3 + i % 5);
    EXPECT_EQ(table_of(text, {.label = "q"}).label.class_names.size(), 5);
    EXPECT_THAT(table_of(text, {.label = "q:classes"}).label.class_names,
                ElementsAre("3", "4", "5", "6", "7"));
    EXPECT_EQ(table_of(text, {.label = "a:classes"}).label.class_names.size(), 100);
    EXPECT_EQ(table_of(text, {.label = "a:number"}).label.numbers.size(), 100);
    EXPECT_EQ(table_of(text, {.label = "q:number"}).label.name, "q:number") << "a column that is called so";
    EXPECT_EQ(table_of("x,q\n0.5,1\n1.5,2\n2,1\n", {.label = "x:classes"}).label.class_names.at(0), "0.5");
    EXPECT_EQ(table_error("x,q\n1,u\n2,v\n", {.label = "q:number"}),
              "f: column 'q' holds words ('v'), which are no numbers to predict");
    EXPECT_THAT(table_error("x,q\n1,u\n2,v\n", {.label = "z:number"}),
                HasSubstr("label: f has no column 'z'"));
}

TEST(Tables, TheDialectIsThatOfTheText) {
    for (const std::string delimiter : {",", ";", "\t", "|"}) {
        std::string text = "a*b*class\n1*2*u\n3*4*v\n";
        for (std::size_t at = 0; (at = text.find('*', at)) != std::string::npos;)
            text.replace(at, 1, delimiter);
        const Table table = table_of(text);
        EXPECT_EQ(table.numbers.size(), 2U) << delimiter;
        EXPECT_EQ(table.rows, 2U);
    }
    const Table bare = table_of("1,2,u\n3,4,v\n");
    EXPECT_EQ(bare.rows, 2U);
    EXPECT_EQ(bare.label.name, "column3");
}

// What spreadsheets and people write, and other readers take: names in capitals, separators at the ends of
// lines, spaces around cells, and inches.
TEST(Tables, HabitsOfOthersAreUnderstood) {
    const Table capitals = table_of("Outcome,a\n1,2\n0,3\n");
    EXPECT_EQ(capitals.label.name, "Outcome");
    const Table ends = table_of("a,b,kind,\n1,2,u,\n3,4,v,\n");
    EXPECT_EQ(ends.rows, 2);
    EXPECT_EQ(ends.label.name, "kind");
    EXPECT_EQ(table_of("a,price,split\n1,2.5,train\n3,4.5,test\n").label.name, "price");
    const Table spaces = table_of("a, colour , label\n1, red , u\n2,red, v\n");
    EXPECT_THAT(spaces.categories.at(0).values, ElementsAre("red"));
    EXPECT_THAT(spaces.label.class_names, ElementsAre("u", "v"));
    const Table inches = table_of("what,label\n3.5\" disk,u\n5.25\" disk,v\n");
    EXPECT_THAT(inches.categories.at(0).values, ElementsAre("3.5\" disk", "5.25\" disk"));
    EXPECT_THAT(table_error("what,label\n\"a, b\",u\n3.5\" disk,v\n"),
                HasSubstr("line 3: a quotation mark inside a cell"));
}

TEST(Tables, RowsWithoutALabelAreLeftOutAndSplitsAreKept) {
    const Table table = table_of("x,split,label\n1,train,a\n2,test,\n3,train,b\n4,test,a\n");
    EXPECT_EQ(table.rows, 3U);
    EXPECT_EQ(table.left_out, 1U);
    EXPECT_THAT(table.numbers[0].values, ElementsAre(1, 3, 4));
    EXPECT_THAT(table.split_names, ElementsAre("test", "train"));
    EXPECT_THAT(table.split_of, ElementsAre(1, 1, 0));
}

// A row counts as the split of its file, wherever the pieces that are read at a time end.
TEST(Tables, SeveralFilesAreOneTableWithTheirSplits) {
    std::string train = "a,b,label\n", test = "a,b,label\n";
    for (int i = 0; i < 300; ++i) train += fmt::format("{},x{},{}\n", i, i % 3, i % 2);
    for (int i = 0; i < 7; ++i) test += fmt::format("{},y,{}\n", i, i % 2);
    const std::vector<TablePart> parts{{train, "train.csv", "train"}, {test, "test.csv", "test"}};
    const auto table = parse_table_parts(parts, "set", {}, {});
    ASSERT_TRUE(table.ok()) << error_text(table);
    EXPECT_EQ(table->rows, 307);
    EXPECT_THAT(table->split_names, ElementsAre("train", "test"));
    EXPECT_EQ(std::ranges::count(table->split_of, 0), 300);
    EXPECT_EQ(std::ranges::count(table->split_of, 1), 7);
    EXPECT_EQ(table->split_of.back(), 1);
    EXPECT_THAT(table->categories.at(0).values, ElementsAre("x0", "x1", "x2", "y"));
    const auto error = [&](const std::string& other) {
        const std::vector<TablePart> two{{train, "train.csv", "train"}, {other, "test.csv", "test"}};
        return error_text(parse_table_parts(two, "set", {}, {}));
    };
    EXPECT_EQ(error("a,b\n1,x\n"),
              "test.csv: has no column 'label', which train.csv has; give train.csv alone");
    EXPECT_EQ(error("b,a,label\nx,1,0\n"),
              "test.csv: has other columns than train.csv, or another order of them");
    EXPECT_EQ(error("a,b,label\n1,x,0,9\n"), "test.csv: line 2: more than 3 cells");
    EXPECT_EQ(error(""), "test.csv: is empty; a table has a header line and rows");
}

TEST(Tables, NamesThatRepeatAreToldApart) {
    const Table table = table_of("a,a,label\n1,2,x\n3,4,y\n");
    EXPECT_EQ(table.numbers.at(0).name, "a");
    EXPECT_EQ(table.numbers.at(1).name, "a_2");
    EXPECT_EQ(table_of("red,red,x\nblue,red,y\nred,blue,x\n").rows, 3) << "words that repeat are a row";
}

TEST(Tables, WhatCannotBeIsASentence) {
    EXPECT_THAT(table_error("a,label\r1,x\r2,y\r"), HasSubstr("end with a carriage return alone"));
    EXPECT_EQ(table_error(""), "f: is empty; a table has a header line and rows");
    EXPECT_THAT(
        table_error("gr\xf6\xdf,b\n1,2\n"),
        HasSubstr(
            "line 1: a column's name is not UTF-8: gr\\xf6\\xdf; where it is Latin-1 this makes a table "
            "that is read: iconv -f LATIN1"));
    EXPECT_EQ(table_error("a,b\n"), "f: has a header line and no rows");
    EXPECT_EQ(table_error("a,b\n1,u\n2\n"), "f: line 3: 1 cells where the first line has 2");
    EXPECT_EQ(table_error("a,b\n1,u\ninf,v\n"), "f: line 3: column 'a': inf is no finite number of 32 bits");
    EXPECT_EQ(table_error("a,b\n1,u\n1e99,v\n"),
              "f: line 3: column 'a': 1e99 is no finite number of 32 bits");
    EXPECT_EQ(table_error("a,b\n1,u\n2,u\n"),
              "f: column 'b' has one value in all 2 rows, so there is nothing to tell apart; --label names "
              "another column");
    EXPECT_THAT(table_error("a;b\n1;u\n3,14;v\n"), HasSubstr("line 3: column 'a': 3,14 has a decimal comma"));
    ReadOptions read;
    read.label = "spezies";
    EXPECT_EQ(table_error("a,species\n1,u\n2,v\n", read),
              "label: f has no column 'spezies' (did you mean species?)");
    std::string million = "a,label\n";
    for (int i = 0; i < 70000; ++i) million += "1,c" + std::to_string(i) + "\n";
    EXPECT_THAT(table_error(million), HasSubstr("column 'label' has more than 65535 different labels"));
    EXPECT_EQ(table_of(million + "2,c1\n",
                       [] {
                           ReadOptions other;
                           other.label = "a";
                           return other;
                       }())
                  .left_out_columns.at(0)
                  .name,
              "label");
    const auto small = parse_table("a,b\n1,u\n2,v\n", "f", {}, {.most_bytes = 8, .progress = nullptr});
    EXPECT_THAT(error_text(small), HasSubstr("holds more than the 8 B that are allowed here"));
}

// A line without an end, or of nothing but separators, takes no memory by its length.
TEST(Tables, LinesWithoutAnEndAreRefused) {
    EXPECT_THAT(table_error("a,b\n1,u\n" + std::string(5'000'000, ',')),
                HasSubstr("line 3: more than 2 cells"));
    EXPECT_THAT(table_error("a,b\n1,\"" + std::string(5'000'000, 'x')), HasSubstr("never closed"));
}

}  // namespace
}  // namespace plimsoll::data

#include "plimsoll/audit/models/zoo.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/audit/zoo_counts.h"
#include "plimsoll/base/csv.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Zoo, TheBinaryHoldsTheFile) {
    const auto file = read_text(PLIMSOLL_SOURCE "/data/zoo.csv");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(zoo_csv(), *file);
    EXPECT_EQ(zoo().size(), 148U);
}

TEST(Zoo, EveryRowHasAShapeASourceAndACheck) {
    std::set<std::string> names;
    for (const auto& row : zoo()) {
        SCOPED_TRACE(row.shape.name);
        EXPECT_TRUE(names.insert(row.shape.name).second) << "named twice";
        EXPECT_TRUE(row.shape.depth && row.shape.width);
        EXPECT_GE(row.year, 2018);
        EXPECT_FALSE(row.source.empty());
        EXPECT_FALSE(row.check.empty());
        EXPECT_NE(std::set<std::string_view>({"read", "copy", "partly", "memory"}).count(confidence(row)),
                  0U);
    }
}

// Released checkpoints come out to the last digit.
TEST(Zoo, KnownCountsComeOut) {
    const auto file = read_text(PLIMSOLL_FIXTURES "/audit/released_counts.csv");
    ASSERT_TRUE(file.ok());
    const auto lines = parse_csv(*file, "released_counts.csv");
    ASSERT_TRUE(lines.ok());
    for (std::size_t i = 1; i < lines->size(); ++i) {
        const auto cells = texts_of((*lines)[i]);
        SCOPED_TRACE(cells[0]);
        const auto row = find_in_zoo(cells[0]);
        ASSERT_TRUE(row.ok());
        const auto counted = predicted_parameters((*row)->shape);
        ASSERT_TRUE(counted.has_value()) << why_no_count((*row)->shape);
        EXPECT_TRUE(counted->exact);
        EXPECT_EQ(counted->parameters.text(), cells[1]) << cells[2];
    }
    EXPECT_GE(lines->size(), 95U);
}

// The column `computed` is what the program counts, where it counts.
TEST(Zoo, TheRecordedCountIsTheProgramsOwn) {
    std::size_t counted = 0;
    for (const auto& row : zoo()) {
        const auto count = predicted_parameters(row.shape);
        if (!count) continue;
        ++counted;
        ASSERT_TRUE(row.computed.has_value()) << row.shape.name;
        EXPECT_EQ(count->parameters.text(), std::to_string(*row.computed)) << row.shape.name;
    }
    EXPECT_GE(counted, 138U);
}

// The numbers of a row survive the reading of its family.
TEST(Zoo, TheFamilyChangesNoNumberOfTheRow) {
    const auto column = [](std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(zoo_columns(), name) - zoo_columns().begin());
    };
    const auto text = [](const formats::ModelShape::Number& number) {
        return number ? std::to_string(*number) : std::string();
    };
    for (const auto& row : zoo()) {
        SCOPED_TRACE(row.shape.name);
        const auto cell = [&](std::string_view name) { return row.cells[column(name)]; };
        EXPECT_EQ(text(row.shape.depth), cell("depth"));
        EXPECT_EQ(text(row.shape.decoder_depth), cell("decoder_depth"));
        EXPECT_EQ(text(row.shape.width), cell("width"));
        EXPECT_EQ(text(row.shape.heads), cell("heads"));
        EXPECT_EQ(text(row.shape.kv_heads), cell("kv_heads"));
        EXPECT_EQ(text(row.shape.head_dim), cell("head_dim"));
        EXPECT_EQ(text(row.shape.vocab), cell("vocab"));
        EXPECT_EQ(text(row.shape.embedding_rank), cell("embedding_rank"));
        EXPECT_EQ(text(row.shape.experts), cell("experts"));
        EXPECT_EQ(text(row.shape.layer_groups), cell("layer_groups"));
        EXPECT_EQ(text(row.shape.patch_height), cell("patch"));
    }
}

// Within one per cent of what the authors print, or the row says why not.
TEST(Zoo, EveryDifferenceFromThePublishedCountIsExplained) {
    for (const auto& row : zoo()) {
        const auto difference = published_difference(row);
        if (!difference || std::abs(*difference) <= 0.01) continue;
        EXPECT_FALSE(row.count_note.empty()) << row.shape.name << ": " << 100 * *difference << " %";
    }
}

TEST(Zoo, ThePageHasTheCountOfEveryModel) {
    const auto page = read_text(PLIMSOLL_SOURCE "/docs/COUNTING.md");
    ASSERT_TRUE(page.ok());
    EXPECT_THAT(*page, HasSubstr(zoo_counts_markdown()));
}

TEST(Zoo, FiltersCombine) {
    const auto rows = select_zoo({"family=esm", "width>1279", "depth<40"}, "-width");
    ASSERT_TRUE(rows.ok());
    std::vector<std::string> names;
    for (const ZooRow* row : *rows) names.push_back(row->shape.name);
    EXPECT_THAT(names, ElementsAre("ESM-2 3B", "ESM-2 650M", "esm-1b"));
}

TEST(Zoo, ATextFindsAnyCell) {
    const auto rows = select_zoo({"VOCABULARY 33"}, "");
    ASSERT_TRUE(rows.ok());
    EXPECT_EQ(rows->size(), 7U);
}

TEST(Zoo, SortingKeepsEveryRowAndPutsEmptyCellsLast) {
    for (const auto& column : zoo_columns()) {
        SCOPED_TRACE(column);
        const auto up = select_zoo({}, column), down = select_zoo({}, "-" + column);
        ASSERT_TRUE(up.ok() && down.ok());
        EXPECT_EQ(std::set(up->begin(), up->end()).size(), zoo().size());
        EXPECT_EQ(std::set(down->begin(), down->end()).size(), zoo().size());
    }
    const auto rows = select_zoo({}, "vocab");
    EXPECT_EQ((*rows)[0]->shape.vocab, 33);
    EXPECT_FALSE(rows->back()->shape.vocab.has_value());
}

TEST(Zoo, WrongFiltersAndColumnsAreNamed) {
    EXPECT_THAT(select_zoo({"widht=3"}, "").error().text(),
                HasSubstr("filter: no column 'widht' (did you mean width?)"));
    EXPECT_THAT(select_zoo({"width>many"}, "").error().text(), HasSubstr("filter:"));
    EXPECT_THAT(select_zoo({}, "size").error().text(), HasSubstr("sort: no column 'size'"));
    EXPECT_THAT(select_zoo({""}, "").error().text(), HasSubstr("filter: is empty"));
}

}  // namespace
}  // namespace plimsoll::audit

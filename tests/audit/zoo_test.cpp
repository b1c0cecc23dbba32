#include "plimsoll/audit/models/zoo.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

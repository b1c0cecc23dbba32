#include "plimsoll/run/table_encoding.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/data/tables/text_table.h"

namespace plimsoll::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::size_t>;

data::Table table_of(const std::string& text, const std::string& label = "label") {
    data::ReadOptions read;
    read.label = label;
    return data::parse_table(text, "t.csv", read, {}).value();
}

Rows first(std::size_t count) {
    Rows rows(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

// Numbers with gaps, a column that is the same everywhere, words of which some are rare, and a label.
std::string drawn_text(std::size_t rows, const char* columns = "size,same,colour,label") {
    RandomStream stream(3, "test/table");
    std::string text = std::string(columns) + "\n";
    for (std::size_t i = 0; i < rows; ++i) {
        const double size = 100 + 20 * stream.uniform();
        const bool gap = stream.below(10) == 0;
        const std::string colour =
            i % 97 == 5 ? fmt::format("odd{}", i) : std::array{"red", "blue", ""}[i % 3];
        text += fmt::format("{},7,{},{}\n", gap ? "" : fmt::format("{:.3f}", size), colour,
                            i % 2 == 0 ? "cat" : "dog");
    }
    return text;
}

TEST(TableEncoding, NumbersBecomeStandardOverTheTrainingPart) {
    const auto table = table_of(drawn_text(600));
    const Rows rows = first(600);
    const auto encoding = learn_encoding(table, rows, "t.csv").value();
    EXPECT_EQ(encoding.spec_keys(), "inputs=2,categories=4,classes=2") << "same is left out";
    const auto coded = encode_rows(table, rows, encoding, "t.csv").value();
    double sum = 0, squares = 0, count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float value = coded.values[2 * i], gap = coded.values[2 * i + 1];
        EXPECT_EQ(gap, std::isnan(table.numbers[0].values[i]) ? 1 : 0);
        if (gap == 1) EXPECT_EQ(value, 0);
        if (gap == 1) continue;
        sum += value, squares += value * value, count += 1;
    }
    EXPECT_NEAR(sum / count, 0, 1e-5);
    EXPECT_NEAR(squares / count, 1, 1e-5);
}

// What is held out teaches nothing, whatever stands there.
TEST(TableEncoding, HeldOutRowsDoNotMatter) {
    const std::string text = drawn_text(600);
    const auto table = table_of(text), more = table_of(text + "1e9,8,purple,cat\n-1e9,9,,dog\n");
    EXPECT_EQ(learn_encoding(table, first(600), "").value(), learn_encoding(more, first(600), "").value());
    const auto encoding = learn_encoding(more, first(600), "").value();
    const auto coded = encode_rows(more, Rows{600, 601}, encoding, "").value();
    EXPECT_EQ(coded.values[0], 10) << "ten deviations at most";
    EXPECT_EQ(coded.values[2], -10);
}

TEST(TableEncoding, RareAndUnknownWordsShareARow) {
    const auto table =
        table_of(drawn_text(600) + "100,7,odd5,cat\n100,7,never,cat\n100,7,,cat\n100,7,red,cat\n");
    const auto encoding = learn_encoding(table, first(600), "").value();
    EXPECT_THAT(encoding.categories.at(0).values, ElementsAre("blue", "red"));
    const auto coded = encode_rows(table, Rows{600, 601, 602, 603}, encoding, "").value();
    EXPECT_THAT(coded.places, ElementsAre(3, 3, 2, 1)) << "rare, unknown, none, red";
}

// Where the training part has neither gaps nor rare words there is no row for them that was ever trained.
TEST(TableEncoding, WithoutSuchARowAnUnknownWordIsTheMostFrequent) {
    const auto table = table_of("w,label\na,u\nb,v\nb,u\nb,v\nz,u\n,v\n");
    const auto encoding = learn_encoding(table, first(4), "").value();
    EXPECT_EQ(encoding.spec_keys(), "categories=2,classes=2");
    const auto coded = encode_rows(table, Rows{0, 1, 4, 5}, encoding, "").value();
    EXPECT_THAT(coded.places, ElementsAre(0, 1, 1, 1));
}

// The same rows in another file, with its columns in another order and others among them.
TEST(TableEncoding, ColumnsAreFoundByName) {
    const auto table = table_of("a,b,c,label\n1,x,5,u\n2,y,6,v\n4,x,1,u\n8,y,2,v\n");
    const auto other = table_of("label,c,more,b,a\nu,5,q,x,1\nv,6,r,y,2\nu,1,s,x,4\nv,2,q,y,8\n");
    const auto encoding = learn_encoding(table, first(4), "").value();
    const auto one = encode_rows(table, first(4), encoding, "").value(),
               two = encode_rows(other, first(4), encoding, "").value();
    EXPECT_EQ(one.values, two.values);
    EXPECT_EQ(one.places, two.places);
    EXPECT_EQ(one.classes, two.classes);
}

// pandas' index and other row numbers would be learned by heart where the rows are sorted.
TEST(TableEncoding, RowNumbersAreNotRead) {
    for (const std::string name : {"", "Unnamed: 0", "id", "PassengerId"}) {
        const auto table = table_of(name + ",a,label\n0,5,u\n1,6,u\n2,5,v\n3,7,v\n");
        const auto encoding = learn_encoding(table, first(4), "").value();
        EXPECT_EQ(encoding.spec_keys(), "inputs=1,classes=2") << name;
        ASSERT_EQ(unread_columns(table, encoding).size(), 1) << name;
        EXPECT_EQ(unread_columns(table, encoding)[0].why, "it numbers the rows");
    }
    const auto inputs = [](const std::string& text) {
        return learn_encoding(table_of(text), first(4), "").value().inputs();
    };
    EXPECT_EQ(inputs("id,a,label\n0,5,u\n1,6,u\n1,5,v\n3,7,v\n"), 2) << "a number that repeats is none";
    EXPECT_EQ(inputs("year,a,label\n0,5,u\n1,6,u\n2,5,v\n3,7,v\n"), 2) << "no name of a row's number";
    EXPECT_EQ(inputs("id,label\n0,u\n1,u\n2,v\n3,v\n"), 1) << "there is nothing else";
    EXPECT_EQ(learn_encoding(table_of("0,5,u\n1,6,u\n2,5,v\n", ""), first(3), "").value().inputs(), 2)
        << "nothing has a name";
}

// Names and sentences are no categories, however few rows there are.
TEST(TableEncoding, WhatHardlyEverRepeatsIsNotRead) {
    std::string names = "name,size,label\n", reviews = "review,label\n";
    for (int i = 0; i < 40; ++i) {
        const char* label = i % 2 == 0 ? "u" : "v";
        names += fmt::format("n{},{},{}\n", i, i % 7, label);
        reviews += fmt::format("the plot has more than a few holes and actors {},{}\n", i, label);
    }
    const auto table = table_of(names);
    const auto encoding = learn_encoding(table, first(40), "").value();
    EXPECT_EQ(encoding.spec_keys(), "inputs=1,classes=2");
    EXPECT_EQ(unread_columns(table, encoding).at(0).why, "hardly ever the same in two rows");
    const auto problem = learn_encoding(table_of(reviews), first(40), "r.csv");
    ASSERT_FALSE(problem.ok());
    EXPECT_THAT(problem.error().text(),
                HasSubstr("in two; --field 'review' reads its texts, to predict the next byte"));
}

TEST(TableEncoding, KeepsItsBitsAsJson) {
    for (const char* label : {"label", "size"}) {
        const auto encoding = learn_encoding(table_of(drawn_text(500), label), first(400), "").value();
        const auto again =
            table_encoding_from_json(parse_json(to_json(encoding).dump(), "").value(), "table.json");
        ASSERT_TRUE(again.ok()) << again.error().text();
        EXPECT_EQ(*again, encoding) << label;
    }
}

std::string refused(const Result<TableEncoding>& result) {
    EXPECT_FALSE(result.ok());
    return result.ok() ? "" : result.error().text();
}

TEST(TableEncoding, RefusesTablesThatTellNothing) {
    EXPECT_EQ(refused(learn_encoding(table_of("a,label\n1,u\n1,v\n"), first(2), "t.csv")),
              "t.csv: has no column beside the label 'label' to learn from: each is the same in all 2 rows "
              "that are "
              "trained on, or hardly ever the same in two");
    EXPECT_THAT(refused(learn_encoding(table_of("a,label\n1,1.5\n2,1.5\n3,2\n"), first(2), "t.csv")),
                HasSubstr("column 'label' has one value in all 2 rows that are trained on"));
}

TEST(TableEncoding, AnotherFileMustHaveItsColumns) {
    const auto encoding = learn_encoding(table_of("a,b,label\n1,x,u\n2,y,v\n3,x,u\n"), first(3), "").value();
    const auto error = [&](const std::string& text) {
        const auto table = table_of(text);
        const auto result = encode_rows(table, first(table.rows), encoding, "other.csv");
        EXPECT_FALSE(result.ok());
        return result.ok() ? "" : result.error().text();
    };
    EXPECT_EQ(error("b,label\nx,u\ny,v\n"), "other.csv: has no column 'a', which the run was trained with");
    EXPECT_EQ(error("a,b,label\nq,x,u\nr,y,v\n"),
              "other.csv: column 'a' holds words; the run was trained on numbers");
    EXPECT_EQ(error("a,b,label\n1,x,u\n2,y,w\n"), "data: the label 'w' is not one of the run's: u, v");
}

TEST(TableEncoding, RefusesFilesThatAreNone) {
    const auto error = [](const std::string& text) {
        return refused(table_encoding_from_json(parse_json(text, "").value(), "table.json"));
    };
    const std::string label = R"("label": {"name": "y", "classes": ["u", "v"]})";
    EXPECT_EQ(error("[]"), "table.json: must be an object");
    EXPECT_EQ(error("{}"), "table.json: numbers: must be a list");
    EXPECT_EQ(error(R"({"numbers": [], "categories": []})"), "table.json: label: missing");
    EXPECT_EQ(
        error(R"({"numbers": [{"name": "a", "mean": 0, "deviation": 0, "gaps": true}], "categories": [], )" +
              label + "}"),
        "table.json: numbers: deviation: must be above 0");
    EXPECT_EQ(
        error(
            R"({"numbers": [{"name": "a", "mean": 1e300, "deviation": 1, "gaps": true}], "categories": [], )" +
            label + "}"),
        "table.json: numbers: mean: must be a finite number");
    EXPECT_EQ(error(R"({"numbers": [], "categories": [{"name": "a", "values": ["z", "b"], "gaps": false, )"
                    R"("rare": false, "usual": "b"}], )" +
                    label + "}"),
              "table.json: categories: values: must be in alphabetical order, each once");
}

std::string complaint(const std::string& spec, const TableEncoding& encoding) {
    const Status status = check_fits(arch::parse_spec(spec).value(), encoding);
    return status.ok() ? "" : status.error().text();
}

TEST(TableEncoding, SaysWhichSizesANetworkNeeds) {
    const auto classes = learn_encoding(table_of(drawn_text(600)), first(600), "").value(),
               number = learn_encoding(table_of("a,label\n1,2\n2,4.5\n3,1\n"), first(3), "").value();
    EXPECT_EQ(complaint("mlp:depth=1,width=8,inputs=2,categories=4,classes=2", classes), "");
    EXPECT_EQ(complaint("mlp:depth=1,width=8,inputs=3,categories=4,classes=2", classes),
              "model.spec: inputs is 3; this table needs inputs=2,categories=4,classes=2");
    EXPECT_EQ(complaint("mlp:depth=1,width=8,inputs=2,categories=5,classes=2", classes),
              "model.spec: categories differ; this table needs inputs=2,categories=4,classes=2");
    EXPECT_EQ(complaint("pk:depth=1,width=8,blocks=2,inputs=2,classes=2", classes),
              "model.spec: pk reads numbers alone, and mlp categories too; this table needs "
              "inputs=2,categories=4,classes=2");
    EXPECT_EQ(complaint("pk:depth=1,width=8,blocks=2,inputs=1,classes=1", number), "");
    EXPECT_EQ(complaint("mlp:depth=1,width=8,inputs=1,classes=3", number),
              "model.spec: classes is 3; this table needs inputs=1,classes=1");
    EXPECT_EQ(complaint("transformer:depth=1,width=8,heads=1", number),
              "model.spec: transformer does not read tables; this table needs inputs=1,classes=1");
}

// fit, train and data info cut a table alike, and each class by itself.
TEST(TableParts, HoldOutAShareOfEachClassOrOfAllRows) {
    const auto classes = table_of(drawn_text(600)), numbers = table_of(drawn_text(600), "size");
    const DataSettings usual;
    const auto of_classes = table_parts(classes, usual).value(),
               of_numbers = table_parts(numbers, usual).value();
    EXPECT_EQ(of_classes.held_out.name, "10 % of each class, drawn with seed 1");
    EXPECT_EQ(of_numbers.held_out.name, "10 % of the rows, drawn with seed 1");
    const Rows held = rows_of_part(classes, of_classes.held_out, usual),
               train = rows_of_part(classes, of_classes.train, usual);
    EXPECT_EQ(held.size(), 60);
    EXPECT_EQ(train.size(), 540);
    EXPECT_EQ(std::ranges::count_if(held, [&](auto row) { return classes.label.classes[row] == 0; }), 30);
}

}  // namespace
}  // namespace plimsoll::run

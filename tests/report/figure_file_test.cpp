#include "plimsoll/report/figure_file.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/gallery_rows.h"
#include "tests/support/error_text.h"

namespace plimsoll::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string problem(const std::string& text) { return error_text(parse_figures(text, "figure.toml")); }

// A figure of two columns and one more line.
std::string figure_with(const std::string& line) {
    return "[[figures]]\nname = \"f\"\nx = \"a\"\ny = \"b\"\n" + line + "\n";
}

TEST(ReportFigureFile, DefaultsAreThoseOfTheManual) {
    const auto set = parse_figures(figure_with(""), "figure.toml");
    ASSERT_TRUE(set.ok()) << set.error().text();
    const FigureSpec& figure = set->figures.at(0);
    EXPECT_EQ(figure.title, "f");
    EXPECT_EQ(figure.x.title, "a");
    EXPECT_EQ(figure.x.scale, Scale::linear);
    EXPECT_EQ(figure.over, "seed");
    EXPECT_FALSE(figure.over_given || figure.line || figure.all_points);
    EXPECT_EQ(figure.interval, IntervalKind::t95);
    EXPECT_EQ(figure.fit, FitKind::none);
}

TEST(ReportFigureFile, TheGalleryUsesEveryKey) {
    const auto set = read_figures(PLIMSOLL_GALLERY);
    ASSERT_TRUE(set.ok()) << set.error().text();
    const FigureSpec& ratio = set->figures.at(0);
    EXPECT_EQ(ratio.x.scale, Scale::log2);
    EXPECT_THAT(ratio.where, ElementsAre("phase == done", "data_name == cifar10", "family == mixer"));
    EXPECT_EQ(ratio.series_title, "parameters");
    ASSERT_EQ(ratio.rules.size(), 2u);
    EXPECT_TRUE(ratio.rules[0].vertical);
    EXPECT_FALSE(ratio.rules[1].vertical);
    EXPECT_EQ(ratio.rules[1].at, 36);
    EXPECT_EQ(ratio.bands.at(0).high, 2);
    EXPECT_EQ(ratio.curves.at(0).label, "predicted");
    EXPECT_EQ(set->contrasts.at(0).margin, 0.5);
    EXPECT_EQ(set->contrasts.at(0).predicted, Prediction::equal);
    EXPECT_EQ(set->optima.at(0).predicted->second, 2);
    EXPECT_EQ(set->optima.at(0).scale, Scale::log);
    EXPECT_EQ(set->tables.at(0).by.size(), 2u);
    const auto listed = std::ranges::find(set->columns, "kind", &DerivedColumn::name);
    ASSERT_NE(listed, set->columns.end());
    EXPECT_EQ(listed->of, "family");
    EXPECT_EQ(listed->values.at("mixer"), 1);
}

TEST(ReportFigureFile, UnknownKeysHaveTheirLineAndASuggestion) {
    EXPECT_EQ(problem("[[figurs]]\n"), "figure.toml:1: figurs: unknown key 'figurs' (did you mean figures?)");
    EXPECT_EQ(problem(figure_with("serie = \"c\"")),
              "figure.toml:5: figures[0].serie: unknown key 'serie' (did you mean series?)");
    EXPECT_EQ(problem("[[figures]]\nname = \"f\"\nx = { colum = \"a\" }\ny = \"b\"\n"),
              "figure.toml:3: figures[0].x.colum: unknown key 'colum' (did you mean column?)");
    EXPECT_EQ(problem(figure_with("rules = [{ x = 1, lable = \"l\" }]")),
              "figure.toml:5: figures[0].rules[0].lable: unknown key 'lable' (did you mean label?)");
    EXPECT_THAT(problem("[[tables]]\nname = \"t\"\nvalue = [\"a\"]\n"),
                HasSubstr("figure.toml:3: tables[0].value: unknown key 'value' (did you mean values?)"));
    EXPECT_THAT(problem("[[optima]]\nname = \"t\"\nbst = 1\n"),
                HasSubstr("unknown key 'bst' (did you mean best?)"));
    EXPECT_THAT(problem("[[contrasts]]\nname = \"t\"\nmatsh = 1\n"), HasSubstr("(did you mean match?)"));
}

TEST(ReportFigureFile, MissingAndWrongValuesAreRefused) {
    EXPECT_EQ(problem("[[figures]]\nx = \"a\"\ny = \"b\"\n"), "figure.toml:1: figures[0]: name is missing");
    EXPECT_EQ(problem("[[figures]]\nname = \"f\"\nx = \"a\"\n"), "figure.toml:1: figures[0]: y is missing");
    EXPECT_EQ(problem("[[figures]]\nname = \"a/b\"\nx = \"a\"\ny = \"b\"\n"),
              "figure.toml:2: figures[0].name: must be letters, digits, - and _ (it names files), got 'a/b'");
    EXPECT_EQ(problem(figure_with("x = 3")).find("figure.toml:5"), 0u);
    EXPECT_EQ(problem(figure_with("fit = \"cubic\"")),
              "figure.toml:5: figures[0].fit: must be one of none, linear, power, quadratic, got 'cubic'");
    EXPECT_EQ(problem(figure_with("interval = \"sd\"")),
              "figure.toml:5: figures[0].interval: must be one of t95, range, none, got 'sd'");
    EXPECT_EQ(problem(figure_with("line = \"yes\"")),
              "figure.toml:5: figures[0].line: must be true or false");
    EXPECT_EQ(problem(figure_with("where = \"a == b\"")),
              "figure.toml:5: figures[0].where: must be a list of texts in quotes");
    EXPECT_EQ(problem(figure_with("rules = [{ label = \"l\" }]")),
              "figure.toml:5: figures[0].rules[0]: must have either x (vertical) or y (horizontal)");
    EXPECT_EQ(problem(figure_with("rules = [{ x = \"1 / 0\" }]")),
              "figure.toml:5: figures[0].rules[0].x: '1 / 0': division by zero");
    EXPECT_EQ(problem(figure_with("bands = [{ x = [2, 1] }]")),
              "figure.toml:5: figures[0].bands[0].x: must rise, got [2, 1]");
    EXPECT_EQ(problem(figure_with("bands = [{ y = [2] }]")),
              "figure.toml:5: figures[0].bands[0].y: must be two numbers, as in [1.0, 2.0]");
    EXPECT_EQ(problem(figure_with("curves = [{ y = \"a * x\" }]")),
              "figure.toml:5: figures[0].curves[0].y: 'a * x': must be a formula in x; a is not x");
    EXPECT_EQ(problem(figure_with("") + figure_with("")),
              "figure.toml:7: figures[1].name: the name 'f' is given twice");
    EXPECT_EQ(problem("[columns]\nr = \"1 +\"\n"),
              "figure.toml:2: columns.r: '1 +': a number or a name is missing at the end");
    EXPECT_EQ(problem("[columns]\nr = { of = \"name\" }\n"),
              "figure.toml:2: columns.r: values must be a table, as in { \"small\" = 1, \"large\" = 2 }");
    EXPECT_EQ(problem("[columns]\nr = { of = \"name\", values = { a = \"b\" } }\n"),
              "figure.toml:2: columns.r: 'a' must be a number");
    EXPECT_EQ(problem("[columns]\nr = { off = \"name\" }\n"),
              "figure.toml:2: columns.r.off: unknown key 'off' (did you mean of?)");
    EXPECT_EQ(problem("[columns]\nr = 3\n"), "figure.toml:2: columns.r: must be text in quotes");
    EXPECT_EQ(problem("[[tables]]\nname = \"t\"\n"),
              "figure.toml:1: tables[0]: values is missing: the columns to average, as in [\"error\"]");
    EXPECT_EQ(problem("[[contrasts]]\nname = \"c\"\nvalue = \"e\"\na = [\"x == 1\"]\nmatch = [\"seed\"]\n"),
              "figure.toml:1: contrasts[0]: b is missing");
    EXPECT_EQ(
        problem("[[contrasts]]\nname = \"c\"\nvalue = \"e\"\na = [\"x == 1\"]\nb = [\"x == 2\"]\nmatch = "
                "[\"seed\"]\nmargin = -1\n"),
        "figure.toml:7: contrasts[0].margin: must be >= 0, got -1");
    EXPECT_EQ(
        problem("[[contrasts]]\nname = \"c\"\nvalue = \"e\"\npredicted = \"a <= b\"\n"),
        "figure.toml:4: contrasts[0].predicted: must be one of none, a < b, a > b, a = b, got 'a <= b'");
    EXPECT_THAT(problem("figures = 3\n"), HasSubstr("figure.toml:1: figures: must be a list of tables"));
    EXPECT_THAT(problem("a = \n"), HasSubstr("figure.toml:1"));
}

}  // namespace
}  // namespace plimsoll::report

#include "plimsoll/report/figure.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/report/findings.h"
#include "plimsoll/report/numbers.h"
#include "plimsoll/report/statistics/statistics.h"
#include "plimsoll/report/vega/vega.h"
#include "tests/report/gallery_rows.h"
#include "tests/support/error_text.h"

namespace plimsoll::report {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Result<Report> report_of(const std::string& toml, const std::string& csv) {
    PLIMSOLL_ASSIGN(figures, parse_figures(toml, "figure.toml"));
    PLIMSOLL_ASSIGN(table, parse_table(csv, "rows.csv"));
    return make_report(figures, {{"runs", table}});
}
Figure figure_of(const std::string& lines, const std::string& csv) {
    auto report = report_of("[[figures]]\nname = \"f\"\n" + lines, csv);
    EXPECT_TRUE(report.ok()) << report.error().text();
    return report.ok() ? report->figures.at(0) : Figure{};
}
std::string problem(const std::string& toml, const std::string& csv) {
    return error_text(report_of(toml, csv));
}

const std::string xy = "x = \"x\"\ny = \"y\"\n";
const std::string seeds = "seed,x,y\n1,1,10\n2,1,14\n1,2,20\n2,2,20\n1,4,7\n";

// The data of a kind ("mean", "row", "fit").
std::vector<Json> data(const Figure& figure, const std::string& kind) {
    std::vector<Json> found;
    for (const Json& row : figure.vega_lite["data"]["values"])
        if (row["kind"] == kind) found.push_back(row);
    return found;
}

TEST(ReportFigure, MeansAndIntervalsAreThoseOfTheStatistics) {
    const auto means = data(figure_of(xy, seeds), "mean");
    ASSERT_EQ(means.size(), 3u);
    const Summary first = summary({10, 14});
    EXPECT_EQ(means[0]["y"], 12.0);
    EXPECT_EQ(means[0]["low"], first.interval->low);
    EXPECT_EQ(means[0]["high"], first.interval->high);
    EXPECT_EQ(means[0]["n"], 2);
    EXPECT_EQ(means[1]["low"], 20.0);
    EXPECT_EQ(means[2]["n"], 1);
    EXPECT_FALSE(means[2].contains("low"));  // one seed has no interval
}

TEST(ReportFigure, SubtitleSaysWhatTheIntervalIs) {
    const auto subtitle = [](const std::string& lines, const std::string& csv) {
        return figure_of(lines, csv).vega_lite["title"]["subtitle"][0].get<std::string>();
    };
    EXPECT_EQ(subtitle(xy, seeds), "Mean and 95 % interval (Student t) over 1 to 2 seeds.");
    EXPECT_EQ(subtitle(xy + "interval = \"range\"\n", seeds), "Mean, least and most over 1 to 2 seeds.");
    EXPECT_EQ(subtitle(xy + "interval = \"none\"\n", seeds), "Mean over 1 to 2 seeds.");
    EXPECT_EQ(subtitle(xy, "seed,x,y\n1,1,2\n1,2,3\n"), "Points: one seed each, so no interval.");
    EXPECT_EQ(subtitle(xy, "x,y\n1,2\n"), "Each point is one row.");
    EXPECT_EQ(subtitle(xy, "seed,x,y\n"), "No rows to show yet.");
    EXPECT_EQ(subtitle(xy + "points = \"all\"\nfit = \"linear\"\n", seeds),
              "Mean and 95 % interval (Student t) over 1 to 2 seeds; faint points: single runs;");
}

TEST(ReportFigure, AnOrderOfSeriesIsKeptAlsoWhereOneHasNoRows) {
    const std::string csv = "x,y,who\n1,2,b\n2,3,a\n3,4,c\n";
    const auto colour = [&](const std::string& lines) {
        const Json spec = figure_of(xy + "series = \"who\"\n" + lines, csv).vega_lite;
        return spec["layer"].back()["encoding"]["color"];
    };
    EXPECT_EQ(colour("")["scale"]["domain"], Json({"a", "b", "c"}));
    EXPECT_FALSE(colour("")["legend"].contains("values"));
    const Json ordered = colour("series_order = [\"c\", \"z\", \"b\"]\n");
    EXPECT_EQ(ordered["scale"]["domain"], Json({"c", "z", "b", "a"}));
    EXPECT_EQ(ordered["legend"]["values"], Json({"c", "b", "a"}));
}

TEST(ReportFigure, PointsOfOnePlaceThatAreApartAreNotAveraged) {
    const std::string csv = "seed,x,y,heads\n1,1,10,one\n2,1,14,one\n1,1,20,two\n2,1,24,two\n";
    const auto together = figure_of(xy, csv), apart = figure_of(xy + "apart = \"heads\"\n", csv);
    ASSERT_EQ(data(together, "mean").size(), 1u);
    EXPECT_THAT(together.notes, Contains(HasSubstr("averaged first")));
    ASSERT_EQ(data(apart, "mean").size(), 2u);
    EXPECT_EQ(data(apart, "mean")[0]["y"], 12.0);
    EXPECT_EQ(data(apart, "mean")[1]["y"], 22.0);
    EXPECT_EQ(data(apart, "mean")[1]["apart"], "two");
    EXPECT_THAT(apart.notes, IsEmpty());
    EXPECT_THAT(problem("[[figures]]\nname = \"f\"\n" + xy + "apart = \"head\"\n", csv),
                HasSubstr("did you mean heads?"));
}

TEST(ReportFigure, PowersOfTwoAreTheTicksOfALogarithmicAxis) {
    std::string csv = "x,y\n";
    for (int x = 1; x <= 512; x *= 2) csv += std::to_string(x) + ",1\n";
    const auto ticks = [&](const std::string& rows) {
        const Json spec = figure_of("x = { column = \"x\", scale = \"log2\" }\ny = \"y\"\n", rows).vega_lite;
        return spec["layer"].back()["encoding"]["x"]["axis"]["values"];
    };
    EXPECT_EQ(ticks(csv).size(), 10u);
    EXPECT_EQ(ticks(csv).back(), 512.0);
    EXPECT_EQ(ticks(csv + "3,1\n")[2], 5.0);
}

TEST(ReportFigure, TheOrderOfRowsChangesNothing) {
    const std::string reversed = "seed,x,y\n1,4,7\n2,2,20\n1,2,20\n2,1,14\n1,1,10\n";
    const std::string lines = xy + "fit = \"quadratic\"\nline = true\n";
    EXPECT_EQ(figure_of(lines, seeds).vega_lite, figure_of(lines, reversed).vega_lite);
}

TEST(ReportFigure, WhatIsLeftOutIsCountedAndSaid) {
    const std::string csv =
        "seed,phase,x,y\n1,done,1,10\n1,running,2,3\n1,failed,2,3\n1,done,,3\n1,done,3,nan\n1,done,4,-1\n1,"
        "done,-4,1\n";
    const auto linear = figure_of(xy, csv);
    EXPECT_THAT(linear.notes, ElementsAre("2 of 7 rows left out: not done", "1 row left out: no value of x",
                                          "1 row left out: no value of y"));
    const auto log =
        figure_of("x = { column = \"x\", scale = \"log\" }\ny = { column = \"y\", scale = \"log\" }\n", csv);
    EXPECT_THAT(log.notes, Contains("1 row left out: x is not positive, and its axis is logarithmic"));
    EXPECT_THAT(log.notes, Contains("1 row left out: y is not positive, and its axis is logarithmic"));
    EXPECT_EQ(data(log, "mean").size(), 1u);
    // Asked for by name they are shown, and the others counted.
    EXPECT_EQ(data(figure_of(xy + "where = [\"phase == running\"]\n", csv), "mean").size(), 1u);
}

TEST(ReportFigure, ASeedCountsOnce) {
    const auto figure = figure_of(xy, "seed,x,y\n1,1,10\n1,1,20\n2,1,5\n");
    EXPECT_EQ(data(figure, "mean").at(0)["y"], 10.0);
    EXPECT_EQ(data(figure, "mean").at(0)["n"], 2);
    EXPECT_THAT(figure.notes,
                ElementsAre("1 row had the same seed as another row of the point: averaged first"));
}

TEST(ReportFigure, IntervalsBelowZeroAreCutOnALogAxis) {
    const auto figure = figure_of("x = \"x\"\ny = { column = \"y\", scale = \"log\" }\n", seeds);
    EXPECT_THAT(figure.notes, Contains("1 interval reaches below 0, cut on the logarithmic axis"));
    EXPECT_EQ(data(figure, "mean").at(0)["low"], 3.5);
}

TEST(ReportFigure, FitsAreThoseOfTheStatistics) {
    const std::string csv = "seed,x,y\n1,1,3\n1,2,12\n1,4,48\n";  // y = 3 x^2
    const auto power = figure_of(xy + "fit = \"power\"\n", csv);
    ASSERT_EQ(power.notes.size(), 1u);
    EXPECT_THAT(power.notes[0], StartsWith("fit: y = 3 x^2 (exponent 2"));
    for (const Json& point : data(power, "fit"))
        EXPECT_NEAR(point["y"].get<double>(), 3 * std::pow(point["x"].get<double>(), 2), 1e-9);
    const auto line = figure_of(xy + "fit = \"linear\"\n", "seed,x,y\n1,0,1\n1,1,3\n");
    EXPECT_THAT(line.notes, ElementsAre("fit: y = 1 + 2 x (as many points as coefficients: no interval)"));
    EXPECT_FALSE(data(line, "fit").at(0).contains("low"));
    EXPECT_THAT(figure_of(xy + "fit = \"quadratic\"\n", "seed,x,y\n1,0,1\n1,1,3\n").notes,
                ElementsAre("fit: needs 3 different x"));
    EXPECT_THAT(figure_of(xy + "fit = \"power\"\n", "seed,x,y\n1,0,1\n1,1,3\n1,2,6\n").notes,
                Contains("fit: 1 row without a logarithm left out"));
}

TEST(ReportFigure, SeriesHaveColourAndShape) {
    const auto figure =
        figure_of(xy + "series = \"s\"\nline = true\n", "seed,x,y,s\n1,1,2,b\n1,1,3,64000\n1,2,3,64000\n");
    const Json& symbols = figure.vega_lite["layer"].back();
    EXPECT_EQ(symbols["encoding"]["color"]["scale"]["domain"], (Json{"64\u202f000", "b"}));
    EXPECT_EQ(symbols["encoding"]["shape"]["scale"]["range"], (Json{"circle", "square"}));
    std::set<Json> dashes;
    for (const Json& layer : figure.vega_lite["layer"])
        if (layer["mark"]["type"] == "line") dashes.insert(layer["mark"]["strokeDash"]);
    EXPECT_EQ(dashes.size(), 2u);
}

TEST(ReportFigure, CurvesAreTheirFormulas) {
    const auto figure =
        figure_of("x = { column = \"x\", scale = \"log\" }\ny = \"y\"\ncurves = [{ y = \"10 / (x - 2)\" }]\n",
                  "seed,x,y\n1,1,2\n1,4,3\n");
    bool found = false;
    for (const Json& layer : figure.vega_lite["layer"]) {
        if (layer["mark"]["style"] != "predicted") continue;
        found = true;
        for (const Json& point : layer["data"]["values"])
            EXPECT_DOUBLE_EQ(point["y"].get<double>(), 10 / (point["x"].get<double>() - 2));
        EXPECT_EQ(layer["data"]["values"].front()["x"], 1.0);
        EXPECT_EQ(layer["data"]["values"].back()["x"], 4.0);
    }
    EXPECT_TRUE(found);
    EXPECT_THAT(figure_of(xy + "curves = [{ y = \"ln(x - 2)\" }]\n", "x,y\n1,2\n3,3\n").notes,
                ElementsAre("the curve ln(x - 2) has no value on 51 of 101 places"));
}

TEST(ReportFigure, WordsOnXAreAnAxisOfNames) {
    const auto figure = figure_of(xy, "seed,x,y\n1,mixer,2\n2,mixer,4\n1,attention,3\n");
    EXPECT_EQ(figure.vega_lite["layer"][0]["encoding"]["x"]["type"], "nominal");
    EXPECT_EQ(data(figure, "mean").at(1)["x"], "mixer");
}

TEST(ReportFigure, WrongFiguresAreRefusedAtTheirPlace) {
    const std::string head = "[[figures]]\nname = \"f\"\n";
    EXPECT_EQ(problem(head + "x = \"xx\"\ny = \"y\"\n", "xy,y\n1,2\n"),
              "figure.toml:3: figures[0].x: no column 'xx' (did you mean xy?)");
    EXPECT_EQ(problem("[columns]\nr = \"depht / 2\"\n" + head + "x = \"r\"\ny = \"y\"\n", "depth,y\n1,2\n"),
              "figure.toml:5: figures[0].x: r needs the column depht (did you mean depth?)");
    EXPECT_EQ(problem(head + xy + "where = [\"z == 1\"]\n", "x,y\n1,2\n"),
              "figure.toml:1: figures[0]: unknown column 'z' (one of: x, y)");
    EXPECT_EQ(problem(head + xy + "rows = \"curves\"\n", "x,y\n1,2\n"),
              "figure.toml:1: figures[0]: no rows 'curves' (one of: runs)");
    EXPECT_EQ(problem(head + xy + "over = \"sed\"\n", "x,y,seed\n1,2,1\n"),
              "figure.toml:1: figures[0]: no column 'sed' (did you mean seed?)");
    EXPECT_EQ(problem(head + "x = { column = \"x\", scale = \"log\" }\ny = \"y\"\nrules = [{ x = 0 }]\n",
                      "x,y\n1,2\n"),
              "figure.toml:5: figures[0].rules[0]: must be positive on the logarithmic axis of x");
    EXPECT_EQ(problem(head + "x = { column = \"x\", scale = \"log\" }\ny = \"y\"\n", "x,y\na,2\n"),
              "figure.toml:3: figures[0].x: column x holds text: its axis cannot be logarithmic");
    EXPECT_EQ(problem(head + xy + "bands = [{ x = [1, 2] }]\n", "x,y\na,2\n"),
              "figure.toml:5: figures[0].bands[0]: column x holds text: no number lies on it");
}

TEST(ReportFigure, TheGalleryHoldsNoNumberThatIsNone) {
    const auto report = make_report(*read_figures(PLIMSOLL_GALLERY), gallery_tables());
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_EQ(report->figures.size(), 9u);
    for (const Figure& figure : report->figures) {
        EXPECT_THAT(figure.vega_lite["data"].dump(), ::testing::Not(HasSubstr("null"))) << figure.name;
        EXPECT_EQ(figure.vega_lite["$schema"], "https://vega.github.io/schema/vega-lite/v5.json");
    }
}

TEST(ReportFigure, TitlesAreBrokenAtSpaces) {
    EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
    EXPECT_THAT(wrapped("", 7), ElementsAre(""));
}

}  // namespace
}  // namespace plimsoll::report

// The figures of rank and verify, from what was measured.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "plimsoll/cli/rank/rank_figure.h"
#include "plimsoll/cli/verify/verdict_cases.h"
#include "tests/support/vega_checks.h"

namespace plimsoll::cli {
namespace {

using testing::expect_figure;

Json rank_vega(const rank::RankTable& table, std::string_view x) {
    return report::rank_vega(rank_figure(table, x).value());
}

rank::RankTable table_of(const std::string& grid, const std::string& positions) {
    rank::TableQuestion question{.base = {}, .grid = grid, .positions = positions, .file = ""};
    question.base.threads = 1;
    return rank::measure_table(question).value();
}

std::set<std::string> series_of(const Json& figure) {
    std::set<std::string> series;
    for (const auto& datum : figure["layer"][1]["data"]["values"]) series.insert(datum["series"]);
    return series;
}

TEST(RankVega, ShowsRanksAndBoundsAgainstDepth) {
    const auto figure = rank_vega(table_of("attention:depth=1..2,width=1..2,heads=1", "2d"), "depth");
    expect_figure(figure);
    EXPECT_EQ(series_of(figure), (std::set<std::string>{"width=1", "width=2"}));
    EXPECT_EQ(figure["layer"][1]["data"]["values"].size(), 4U);
    EXPECT_NEAR(figure["layer"][1]["data"]["values"][3]["log10_rank"].get<double>(), std::log10(18), 1e-12);
}

TEST(RankVega, TakesAnyNumberForItsAxisAndNamesTheRest) {
    const auto table = table_of("attention:depth=1..2,width=2,heads=1..2", "2..4");
    for (const char* x : {"depth", "heads", "positions"}) expect_figure(rank_vega(table, x));
    EXPECT_EQ(series_of(rank_vega(table, "positions")),
              (std::set<std::string>{"depth=1, heads=1", "depth=1, heads=2", "depth=2, heads=1",
                                     "depth=2, heads=2"}));
    EXPECT_EQ(series_of(rank_vega(table, "heads")),
              (std::set<std::string>{"depth=1, positions=2", "depth=1, positions=4", "depth=2, positions=2",
                                     "depth=2, positions=4"}));
}

TEST(RankVega, TwoFamiliesShareOneFigure) {
    const auto table =
        table_of("attention:depth=1..2,width=2,heads=1; square-mixer:rows=2,cols=2,depth=1..2", "2");
    const auto figure = rank_vega(table, "depth");
    expect_figure(figure);
    EXPECT_EQ(series_of(figure),
              (std::set<std::string>{"attention, width=2, heads=1", "square-mixer, rows=2, cols=2"}));
}

// A line with two values at one place would zigzag: mixers have two readings of one bound.
TEST(RankVega, ABoundHasOneValueInARow) {
    const auto figure = rank_vega(table_of("square-mixer:rows=2,cols=2,depth=1..3", ""), "depth");
    std::set<std::string> seen;
    for (const auto& datum : figure["layer"][0]["data"]["values"]) {
        const std::string place = datum["bound"].get<std::string>() + " " + datum["depth"].dump();
        EXPECT_TRUE(seen.insert(place).second) << place;
    }
}

TEST(RankVega, AnUnknownAxisIsRefusedBeforeTheWork) {
    const rank::TableQuestion question{
        .base = {}, .grid = "attention:depth=1..2,width=2,heads=1", .positions = "4", .file = ""};
    EXPECT_TRUE(check_axis(question, "positions").ok());
    EXPECT_TRUE(check_axis(question, "width").ok());
    EXPECT_EQ(check_axis(question, "heds").error().text(),
              "vega-x: attention:depth=1,width=2,heads=1 has no number 'heds' (did you mean heads?)");
}

TEST(VerdictsVega, ShowsWhatWasSaidAndFound) {
    verify::Measurements measurements({});
    const auto claims = verify::find_claims({"CAP-S_bound_int"}).value();
    const auto verdict =
        verify::put_to_the_test(*claims.front(), verify::Effort::quick, measurements).value();
    const auto figure = report::verdicts_vega(verdict_cases({verdict}).value());
    expect_figure(figure);
    EXPECT_EQ(figure["data"]["values"].size(), 2 * verdict.cases.size());
    for (std::size_t i = 0; i < figure["data"]["values"].size(); i += 2)  // an equality that holds
        EXPECT_EQ(figure["data"]["values"][i]["log10"], figure["data"]["values"][i + 1]["log10"]);
}

TEST(VerdictsVega, RefusesClaimsWithoutRanks) {
    verify::Measurements measurements({});
    const auto claims = verify::find_claims({"HAYASE-VEC"}).value();
    const auto verdict =
        verify::put_to_the_test(*claims.front(), verify::Effort::quick, measurements).value();
    EXPECT_EQ(verdict_cases({verdict}).error().text(), "vega: none of these claims states a rank");
}

}  // namespace
}  // namespace plimsoll::cli

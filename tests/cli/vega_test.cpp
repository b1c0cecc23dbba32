// Figures are what Vega-Lite needs: every field of an encoding is in every datum, numbers are finite, types
// are known.
#include <cmath>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/cli/rank/rank_vega.h"
#include "plimsoll/cli/verify/verify_vega.h"

namespace plimsoll::cli {
namespace {

// The channels of an encoding with their field definitions; a tooltip is a list of them.
std::vector<Json> fields_of(const Json& encoding) {
    std::vector<Json> fields;
    for (const auto& [channel, definition] : encoding.items()) {
        if (definition.is_object()) fields.push_back(definition);
        if (!definition.is_array()) continue;
        for (const auto& each : definition) fields.push_back(each);
    }
    return fields;
}

void expect_value(const Json& definition, const Json& datum) {
    const std::string field = definition.at("field");
    ASSERT_TRUE(datum.contains(field)) << field << " in " << datum.dump();
    if (definition.at("type") == "quantitative") {
        ASSERT_TRUE(datum[field].is_number()) << field;
        EXPECT_TRUE(std::isfinite(datum[field].get<double>())) << field;
        EXPECT_TRUE(!field.starts_with("log10") || datum[field].get<double>() >= 0) << datum.dump();
    } else {
        EXPECT_TRUE(datum[field].is_string()) << field;
    }
}

// A view: a known mark, data inside, and fields that the data have.
void expect_view(const Json& view) {
    const std::set<std::string> marks = {"point", "line"}, types = {"quantitative", "nominal"};
    EXPECT_TRUE(marks.contains(view.at("mark").at("type")));
    const Json& values = view.at("data").at("values");
    ASSERT_FALSE(values.empty());
    for (const auto& definition : fields_of(view.at("encoding"))) {
        EXPECT_TRUE(types.contains(definition.at("type"))) << definition.dump();
        EXPECT_FALSE(definition.contains("scale") && definition["scale"].value("type", "") == "log");
        for (const auto& datum : values) expect_value(definition, datum);
    }
}

void expect_figure(const Json& figure) {
    EXPECT_EQ(figure.at("$schema"), "https://vega.github.io/schema/vega-lite/v5.json");
    if (!figure.contains("layer")) return expect_view(figure);
    for (const auto& layer : figure["layer"]) expect_view(layer);
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
    const auto figure = rank_vega(table_of("attention:depth=1..2,width=1..2,heads=1", "2d"), "depth").value();
    expect_figure(figure);
    EXPECT_EQ(series_of(figure), (std::set<std::string>{"width=1", "width=2"}));
    EXPECT_EQ(figure["layer"][1]["data"]["values"].size(), 4U);
    EXPECT_NEAR(figure["layer"][1]["data"]["values"][3]["log10_rank"].get<double>(), std::log10(18), 1e-12);
}

TEST(RankVega, TakesAnyNumberForItsAxisAndNamesTheRest) {
    const auto table = table_of("attention:depth=1..2,width=2,heads=1..2", "2..4");
    for (const char* x : {"depth", "heads", "positions"}) expect_figure(rank_vega(table, x).value());
    EXPECT_EQ(series_of(rank_vega(table, "positions").value()),
              (std::set<std::string>{"depth=1, heads=1", "depth=1, heads=2", "depth=2, heads=1",
                                     "depth=2, heads=2"}));
    EXPECT_EQ(series_of(rank_vega(table, "heads").value()),
              (std::set<std::string>{"depth=1, positions=2", "depth=1, positions=4", "depth=2, positions=2",
                                     "depth=2, positions=4"}));
}

TEST(RankVega, TwoFamiliesShareOneFigure) {
    const auto table =
        table_of("attention:depth=1..2,width=2,heads=1; square-mixer:rows=2,cols=2,depth=1..2", "2");
    const auto figure = rank_vega(table, "depth").value();
    expect_figure(figure);
    EXPECT_EQ(series_of(figure),
              (std::set<std::string>{"attention, width=2, heads=1", "square-mixer, rows=2, cols=2"}));
}

// A line with two values at one place would zigzag: mixers have two readings of one bound.
TEST(RankVega, ABoundHasOneValueInARow) {
    const auto figure = rank_vega(table_of("square-mixer:rows=2,cols=2,depth=1..3", ""), "depth").value();
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
    const auto report = verify::put_to_the_test(*claims.front(), verify::Effort::quick, measurements).value();
    const auto figure = verdicts_vega({report}).value();
    expect_figure(figure);
    EXPECT_EQ(figure["data"]["values"].size(), 2 * report.cases.size());
    for (std::size_t i = 0; i < figure["data"]["values"].size(); i += 2)  // an equality that holds
        EXPECT_EQ(figure["data"]["values"][i]["log10"], figure["data"]["values"][i + 1]["log10"]);
}

TEST(VerdictsVega, RefusesClaimsWithoutRanks) {
    verify::Measurements measurements({});
    const auto claims = verify::find_claims({"HAYASE-VEC"}).value();
    const auto report = verify::put_to_the_test(*claims.front(), verify::Effort::quick, measurements).value();
    EXPECT_EQ(verdicts_vega({report}).error().text(),
              "vega: none of these claims is about the number of a rank");
}

// The figures of docs/findings, and that each page shows one of them and the command that makes it.
TEST(Findings, EveryPageHasAFigureThatIsValid) {
    const std::filesystem::path folder = std::filesystem::path(PLIMSOLL_SOURCE_DIR) / "docs" / "findings";
    std::set<std::string> named;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".md" || entry.path().stem() == "README") continue;
        const std::string page = read_text(entry.path()).value();
        EXPECT_NE(page.find("|---|"), std::string::npos) << entry.path();
        bool found = false;
        for (const auto& figure : std::filesystem::directory_iterator(folder / "figures")) {
            const std::string name = "figures/" + figure.path().filename().string();
            if (page.find("(" + name + ")") == std::string::npos) continue;
            EXPECT_NE(page.find("--vega " + name), std::string::npos) << entry.path() << " makes " << name;
            found = true;
            named.insert(figure.path().filename().string());
        }
        EXPECT_TRUE(found) << entry.path();
    }
    for (const auto& figure : std::filesystem::directory_iterator(folder / "figures")) {
        EXPECT_TRUE(named.contains(figure.path().filename().string())) << figure.path();
        expect_figure(Json::parse(read_text(figure.path()).value()));
    }
}

}  // namespace
}  // namespace plimsoll::cli

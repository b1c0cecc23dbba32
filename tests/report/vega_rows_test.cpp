// Figures made of plain rows, and those of docs/findings.
#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/report/vega/rank_vega.h"
#include "plimsoll/report/vega/verdicts_vega.h"
#include "tests/support/vega_checks.h"

namespace plimsoll::report {
namespace {

using testing::expect_figure;

TEST(RankRows, AreDrawnAsPointsWithTheirBoundsAsLines) {
    const RankFigure rows{
        "Ranks", "heads", {{1, "a", 0, true, {{"B", -2}}}, {2, "a", 100, false, {{"B", 3}}}}};
    const Json figure = rank_vega(rows);
    expect_figure(figure);
    EXPECT_EQ(figure["title"], "Ranks");
    const Json &bounds = figure["layer"][0]["data"]["values"], &ranks = figure["layer"][1]["data"]["values"];
    EXPECT_EQ(bounds[0], (Json{{"heads", 1}, {"log10_rank", 0.0}, {"bound", "B"}, {"series", "a"}}));
    EXPECT_EQ(bounds[1]["log10_rank"], 3.0);
    EXPECT_EQ(ranks[0]["log10_rank"], 0.0);
    EXPECT_EQ(ranks[0]["reading"], "exact");
    EXPECT_EQ(ranks[1]["log10_rank"], 2.0);
    EXPECT_EQ(ranks[1]["reading"], "at least");
}

TEST(VerdictRows, AreTwoPointsEach) {
    const Json figure = verdicts_vega({{"CLAIM", "d=2", {"100", 2}, {"10", 1}}});
    expect_figure(figure);
    const Json& values = figure["data"]["values"];
    ASSERT_EQ(values.size(), 2U);
    EXPECT_EQ(
        values[0],
        (Json{{"claim", "CLAIM"}, {"case", "d=2"}, {"what", "said"}, {"words", "100"}, {"log10", 2.0}}));
    EXPECT_EQ(
        values[1],
        (Json{{"claim", "CLAIM"}, {"case", "d=2"}, {"what", "found"}, {"words", "10"}, {"log10", 1.0}}));
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
}  // namespace plimsoll::report

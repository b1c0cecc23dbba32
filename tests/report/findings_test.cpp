#include "plimsoll/report/findings.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/report/numbers.h"
#include "tests/report/gallery_rows.h"

namespace plimsoll::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto yes = Outcome::as_predicted, no = Outcome::against, noise = Outcome::inside_noise;

Report judged_report(const std::string& toml, const std::string& csv) {
    const auto figures = parse_figures(toml, "figure.toml");
    EXPECT_TRUE(figures.ok()) << figures.error().text();
    auto report = make_report(*figures, {{"runs", *parse_table(csv, "rows.csv")}});
    EXPECT_TRUE(report.ok()) << report.error().text();
    return report.ok() ? std::move(report).value() : Report{};
}

TEST(ReportVerdict, OfADifference) {
    EXPECT_EQ(judged_difference({-2, -1}, Prediction::less, 0), yes);
    EXPECT_EQ(judged_difference({-2, 0.1}, Prediction::less, 0), noise);
    EXPECT_EQ(judged_difference({0.1, 2}, Prediction::less, 0), no);
    EXPECT_EQ(judged_difference({-2, -1}, Prediction::more, 0), no);
    EXPECT_EQ(judged_difference({1, 2}, Prediction::more, 0), yes);
    EXPECT_EQ(judged_difference({-2, -1}, Prediction::less, 1.5), noise);
    EXPECT_EQ(judged_difference({-1, 1}, Prediction::less, 1.5), no);  // smaller than what counts
    EXPECT_EQ(judged_difference({-1, 1}, Prediction::equal, 1.5), yes);
    EXPECT_EQ(judged_difference({-1, 2}, Prediction::equal, 1.5), noise);
    EXPECT_EQ(judged_difference({2, 3}, Prediction::equal, 1.5), no);
    EXPECT_EQ(judged_difference({-1, 2}, Prediction::none, 0), noise);
    EXPECT_EQ(judged_difference({1, 2}, Prediction::none, 0), Outcome::no_prediction);
}

TEST(ReportVerdict, TurnsWithTheSidesOfAContrast) {
    RandomStream random(7, "turn");
    for (int i = 0; i < 1000; ++i) {
        const double low = 4 * random.uniform() - 2, high = low + random.uniform(), margin = random.uniform();
        EXPECT_EQ(judged_difference({low, high}, Prediction::less, margin),
                  judged_difference({-high, -low}, Prediction::more, margin));
        EXPECT_EQ(judged_difference({low, high}, Prediction::equal, margin),
                  judged_difference({-high, -low}, Prediction::equal, margin));
    }
}

TEST(ReportVerdict, OfAWindow) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(judged({1.1, 1.9}, {1, 2}), yes);
    EXPECT_EQ(judged({0.9, 1.9}, {1, 2}), noise);
    EXPECT_EQ(judged({3, 4}, {1, 2}), no);
    EXPECT_EQ(judged({3, infinity}, {1, 2}), no);
    EXPECT_EQ(judged({0.5, infinity}, {1, 2}), noise);
}

const std::string contrast =
    "[[contrasts]]\nname = \"a or b\"\nvalue = \"y\"\na = [\"f == a\"]\nb = [\"f == b\"]\nmatch = "
    "[\"seed\"]\n";

TEST(ReportContrast, PairsWhatMatches) {
    const auto report =
        judged_report(contrast + "predicted = \"a < b\"\n",
                      "seed,f,y\n1,a,1\n1,b,3\n2,a,2\n2,b,4.2\n3,a,3\n3,b,5.1\n4,a,9\n5,b,\n");
    const Judgement& finding = report.findings.at(0);
    EXPECT_EQ(
        finding.sentence,
        "a or b: measured y of a minus b is -2.10 (95 % interval -2.35 to -1.85, 3 pairs), predicted a < b: "
        "as predicted.");
    EXPECT_THAT(finding.notes, ElementsAre("1 row left out: no value of y",
                                           "1 row left out: no partner with the same seed"));
    EXPECT_EQ(finding.details["difference"]["n"], 3);
}

TEST(ReportContrast, FewPairsGiveNoVerdict) {
    const auto one =
        judged_report(contrast + "predicted = \"a < b\"\n", "seed,f,y\n1,a,1\n1,b,3\n").findings.at(0);
    EXPECT_EQ(one.sentence,
              "a or b: measured y of a minus b is -2 (one pair, so no interval), predicted a < b: inside the "
              "noise.");
    EXPECT_EQ(one.outcome, noise);
    const auto none = judged_report(contrast, "seed,f,y\n1,a,1\n2,b,3\n").findings.at(0);
    EXPECT_EQ(none.sentence, "a or b: no rows of a and b match in seed: no verdict possible.");
    EXPECT_EQ(none.outcome, noise);
}

TEST(ReportContrast, WithoutAPredictionTheDirectionIsSaid) {
    const auto report = judged_report(contrast, "seed,f,y\n1,a,3\n1,b,1\n2,a,4.1\n2,b,2\n");
    EXPECT_THAT(report.findings.at(0).sentence,
                HasSubstr("is 2.05 (95 % interval 1.41 to 2.69, 2 pairs): a is higher than b."));
}

TEST(ReportContrast, AMarginIsSaid) {
    const auto report = judged_report(contrast + "predicted = \"a = b\"\nmargin = 3\n",
                                      "seed,f,y\n1,a,3\n1,b,1\n2,a,4.1\n2,b,2\n");
    EXPECT_THAT(report.findings.at(0).sentence, HasSubstr("predicted a = b within 3: as predicted."));
    const auto bare = judged_report(contrast + "predicted = \"a = b\"\n", "seed,f,y\n1,a,3\n1,b,1\n");
    EXPECT_THAT(bare.findings.at(0).notes, ElementsAre("with a margin of 0, a = b can only be contradicted"));
}

std::string curves(const std::vector<double>& noise_of_seeds, double top) {
    std::string csv = "seed,budget,x,y\n";
    for (std::size_t seed = 0; seed < noise_of_seeds.size(); ++seed)
        for (const double x : {0.0, 1.0, 2.0, 3.0}) {
            const double y = (x - top) * (x - top) + (x == 1 ? noise_of_seeds[seed] : 0);
            csv += std::to_string(seed) + ",64000," + std::to_string(x) + "," + std::to_string(y) + "\n";
        }
    return csv;
}
const std::string optimum =
    "[[optima]]\nname = \"best x\"\nx = \"x\"\ny = \"y\"\nby = [\"budget\"]\npredicted = [1, 2]\n";

TEST(ReportOptima, AreFoundAndJudged) {
    const auto finding = judged_report(optimum, curves({0.01, 0, -0.01}, 1.4)).findings.at(0);
    EXPECT_EQ(finding.name, "best x, budget 64000");
    EXPECT_THAT(finding.sentence,
                HasSubstr("best x, budget 64000: measured y is lowest at x 1.4 (95 % interval 1."));
    EXPECT_THAT(finding.sentence, HasSubstr("3 seeds), predicted 1 to 2: as predicted."));
    EXPECT_EQ(finding.outcome, yes);
    EXPECT_EQ(judged_report(optimum, curves({0.01, 0, -0.01}, 0.6)).findings.at(0).outcome, no);
}

TEST(ReportOptima, NoVerdictWhereTheBestMayLieBeyond) {
    const auto end = judged_report(optimum, curves({0.01, 0, -0.01}, 4)).findings.at(0);
    EXPECT_THAT(end.notes, ElementsAre("reaches the largest x measured: the best may lie beyond"));
    EXPECT_EQ(end.outcome, no);  // beyond 3 is not within 1 to 2, wherever it is
    const auto start = judged_report(optimum, curves({0.01, 0, -0.01}, -1)).findings.at(0);
    EXPECT_EQ(start.outcome, no);
    const std::string beyond = "[[optima]]\nname = \"b\"\nx = \"x\"\ny = \"y\"\npredicted = [4, 5]\n";
    EXPECT_EQ(judged_report(beyond, curves({0.01, 0, -0.01}, 4)).findings.at(0).outcome, noise);
}

TEST(ReportOptima, FewSeedsGiveNoInterval) {
    const auto two = judged_report(optimum, curves({0, 0}, 1.5)).findings.at(0);
    EXPECT_EQ(
        two.sentence,
        "best x, budget 64000: measured y is lowest at x 1.5 (2 seeds, three are needed for an interval), "
        "predicted 1 to 2: inside the noise.");
    const auto none = judged_report(optimum, "seed,budget,x,y\n1,64000,1,\n").findings.at(0);
    EXPECT_EQ(none.sentence, "best x: no rows to find it in: no verdict possible.");
    EXPECT_THAT(none.notes, ElementsAre("1 row left out: no value of x or y"));
}

const std::string table = "[[tables]]\nname = \"final\"\nby = [\"f\"]\nvalues = [\"y\"]\n";

TEST(ReportTables, AlignedMarkdown) {
    const auto report = judged_report(table, "seed,f,y\n1,mixer,1\n2,mixer,1.5\n1,attention,12\n2,b|c,\n");
    EXPECT_EQ(markdown(report),
              "### final\n\n"
              "| f         |               y | seeds |\n"
              "| --------- | --------------: | ----: |\n"
              "| attention |              12 |     1 |\n"
              "| b\\|c      |                 |     0 |\n"
              "| mixer     | 1.25 (1 to 1.5) |     2 |\n\n"
              "- 1 row left out: no value of y\n\n");
    EXPECT_EQ(report_json(report)["tables"][0]["rows"][0]["y"]["mean"], 12.0);
}

TEST(ReportTables, MarkdownNamesPicturesAndFindings) {
    const auto figures = read_figures(PLIMSOLL_GALLERY);
    const auto report = make_report(*figures, gallery_tables());
    const std::string text = markdown(*report, {{"ratio", "desk.ratio.svg"}});
    EXPECT_THAT(text, HasSubstr("](desk.ratio.svg)\n"));
    EXPECT_THAT(text, HasSubstr("- **as predicted**: large against small: measured error of a minus b is -"));
    EXPECT_EQ(report_json(*report)["findings"].size(), 5u);
}

TEST(ReportNumbers, AsManyPlacesAsTheWidthDeserves) {
    const auto text = [](double mean, double half) {
        Summary one{3, mean, mean, mean, 1.0, Interval{mean - half, mean + half}};
        return mean_text(one, "+-");
    };
    EXPECT_EQ(text(12.3456, 0.42), "12.35 +- 0.42");
    EXPECT_EQ(text(1234.6, 42), "1235 +- 42");
    EXPECT_EQ(text(123456, 4200), "123500 +- 4200");
    EXPECT_EQ(text(0.0001234, 0.00002), "0.000123 +- 0.000020");
    EXPECT_EQ(text(-0.001, 0.5), "0.00 +- 0.50");
    EXPECT_EQ(mean_text(summary({34, 66}), "+-"), "50 (34 to 66)");  // +- 203 of two numbers says nothing
    EXPECT_EQ(mean_text(summary({65536}), "+-"), "65536");
    EXPECT_EQ(mean_text(summary({0.123456}), "+-"), "0.1235");
    EXPECT_EQ(mean_text(summary({2, 2}), "+-"), "2 +- 0");
    EXPECT_EQ(short_number(0.12345), "0.123");
    EXPECT_EQ(short_number(12345.6), "12346");
    EXPECT_EQ(spaced_number(64000), "64\u202f000");
    EXPECT_EQ(spaced_number(-1234567.25), "-1\u202f234\u202f567.25");
    EXPECT_EQ(spaced_number(999), "999");
}

}  // namespace
}  // namespace plimsoll::report

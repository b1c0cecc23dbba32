// Laws that every report keeps, checked on every model of the zoo.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/audit/zoo_reading.h"
#include "plimsoll/base/csv.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

using ::testing::ElementsAre;

const std::vector<Report>& reports() {
    static const std::vector<Report> all = [] {
        std::vector<Report> list;
        for (const auto& row : zoo()) list.push_back(diagnose({row.shape, std::nullopt, "zoo", &row}));
        return list;
    }();
    return all;
}

// The two ratios were recorded when the facts were gathered, to three figures, apart from these columns.
TEST(WholeZoo, RatiosAreThoseRecordedWithTheFacts) {
    const auto file = read_text(PLIMSOLL_FIXTURES "/audit/zoo_recorded.csv");
    ASSERT_TRUE(file.ok());
    std::size_t compared = 0;
    const auto lines = parse_csv(*file, "zoo_recorded.csv");
    ASSERT_TRUE(lines.ok());
    for (const auto& line : *lines) {
        const auto cells = texts_of(line);
        const auto found = std::find_if(reports().begin(), reports().end(), [&](const Report& report) {
            return report.shape.name == cells.front();
        });
        if (found == reports().end()) continue;
        SCOPED_TRACE(cells.front());
        const Report& report = *found;
        const auto check = [&](const std::optional<double>& got, const std::string& recorded) {
            ASSERT_EQ(got.has_value(), !recorded.empty());
            if (!got) return;
            EXPECT_NEAR(*got, *parse_real(recorded, "recorded"), 0.0005 + 1e-12);
        };
        check(report.attention_over_width, cells.at(1));
        check(report.input_rank_over_width, cells.at(2));
        ++compared;
    }
    EXPECT_EQ(compared, zoo().size());
}

// The laws of every report, over every model of the zoo.
TEST(WholeZoo, NoFindingIsWorseThanItsRuleAllows) {
    std::set<std::string_view> seen;
    for (const auto& report : reports()) {
        SCOPED_TRACE(report.shape.name);
        EXPECT_FALSE(report.findings.empty());
        EXPECT_FALSE(report.not_analysed.empty());
        for (const auto& finding : report.findings) {
            SCOPED_TRACE(finding.id);
            seen.insert(finding.id);
            const FindingRule& rule = rule_of(finding.id);
            EXPECT_FALSE(finding.severity == Severity::severe && rule.severe_when.empty());
            EXPECT_FALSE(finding.severity == Severity::notice && rule.notice_when.empty());
            EXPECT_FALSE(finding.text.empty());
            EXPECT_FALSE(finding.shown.empty());
            EXPECT_FALSE(finding.reading.empty());
            EXPECT_FALSE(finding.source.citation.empty());
            EXPECT_FALSE(finding.severity == Severity::severe && finding.remedy.empty());
        }
    }
    // The zoo has no files.
    for (const auto& rule : finding_rules()) {
        const bool from_files = rule.id == "tied-weights";
        EXPECT_TRUE(from_files || seen.count(rule.id) == 1) << rule.id << " was never found";
    }
}

TEST(WholeZoo, SevereComesFirst) {
    for (const auto& report : reports()) {
        EXPECT_TRUE(
            std::is_sorted(report.findings.begin(), report.findings.end(),
                           [](const Finding& a, const Finding& b) { return a.severity < b.severity; }))
            << report.shape.name;
    }
}

// What programs rely on: the keys are there for every model, null where nothing is known.
TEST(WholeZoo, EveryKeyIsThereForEveryModel) {
    const auto keys = {"name",     "family",       "kind",
                       "depth",    "width",        "heads",
                       "head_dim", "parameters",   "attention_over_width",
                       "findings", "not_analysed", "input_rank_over_width",
                       "assumed",  "context",      "parameter_counts"};
    for (const auto& report : reports()) {
        const Json json = to_json(report);
        for (const char* key : keys) EXPECT_TRUE(json.contains(key)) << report.shape.name << " " << key;
        for (const auto& finding : json["findings"])
            for (const char* key : {"id", "severity", "title", "value", "text", "source", "remedy"})
                EXPECT_TRUE(finding.contains(key)) << report.shape.name << " " << key;
        EXPECT_FALSE(json["not_analysed"].empty());
    }
}

TEST(WholeZoo, MarkdownHasARowPerFindingAndNoBrokenCells) {
    for (const auto& report : reports()) {
        const std::string text = to_markdown(report);
        std::size_t rows = 0;
        for (std::size_t at = text.find("\n| "); at != std::string::npos; at = text.find("\n| ", at + 1))
            ++rows;
        EXPECT_EQ(rows, report.findings.size() + 1) << report.shape.name;
    }
}

// Reported where the paper reports it, and nowhere else.
TEST(WholeZoo, RedundanciesAreCitedOnlyForTheModelsOfThePaper) {
    std::vector<std::string> cited;
    for (const auto& report : reports())
        if (report.find("reported-redundancy") != nullptr) cited.push_back(report.shape.name);
    EXPECT_THAT(cited, ElementsAre("ALBERT-xxlarge-v2", "T5-3B", "T5-11B", "ESM-2 650M", "esm-1b"));
}

// docs/AUDIT.md shows what `plimsoll audit --zoo` prints.
TEST(WholeZoo, ThePageHasTheReadingOfEveryModel) {
    const auto page = read_text(PLIMSOLL_SOURCE "/docs/AUDIT.md");
    ASSERT_TRUE(page.ok());
    const std::string table = zoo_reading_markdown();
    EXPECT_GE(std::count(table.begin(), table.end(), '\n'), 148);
    EXPECT_THAT(*page, ::testing::HasSubstr(table));
}

// A line on which nobody sits is no load line: what practitioners built and kept lies in the valley.
TEST(WholeZoo, NearlyEveryModelIsInsideTheValley) {
    std::size_t judged = 0, inside = 0;
    for (const auto& report : reports()) {
        const Finding* valley = report.find("depth-valley");
        if (valley == nullptr) continue;
        ++judged;
        if (valley->severity == Severity::ok) ++inside;
    }
    EXPECT_GE(judged, 120U);
    EXPECT_GE(10 * inside, 9 * judged);
}

TEST(WholeZoo, SharedKeysAreNarrowerThanTheQueries) {
    for (const auto& report : reports()) {
        const Finding* shared = report.find("kv-rank");
        if (shared == nullptr) continue;
        EXPECT_LT(*report.shape.kv_heads, *report.shape.heads);
        EXPECT_LT(*shared->value, *report.attention_over_width) << report.shape.name;
    }
}

}  // namespace
}  // namespace plimsoll::audit

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/base/files.h"
#include "plimsoll/theory/formula.h"

namespace plimsoll::audit {
namespace {

using testing::HasSubstr;

Report audit_row(const ZooRow& row) { return diagnose({row.shape, std::nullopt, "zoo", &row}); }

TEST(FindingRules, IdsAndTitlesAreUnique) {
    std::set<std::string_view> ids, titles;
    for (const auto& rule : finding_rules()) {
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
        EXPECT_TRUE(titles.insert(rule.title).second) << rule.title;
    }
}

TEST(FindingRules, EveryClaimIsAnIdOfBoundsOrExplainedOnThePage) {
    const std::set<std::string_view> own{"SCOPE", "LOAD-LINE", "COUNT"};
    std::set<std::string> ids;
    for (const auto& formula : theory::all_formulas()) ids.insert(formula.id);
    for (const auto& rule : finding_rules()) {
        const std::string claim(rule.source.claim);
        EXPECT_TRUE(ids.count(claim) == 1 || own.count(claim) == 1) << claim;
    }
}

TEST(FindingRules, EveryFindingHasItsSectionOnThePage) {
    const auto page = read_text(PLIMSOLL_SOURCE "/docs/AUDIT.md");
    ASSERT_TRUE(page.ok());
    for (const auto& rule : finding_rules()) {
        EXPECT_THAT(*page, HasSubstr("## " + std::string(rule.id) + "\n"));
        for (const auto& when : {rule.severe_when, rule.notice_when})
            EXPECT_THAT(*page, HasSubstr(std::string(when))) << rule.id;
    }
}

TEST(FindingRules, AnUnknownIdIsABug) { EXPECT_THROW(make_finding("no-such"), Bug); }

// The laws of every report, over every model of the zoo.
TEST(FindingRules, NoFindingIsWorseThanItsRuleAllows) {
    std::set<std::string_view> seen;
    for (const auto& row : zoo()) {
        SCOPED_TRACE(row.shape.name);
        const Report report = audit_row(row);
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
    // The zoo has no files, so no file is counted; and its rows do not say how positions are made.
    for (const auto& rule : finding_rules()) {
        const bool from_files =
            rule.id == "tied-weights" || rule.id == "position-rank" || rule.id == "parameters";
        EXPECT_TRUE(from_files || seen.count(rule.id) == 1) << rule.id << " was never found";
    }
}

TEST(FindingRules, SevereComesFirst) {
    for (const auto& row : zoo()) {
        const Report report = audit_row(row);
        EXPECT_TRUE(
            std::is_sorted(report.findings.begin(), report.findings.end(),
                           [](const Finding& a, const Finding& b) { return a.severity < b.severity; }))
            << row.shape.name;
    }
}

}  // namespace
}  // namespace plimsoll::audit

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/findings/finding.h"
#include "plimsoll/base/check.h"
#include "plimsoll/base/files.h"
#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::audit {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace plimsoll::audit

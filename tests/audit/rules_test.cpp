#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/findings/finding.h"
#include "plimsoll/base/check.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
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

TEST(FindingRules, EveryClaimIsAnIdOfBounds) {
    for (const auto& rule : finding_rules())
        EXPECT_TRUE(theory::find_formula(rule.source.claim).ok()) << rule.id;
}

TEST(FindingRules, ThePageSaysOfEachNoMoreThanTheStatusTable) {
    const auto page = read_text(PLIMSOLL_SOURCE "/docs/AUDIT.md");
    ASSERT_TRUE(page.ok());
    for (const auto& line : split(*page, '\n')) {
        for (const auto& rule : finding_rules()) {
            if (!std::string(line).starts_with("| " + std::string(rule.id) + " |")) continue;
            const std::string known(line.substr(line.rfind('|', line.size() - 2)));
            const auto standing = theory::status_of(rule.source.claim).standing;
            const bool proved =
                standing == theory::Standing::proved || standing == theory::Standing::repaired;
            EXPECT_TRUE(proved || known.find("| proved") == std::string::npos) << line;
            EXPECT_THAT(known, HasSubstr(proved ? "proved" : std::string(theory::to_text(standing)))) << line;
        }
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

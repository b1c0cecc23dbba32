// One table says what is known; the formulas, their pages and the index take it from there.
#include "plimsoll/theory/ids/status.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/check.h"
#include "plimsoll/base/files.h"
#include "plimsoll/theory/capacity/fast_capacity.h"
#include "plimsoll/theory/ids/applicable.h"
#include "plimsoll/theory/ids/claims_page.h"
#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::theory {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ClaimStatus, EveryFormulaHasOneLineAndEveryLineAFormula) {
    std::set<std::string_view> ids;
    for (const auto& line : claim_statuses()) {
        EXPECT_TRUE(ids.insert(line.id).second) << line.id;
        EXPECT_TRUE(find_formula(line.id).ok()) << line.id;
    }
    for (const auto& formula : all_formulas()) {
        ASSERT_TRUE(has_status(formula.id)) << formula.id;
        EXPECT_EQ(formula.standing, status_of(formula.id).standing) << formula.id;
    }
    EXPECT_FALSE(has_status("LEVINE-T33"));
    EXPECT_THROW(status_of("LEVINE-T33"), Bug);
}

TEST(ClaimStatus, ALogarithmStandsWhereItsNumberStands) {
    EXPECT_EQ(&status_of("LEVINE-T3-LOG3"), &status_of("LEVINE-T3"));
    EXPECT_EQ(status_of("CAP-string_cap_log3").standing, Standing::proved);
    EXPECT_FALSE(has_status("-LOG3"));
}

TEST(ClaimStatus, WhatIsNotWholeSaysWhatIsLeft) {
    for (const auto& line : claim_statuses()) {
        SCOPED_TRACE(line.id);
        EXPECT_FALSE(line.standing == Standing::measured && line.scope.empty());
        // A proved upper bound of a network's rank never leaves out what is known about equality.
        const bool of_ranks = line.kind == ClaimKind::upper && line.standing == Standing::repaired;
        if (!of_ranks) continue;
        EXPECT_THAT(line.scope, ::testing::AnyOf(HasSubstr("conjectured"), HasSubstr("reached")));
    }
}

// What was said before the table was made, and may not be said again.
TEST(ClaimStatus, NoFaceMaySayMore) {
    EXPECT_TRUE(says_more(Standing::proved, status_of("CAP-L_sat")));
    EXPECT_TRUE(says_more(Standing::proved, status_of("ADVICE-R2")));
    EXPECT_TRUE(says_more(Standing::proved, status_of("WIES-RATIO")));
    EXPECT_TRUE(says_more(Standing::proved, status_of("HAYASE-OMEGA")));
    EXPECT_TRUE(says_more(Standing::conjectured, status_of("LEVINE-T4")));
    EXPECT_TRUE(says_more(Standing::measured, status_of("CAP-L_sat")));
    EXPECT_FALSE(says_more(Standing::refuted, status_of("LEVINE-T4")));
    EXPECT_FALSE(says_more(Standing::proved, status_of("FIX-T4")));
    EXPECT_FALSE(says_more(Standing::conjectured, status_of("LEVINE-T3")));
}

TEST(ClaimStatus, LowerHalvesCarryTheirCondition) {
    for (const char* id : {"LEVINE-T1-LOWER", "LEVINE-T2-LOWER", "LEVINE-MS-LOWER", "LEVINE-COR1"}) {
        EXPECT_EQ(conditional_text(status_of(id)), "proved for odd d_a") << id;
        EXPECT_EQ(brief_text(status_of(id)), "lower bound proved for odd d_a") << id;
    }
    EXPECT_EQ(conditional_text(status_of("LEVINE-MS-CONSTRUCT")), "repaired");
    EXPECT_EQ(brief_text(status_of("CAP-heads_bound_int")), "upper bound proved");
    EXPECT_EQ(brief_text(status_of("CAP-L_sat")), "conjectured");
    EXPECT_EQ(scope_text(status_of("FIX-T4")), "upper bound; that networks reach it is conjectured");
}

// A row that is not relied on for want of a condition names it: d_a = 16 is even.
TEST(ClaimStatus, RowsNameTheConditionTheyMiss) {
    const auto table = bounds_for(*arch::parse_spec("attention:depth=8,width=64,heads=4"), std::nullopt);
    ASSERT_TRUE(table.ok());
    int missed = 0;
    for (const auto& row : table->rows) {
        if (row.sound || row.standing == Standing::refuted) continue;
        EXPECT_EQ(row.note, "for odd d_a") << row.id;
        ++missed;
    }
    EXPECT_EQ(missed, 2);
}

TEST(ClaimsPage, TheIndexOfDocsBoundsIsTheTable) {
    const auto page = read_text(PLIMSOLL_SOURCE_DIR "/docs/bounds/README.md");
    ASSERT_TRUE(page.ok());
    EXPECT_EQ(*page, claims_page()) << "plimsoll bounds --list --markdown > docs/bounds/README.md";
}

TEST(ClaimsPage, HasEveryClaimOnceAndNoTwin) {
    const std::string page = claims_page();
    for (const auto& line : claim_statuses())
        EXPECT_THAT(page, HasSubstr("| [" + std::string(line.id) + "]("));
    EXPECT_THAT(page, Not(HasSubstr("[LEVINE-T3-LOG3]")));
    EXPECT_THAT(page, HasSubstr("\n## Ours\n"));
    EXPECT_THAT(page, HasSubstr("\\|P\\| = qP"));
}

// ADVICE-R2: at P = 12 L d^2, N >= 2d, with widths that are not rounded.
TEST(ClaimStatus, TheBoundRisesWithDepthOnTheGrid) {
    for (double budget = 1e7; budget <= 1.001e12; budget *= 10) {
        double before = 0;
        for (int depth = 1; depth <= 256; ++depth) {
            const double width = std::sqrt(budget / (12.0 * depth));
            const double kappa = fast::capacity_log3(depth, width, 3 * width);
            EXPECT_GT(kappa, before) << budget << " " << depth;
            before = kappa;
        }
    }
}

}  // namespace
}  // namespace plimsoll::theory

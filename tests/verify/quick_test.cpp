// The whole quick trial: every verdict is the expected one, and every counterexample can be seen again.
#include <set>

#include <gtest/gtest.h>

#include "plimsoll/verify/claim.h"

namespace plimsoll::verify {
namespace {

TEST(QuickVerify, EveryVerdictIsTheExpectedOne) {
    Measurements measurements({});
    for (const Claim& claim : all_claims()) {
        const auto report = put_to_the_test(claim, Effort::quick, measurements).value();
        EXPECT_TRUE(report.as_expected()) << claim.id << " " << to_text(report.verdict);
        EXPECT_EQ(report.count(Outcome::undecided), 0U) << claim.id;
        if (claim.expected != ClaimVerdict::fails) continue;
        ASSERT_NE(report.first(Outcome::fails), nullptr) << claim.id;
        EXPECT_TRUE(report.first(Outcome::fails)->command.starts_with("plimsoll ")) << claim.id;
    }
}

TEST(Claims, MoreEffortTriesAtLeastTheSameCases) {
    for (const Claim& claim : all_claims()) {
        std::set<std::string> more;
        for (const Trial& trial : claim.trials(Effort::deep)) more.insert(trial.name);
        for (const Trial& trial : claim.trials(Effort::normal))
            EXPECT_TRUE(more.contains(trial.name)) << claim.id;
        for (const Trial& trial : claim.trials(Effort::quick))
            EXPECT_TRUE(more.contains(trial.name)) << claim.id;
    }
}

// ERRATA E1: the numbers that refute the step and the theorem.
TEST(QuickVerify, SmallestCounterexamples) {
    Measurements measurements({});
    const auto counterexample = [&](const std::string& id) {
        const auto report =
            put_to_the_test(*find_claims({id}).value().front(), Effort::quick, measurements).value();
        const auto* c = report.first(Outcome::fails);
        return c == nullptr ? "none" : c->name + ": " + c->observation.said + ", " + c->observation.found;
    };
    EXPECT_EQ(counterexample("ERR-GROUPING-SIDES"), "L=2 d=2 H=1 N=4: at most 17, 18");
    EXPECT_EQ(counterexample("ERR-GROUPING"), "L=3 d=2 H=2 N=4: at most 196, 215");
    EXPECT_EQ(counterexample("LEVINE-T4"), "monomial network d=H=4 L=12 N=8: at most 3^89.9526, 3^91.3818");
    EXPECT_EQ(counterexample("NAVON-L5.4-PRINTED"), "1x2 p=2 columns: at most 2, 3");
    EXPECT_EQ(counterexample("FIX-T4"), "none");
}

// ERRATA E25, E38, E45, E46, E55: what was printed and what stands instead.
TEST(QuickVerify, PrintedConclusionsAndTheirRepairs) {
    Measurements measurements({});
    const auto first_failure = [&](const std::string& id) {
        const auto report =
            put_to_the_test(*find_claims({id}).value().front(), Effort::quick, measurements).value();
        const auto* c = report.first(Outcome::fails);
        return c == nullptr ? "none" : c->name + ": " + c->observation.said + ", " + c->observation.found;
    };
    EXPECT_EQ(first_failure("WIES-LOWER-CONV-PRINTED"),
              "L=3 H=1 d_a=7 r=5 V=5: eq. 15 and rank 4, another vector, rank 0");
    EXPECT_EQ(first_failure("WIES-L7-N-PRINTED"), "L=2 H=1 d_a=7 r=6 E=2 N=8: the rows of A, other counts");
    EXPECT_EQ(first_failure("NAVON-C5.9"), "p=13 m=1594324 n=1594324 H=1: above 3^0.0, 3^-0.523706");
    EXPECT_EQ(first_failure("NAVON-P5.10"), "alpha=1 p=1600 p_mlp=1640: above 3^570.512, 3^561.383");
    for (const auto* repaired :
         {"WIES-LOWER-CONV-LEMMA5", "WIES-L7-N", "NAVON-C5.9-FIRSTP", "NAVON-P5.10-BASE"})
        EXPECT_EQ(first_failure(repaired), "none") << repaired;
}

}  // namespace
}  // namespace plimsoll::verify

#include "plimsoll/verify/claim.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/ids/formula.h"
#include "plimsoll/verify/attention_cases.h"

namespace plimsoll::verify {
namespace {

Trial fixed(const std::string& name, Outcome outcome) {
    return {name, "",
            [=](Measurements&) -> Result<Observation> { return Observation{"said", "found", outcome}; }};
}

ClaimReport report_of(const std::vector<Trial>& trials) {
    static std::vector<std::unique_ptr<Claim>> kept;
    kept.push_back(std::make_unique<Claim>(
        Claim{.id = "TEST", .statement = "A test.", .trials = [=](Effort) { return trials; }}));
    Measurements measurements({});
    return put_to_the_test(*kept.back(), Effort::quick, measurements).value();
}

TEST(Claim, OneFailureFailsAndOneDoubtLeavesItUndecided) {
    const Trial good = fixed("good", Outcome::holds), bad = fixed("bad", Outcome::fails),
                open = fixed("open", Outcome::undecided);
    EXPECT_EQ(report_of({good, good}).verdict, ClaimVerdict::holds);
    EXPECT_EQ(report_of({good, open}).verdict, ClaimVerdict::undecided);
    EXPECT_EQ(report_of({open, bad, good}).verdict, ClaimVerdict::fails);
    EXPECT_EQ(report_of({}).verdict, ClaimVerdict::undecided);
    EXPECT_FALSE(report_of({bad}).as_expected());
    EXPECT_TRUE(report_of({good}).as_expected());
}

TEST(Claim, TheFirstFailureIsTheCounterexample) {
    const auto report =
        report_of({fixed("a", Outcome::holds), fixed("b", Outcome::fails), fixed("c", Outcome::fails)});
    ASSERT_NE(report.first(Outcome::fails), nullptr);
    EXPECT_EQ(report.first(Outcome::fails)->name, "b");
    EXPECT_EQ(report.first(Outcome::fails)->command, "plimsoll verify --claim TEST");
    EXPECT_EQ(report.first(Outcome::undecided), nullptr);
    EXPECT_EQ(report.count(Outcome::fails), 2U);
}

TEST(Claim, WhatCannotBeMeasuredDecidesNothingButAMissingLibraryIsAnError) {
    const auto refusing = [](ErrorKind kind) {
        return Trial{"too large", "",
                     [=](Measurements&) -> Result<Observation> { return Error{kind, "tokens", "too many"}; }};
    };
    const auto report = report_of({refusing(ErrorKind::unsupported)});
    EXPECT_EQ(report.verdict, ClaimVerdict::undecided);
    EXPECT_EQ(report.cases.front().observation.found, "not measured: tokens: too many");
    Measurements measurements({});
    const Claim broken{.id = "TEST", .statement = "", .trials = [&](Effort) {
                           return std::vector<Trial>{refusing(ErrorKind::not_found)};
                       }};
    EXPECT_EQ(put_to_the_test(broken, Effort::quick, measurements).error().text(), "tokens: too many");
}

// A true bound made one too small: it must fail, and at the smallest network that reaches the bound.
TEST(Claim, ABoundThatIsOneTooSmallIsFound) {
    const Claim wrong{
        .id = "WRONG", .statement = "FIX-T4 minus one.", .trials = [](Effort) {
            const std::vector<AttentionCase> cases = {{.depth = 2, .width = 2, .heads = 2, .positions = 4},
                                                      {.depth = 2, .width = 2, .positions = 4},
                                                      {.depth = 2, .width = 3, .positions = 6}};
            return attention_trials(cases, at_most, [](const AttentionCase& c) {
                return std::optional(theory::fix_t4(c.depth, c.width, c.left_count(), c.right_count()) - 1);
            });
        }};
    Measurements measurements({});
    const auto report = put_to_the_test(wrong, Effort::quick, measurements).value();
    EXPECT_EQ(report.verdict, ClaimVerdict::fails);
    EXPECT_EQ(report.count(Outcome::holds), 1U);  // two heads stay one below
    ASSERT_NE(report.first(Outcome::fails), nullptr);
    EXPECT_EQ(report.first(Outcome::fails)->name, "L=2 d=2 H=1 N=4");
    EXPECT_EQ(report.first(Outcome::fails)->observation.said, "at most 17");
    EXPECT_EQ(report.first(Outcome::fails)->observation.found, "18");
    EXPECT_EQ(report.first(Outcome::fails)->command,
              "plimsoll rank attention:depth=2,width=2,heads=1 --positions 4");
}

TEST(Claim, ReportsProgressCaseByCase) {
    const Claim claim{.id = "TEST", .statement = "", .trials = [](Effort) {
                          return std::vector<Trial>(3, fixed("a", Outcome::holds));
                      }};
    Measurements measurements({});
    std::vector<std::uint64_t> seen;
    ASSERT_TRUE(
        put_to_the_test(claim, Effort::quick, measurements, [&](std::uint64_t done, std::uint64_t total) {
            EXPECT_EQ(total, 3U);
            seen.push_back(done);
        }).ok());
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 1, 2}));
}

// Every id is one that `bounds` knows, or a variant of one: ID-WORD, or ID with a roman number.
TEST(Claims, IdsAreThoseOfTheBoundsOrVariants) {
    std::set<std::string> ids;
    for (const Claim& claim : all_claims()) {
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id << " is there twice";
        const std::string variant = claim.id.substr(0, claim.id.find_last_of("-"));
        const std::string numbered = claim.id.substr(0, claim.id.find_last_not_of("iv") + 1);
        const bool known = theory::find_formula(claim.id).ok() || theory::find_formula(variant).ok() ||
                           theory::find_formula(numbered).ok() || claim.id.starts_with("CAP-");
        EXPECT_TRUE(known) << claim.id;
    }
}

TEST(Claims, SayWhyTheyAreExpectedToFailAndEndInAFullStop) {
    for (const Claim& claim : all_claims()) {
        EXPECT_EQ(claim.because.empty(), claim.expected == ClaimVerdict::holds) << claim.id;
        EXPECT_TRUE(claim.statement.ends_with('.')) << claim.id;
        EXPECT_FALSE(claim.trials(Effort::quick).empty()) << claim.id;
    }
}

// What is refuted is tried as such, or on networks that its counterexamples are not among, which it says.
TEST(Claims, ExpectWhatTheStatusTableSays) {
    for (const auto& claim : all_claims()) {
        if (!theory::has_status(claim.id)) continue;
        const bool refuted = theory::status_of(claim.id).standing == theory::Standing::refuted;
        const bool restricted = claim.statement.find("random networks") != std::string::npos;
        EXPECT_EQ(claim.expected == ClaimVerdict::fails, refuted && !restricted) << claim.id;
        EXPECT_FALSE(standing_text(claim).empty()) << claim.id;
    }
}

// That a bound is proved does not make its attainment more than a conjecture.
TEST(Claims, WhatIsOnlyMeasuredIsCalledAConjecture) {
    for (const std::string id :
         {"CAP-bound_int-SHARP", "CAP-heads-L2", "CAP-heads-FIRST", "CAP-residual", "CAP-pos_bound_int",
          "CAP-S_bound_int", "CAP-S_bound_int-POSITIONS", "CAP-mixer_rows_int",
          "CAP-defect_L3_j7_rank1_points", "CAP-bound_int-BOTH"}) {
        EXPECT_NE(find_claims({id}).value().front()->statement.find("onjecture"), std::string::npos) << id;
    }
}

TEST(Claims, HaveMoreThanAHandfulOfCasesToStandOn) {
    for (const Claim& claim : all_claims()) EXPECT_GE(claim.trials(Effort::quick).size(), 3U) << claim.id;
}

std::vector<std::string> ids_of(const std::vector<std::string>& words) {
    std::vector<std::string> ids;
    const auto found = find_claims(words);
    for (const Claim* claim : found.value()) ids.push_back(claim->id);
    return ids;
}

TEST(FindClaims, ByIdByBeginningAndAll) {
    EXPECT_EQ(ids_of({}).size(), all_claims().size());
    EXPECT_EQ(ids_of({"WIES-L4"}), (std::vector<std::string>{"WIES-L4"}));
    EXPECT_EQ(ids_of({"NAVON-L5.2"}),
              (std::vector<std::string>{"NAVON-L5.2i", "NAVON-L5.2ii", "NAVON-L5.2iii", "NAVON-L5.2iv"}));
    EXPECT_EQ(ids_of({"SEP", "SEP-GRID"}), (std::vector<std::string>{"SEP-DEF", "SEP-GRID", "SEP-GENERIC"}));
    for (const auto& id : ids_of({"HAYASE"})) EXPECT_TRUE(id.starts_with("HAYASE-")) << id;
}

TEST(FindClaims, AnUnknownWordIsAnErrorWithNearMisses) {
    const auto found = find_claims({"LEVINE-T44"});
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().kind, ErrorKind::not_found);
    EXPECT_EQ(found.error().text().substr(0, 52), "LEVINE-T44: no such claim is tested (did you mean LE");
    EXPECT_FALSE(find_claims({"LEVINE-T"}).ok());  // no hyphen follows
}

TEST(Effort, IsReadAndWritten) {
    for (const Effort effort : {Effort::quick, Effort::normal, Effort::deep})
        EXPECT_EQ(parse_effort(to_text(effort)).value(), effort);
    EXPECT_EQ(parse_effort("qick").error().text(), "effort: unknown 'qick' (did you mean quick?)");
    EXPECT_EQ(parse_effort("").error().text(), "effort: unknown '' (one of: quick, normal, deep)");
}

}  // namespace
}  // namespace plimsoll::verify

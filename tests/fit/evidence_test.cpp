#include "plimsoll/fit/decide/evidence.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "plimsoll/fit/decide/decide.h"
#include "tests/fit/drawn_valleys.h"

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<double> six{1, 2, 4, 6, 9, 13};

// A race of six depths that lacks nothing: best at 4, runs of 600 steps and 10 s, two at a time.
struct Complete {
    FitRequest request;
    DataLook look = text_look();
    Proposal proposal = drawn_proposal(six);
    Race race;

    Complete() {
        request.workers = 2;
        race = play(proposal, {[](const Candidate& c) {
                                   const auto depth = static_cast<double>(c.depth);
                                   return 1.4 + 0.08 / depth + 0.02 * std::log(depth);
                               },
                               0.002, 0.02, 3});
        for (auto& entry : race.entries) {
            entry.steps = 600;
            entry.seconds = 10;
            entry.flops = 1e12;
            entry.units_seen = 5e5;
        }
    }
    [[nodiscard]] std::vector<Shortfall> shortfalls() const {
        return decide(request, look, proposal, race).value().shortfalls;
    }
    [[nodiscard]] std::vector<Shortage> kinds() const {
        std::vector<Shortage> kinds;
        for (const auto& one : shortfalls()) kinds.push_back(one.shortage);
        return kinds;
    }
    void keep(const std::vector<std::int64_t>& depths) {
        std::erase_if(race.entries, [&](const RaceEntry& entry) {
            return std::ranges::find(depths, find_candidate(proposal, entry.candidate)->depth) ==
                   depths.end();
        });
    }
};

TEST(Evidence, ACompleteRaceLacksNothing) {
    const Complete full;
    EXPECT_THAT(full.kinds(), IsEmpty());
    const Decision decision = decide(full.request, full.look, full.proposal, full.race).value();
    EXPECT_TRUE(decision.enough());
    EXPECT_EQ(decision.headline, "");
    EXPECT_TRUE(decision.sentence.starts_with("Use "));
}

TEST(Evidence, FewStepsAreSaidWithHowLongEnoughWouldTake) {
    Complete few;
    for (auto& entry : few.race.entries) entry.steps = 100;
    EXPECT_THAT(few.kinds(), ElementsAre(Shortage::few_steps));
    const Shortfall one = few.shortfalls().front();
    EXPECT_THAT(one.sentence, HasSubstr("100 steps, and fewer than 500"));
    EXPECT_DOUBLE_EQ(one.seconds, 18 * 10 / 2 * 5);  // 18 runs of 10 s, two at a time, five times as long
    EXPECT_EQ(settling_sentence(one),
              one.sentence + "; the same race with runs that long (about 8 min here) would settle it.");
    few.request.device = "cuda";
    for (auto& entry : few.race.entries) entry.steps = 600;
    EXPECT_THAT(few.kinds(), ElementsAre(Shortage::few_steps));
    const Decision decision = decide(few.request, few.look, few.proposal, few.race).value();
    EXPECT_EQ(decision.headline, "Not enough evidence: too few steps.");
    EXPECT_TRUE(decision.sentence.starts_with("Best guess: "));
    EXPECT_EQ(decision.theory, report::Outcome::cannot_tell);
    EXPECT_THAT(decision.theory_verdict, HasSubstr("cannot tell: its runs have 600 steps"));
}

TEST(Evidence, NothingLearnedIsTheFirstThingSaid) {
    Complete none;
    none.look.chance = 1.45;
    EXPECT_EQ(none.kinds().front(), Shortage::nothing_learned);
    EXPECT_THAT(none.shortfalls().front().sentence, HasSubstr("(1.45 bits per byte)"));
}

TEST(Evidence, OneSeedDoesNotSayHowLargeTheNoiseIs) {
    Complete one;
    std::erase_if(one.race.entries, [](const auto& entry) { return entry.seed > 1; });
    EXPECT_THAT(one.kinds(), ElementsAre(Shortage::one_seed));
    EXPECT_DOUBLE_EQ(one.shortfalls().front().seconds, 2 * 6 * 10 / 2.0);
}

// 1, 10 and 12 layers raced: what lies between was not seen.
TEST(Evidence, AGapBesideTheBestDepthIsSaid) {
    Complete gap;
    gap.keep({1, 6, 9, 13});
    EXPECT_THAT(gap.kinds(), ElementsAre(Shortage::gap));
    EXPECT_EQ(gap.shortfalls().front().sentence, "no depth between 1 and 6 raced to the end");
    gap.keep({6, 9, 13});
    EXPECT_THAT(gap.kinds(), testing::Not(testing::Contains(Shortage::gap)));
}

TEST(Evidence, FewerThanThreeDepthsAreNoComparison) {
    Complete two;
    two.keep({4, 6});
    EXPECT_THAT(two.kinds(), ElementsAre(Shortage::few_depths));
    two.keep({4});
    EXPECT_THAT(two.kinds(), ElementsAre(Shortage::one_network));
}

TEST(Evidence, ABestAtTheEndOfTheFieldMayNotBeTheBest) {
    Complete deep;
    for (auto& entry : deep.race.entries)
        entry.value -=
            0.03 * std::log(static_cast<double>(find_candidate(deep.proposal, entry.candidate)->depth));
    EXPECT_THAT(deep.kinds(), ElementsAre(Shortage::at_edge));
    EXPECT_EQ(deep.shortfalls().front().sentence, "the best depth is the deepest that raced (13 layers)");
    EXPECT_EQ(deep.shortfalls().front().settled_by, "2 deeper depths");
}

// The rate that counts is the best of those with the most seeds; here it is the lowest of two, then between
// two.
TEST(Evidence, ALearningRateAtTheEndOfThoseTriedMayNotBeTheBest) {
    Complete rates;
    const std::string winner = decide(rates.request, rates.look, rates.proposal, rates.race).value().winner;
    const auto with_rate = [&](double rate) {
        const auto entries = rates.race.entries;
        for (RaceEntry entry : entries) {
            if (entry.candidate != winner || entry.rate != 1e-3) continue;
            entry.rate = rate;
            entry.value += 0.05;
            rates.race.entries.push_back(entry);
        }
    };
    with_rate(2e-3);
    EXPECT_THAT(rates.kinds(), ElementsAre(Shortage::rate_at_end));
    EXPECT_THAT(rates.shortfalls().front().sentence, HasSubstr("0.001, is the lowest that was tried"));
    with_rate(5e-4);
    EXPECT_THAT(rates.kinds(), IsEmpty());
}

TEST(Evidence, LabelledDataIsToBeSeenOnce) {
    Complete seen;
    seen.look = hops_look();
    seen.look.chance = 0.07;
    for (auto& entry : seen.race.entries) {
        entry.value = 2.2 - entry.value;
        entry.units_seen = 9'000;
    }
    EXPECT_THAT(seen.kinds(), ElementsAre(Shortage::under_one_pass));
    EXPECT_THAT(seen.shortfalls().front().sentence, HasSubstr("50 % of the sequences"));
    for (auto& entry : seen.race.entries) entry.units_seen = 18'000;
    EXPECT_THAT(seen.kinds(), IsEmpty());
}

TEST(Evidence, NoiseAboveTwoPercentTellsNothing) {
    Complete noisy;
    RandomStream stream(3, "noisy");
    for (auto& entry : noisy.race.entries) entry.value += 0.1 * normal(stream);
    EXPECT_THAT(noisy.kinds(), testing::Contains(Shortage::noise_wide));
}

TEST(Evidence, EveryShortageHasItsName) {
    for (const auto shortage : all_values(Shortage{})) EXPECT_NE(name_of(shortage), "");
    EXPECT_EQ(evidence_headline({}), "");
    EXPECT_EQ(evidence_headline({{Shortage::one_seed, "", ""}, {Shortage::gap, "", ""}}),
              "Not enough evidence: one seed; a gap beside the best depth.");
}

}  // namespace
}  // namespace plimsoll::fit

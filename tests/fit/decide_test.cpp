#include "plimsoll/fit/decide/decide.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/decide/noise.h"
#include "plimsoll/report/statistics/statistics.h"
#include "tests/fit/races.h"
#include "tests/fit/read_back.h"

namespace plimsoll::fit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Proposal& text_proposal() {
    static const Proposal proposal = proposal_for(text_look(), 100'000);
    return proposal;
}

Decision decided(const DataLook& look, const Proposal& proposal, const Race& race) {
    auto decision = decide({}, look, proposal, race);
    EXPECT_TRUE(decision.ok()) << decision.error().text();
    return std::move(decision).value();
}

// Bits per byte with the best depth at `best` lines, on every input the same.
std::function<double(const Candidate&)> bowl(double best, double depth_cost) {
    return [=](const Candidate& c) {
        return 2 + depth_cost * std::pow(std::log2(c.depth_over_line() / best), 2);
    };
}

TEST(Decide, AClearWinnerIsFoundWithItsMargin) {
    const auto& proposal = text_proposal();
    const std::string best = proposal.candidates[5].id;
    const Race race = play(proposal, {[&](const auto& c) { return c.id == best ? 1.8 : 2.0; }, 0.005});
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_EQ(decision.winner, best);
    EXPECT_EQ(decision.best, best);
    EXPECT_FALSE(decision.tie);
    EXPECT_NEAR(decision.margin, 0.2, 0.02);
    EXPECT_LT(decision.margin_half_width, 0.035);
    EXPECT_THAT(decision.sentence, HasSubstr("it beats the next by"));
    EXPECT_THAT(decision.certainty, HasSubstr("paired seeds"));
}

TEST(Decide, EqualOnesAreTiedAndTheCheapestIsTaken) {
    const auto& proposal = text_proposal();
    Race race = play(proposal, {[](const auto&) { return 2.0; }, 0.0, 0.1});
    // Equal up to a little noise that no candidate has more of than another.
    for (std::size_t i = 0; i < race.entries.size(); ++i) race.entries[i].value += i % 2 == 0 ? 1e-4 : -1e-4;
    const Decision decision = decided(text_look(), proposal, race);
    const auto cheapest = std::ranges::min_element(proposal.candidates, {}, &Candidate::flops_per_unit);
    EXPECT_TRUE(decision.tie);
    EXPECT_EQ(decision.tied.size(), proposal.candidates.size());
    EXPECT_LE(find_candidate(proposal, decision.winner)->flops_per_unit, 1.05 * cheapest->flops_per_unit);
    EXPECT_THAT(decision.sentence, HasSubstr("tied"));
}

TEST(Decide, OfThoseThatCostTheSameTheBetterIsTaken) {
    Proposal proposal = text_proposal();
    proposal.candidates.resize(3);
    proposal.candidates[0].flops_per_unit = 1000;
    proposal.candidates[1].flops_per_unit = 1004;  // as in a race on CIFAR-10 that gave 5 points for 0.4 %
    proposal.candidates[2].flops_per_unit = 3000;
    const std::string better = proposal.candidates[1].id, best = proposal.candidates[2].id;
    const auto truth = [&](const Candidate& c) { return c.id == best ? 1.98 : c.id == better ? 1.984 : 2.0; };
    Race race = play(proposal, {truth, 0.0, 0.0});
    for (std::size_t i = 0; i < race.entries.size(); ++i)
        race.entries[i].value += i % 2 == 0 ? 0.003 : -0.003;
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_EQ(decision.tied, (std::vector{best, better}));
    EXPECT_EQ(decision.winner, better);
    EXPECT_EQ(decision.tip, Tip::cheaper);
    EXPECT_THAT(decision.sentence, HasSubstr("It is cheaper to train (1.00 K training FLOPs per byte"));
}

TEST(Decide, TheOrderOfEntriesAndCandidatesDoesNotMatter) {
    const auto& proposal = text_proposal();
    Race race = play(proposal, {bowl(1.5, 0.02), 0.01});
    const Decision first = decided(text_look(), proposal, race);
    std::reverse(race.entries.begin(), race.entries.end());
    EXPECT_EQ(decided(text_look(), proposal, race), first);
    std::rotate(race.entries.begin(), race.entries.begin() + 7, race.entries.end());
    EXPECT_EQ(decided(text_look(), proposal, race), first);
}

// Another unit of the value scales every difference and changes no verdict.
TEST(Decide, AShiftOfEverySeedChangesNothing) {
    const auto& proposal = text_proposal();
    Race race = play(proposal, {bowl(1.5, 0.02), 0.01});
    const Decision before = decided(text_look(), proposal, race);
    for (auto& entry : race.entries) entry.value += 0.25 * static_cast<double>(entry.seed);
    const Decision after = decided(text_look(), proposal, race);
    EXPECT_EQ(after.winner, before.winner);
    EXPECT_EQ(after.tied, before.tied);
    EXPECT_NEAR(after.margin, before.margin, 1e-9);
    EXPECT_NEAR(after.margin_half_width, before.margin_half_width, 1e-9);
}

// Two candidates: the pooled noise is Student's interval of their paired differences.
TEST(Decide, TwoCandidatesHaveThePairedInterval) {
    RungTable table;
    table.candidates = {"a", "b"};
    table.seeds = {1, 2, 3, 4};
    table.values = {{1.0, 1.3, 0.9, 1.1}, {1.2, 1.4, 1.3, 1.2}};
    table.half_widths = {0, 0};
    const auto paired = report::summary({0.2, 0.1, 0.4, 0.1});
    EXPECT_NEAR(table.lead(0, 1), paired.mean, 1e-12);
    EXPECT_NEAR(RungNoise(table).between(0, 1).half_width(1), *paired.half_width(), 1e-9);
    EXPECT_EQ(RungNoise(table).between(0, 1).freedom, 3U);
    EXPECT_GT(RungNoise(table).between(0, 1).half_width(6), RungNoise(table).between(0, 1).half_width(1));
}

// One network whose seeds differ by far more than the others': it alone has the wide interval.
TEST(Decide, AnUnsteadyCandidateDoesNotHideWhatTheOthersShow) {
    const auto& proposal = text_proposal();
    Race race = play(proposal, {bowl(1.5, 0.02), 0.002, 0.05});
    const Decision before = decided(text_look(), proposal, race);
    const auto loser = std::ranges::find_if(proposal.candidates | std::views::reverse,
                                            [&](const auto& one) { return one.id != before.winner; });
    const std::string noisy = loser->id;
    for (auto& entry : race.entries)
        if (entry.candidate == noisy) entry.value += entry.seed == 1 ? 0.9 : entry.seed == 2 ? 0.2 : 0.5;
    const Decision after = decided(text_look(), proposal, race);
    EXPECT_EQ(after.winner, before.winner);
    EXPECT_NEAR(after.margin_half_width, before.margin_half_width, 0.3 * before.margin_half_width);
    EXPECT_THAT(after.certainty, HasSubstr("pooled without " + loser->label));
    const RungTable table = *rung_table(race, 0, Goal::bits_per_byte);
    const RungNoise noise(table);
    EXPECT_THAT(noise.unsteady(), ::testing::ElementsAre(*table.row(noisy)));
    EXPECT_GT(noise.between(*table.row(before.winner), *table.row(noisy)).half_width(1), 0.2);
}

// The best of the first rung is still running on the second: the second does not decide.
TEST(Decide, WhoLedIsNotPassedByForBeingSlow) {
    const auto& proposal = text_proposal();
    const auto all = ids_of(proposal);
    const std::string leader = all[3];
    const PlayedRace played{[&](const Candidate& c) { return c.id == leader ? 1.5 : 2.0; }, 0.001, 0.0, 2};
    Race race;
    play_rung(race, proposal, all, 0, played);
    play_rung(race, proposal, {all[0], all[1]}, 1, played);
    race.survivors[0] = {all[0], all[1], leader};
    race.complete = true;
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_EQ(decision.winner, leader);
    EXPECT_THAT(decision.notes, Contains(HasSubstr("Rung 1 decides: on rung 2 the time was over before " +
                                                   find_candidate(proposal, leader)->label)));
    RaceEntry failed;
    failed.candidate = leader;
    failed.rung = 1;
    failed.state = EntryState::failed;
    race.entries.push_back(failed);
    EXPECT_NE(decided(text_look(), proposal, race).winner, leader);
}

// The leader itself is the only one that is done there: then it is not said to be missing.
TEST(Decide, OneAloneOnARungDoesNotDecideAndIsSaidToBeAlone) {
    const auto& proposal = text_proposal();
    const PlayedRace played{bowl(1.5, 0.1), 0.001, 0.0, 2};
    Race race;
    play_rung(race, proposal, ids_of(proposal), 0, played);
    const std::string leader = decided(text_look(), proposal, race).best;
    play_rung(race, proposal, {leader}, 1, played);
    race.complete = true;
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_EQ(decision.rung, 0);
    EXPECT_THAT(decision.notes, Contains("Rung 1 decides: on rung 2 only one network was done."));
}

TEST(Decide, AccuracyIsBetterWhenItIsHigher) {
    auto look = hops_look();
    look.inputs[0].tokens = 32;
    const Proposal proposal = proposal_for(look, 60'000);
    const Race race =
        play(proposal, {[](const auto& c) { return c.depth >= 5 ? 0.95 : 0.3; }, 0.01, 0.01, 4});
    const Decision decision = decided(look, proposal, race);
    EXPECT_GE(find_candidate(proposal, decision.winner)->depth, 5);
    EXPECT_TRUE(decision.depth_matters);
    EXPECT_THAT(decision.depth_sentence, StartsWith("Depth matters: "));
    EXPECT_THAT(decision.sentence, HasSubstr("% accuracy"));
}

TEST(Decide, RivalsAreMeasuredAtTheHighestRungThatBothRan) {
    const auto& proposal = text_proposal();
    const PlayedRace played{bowl(1.5, 0.05), 0.002};
    Race race = play(proposal, played);
    std::vector<std::string> ours;
    for (const auto& c : proposal.candidates)
        if (!c.is_rival() && c.depth_over_line() > 0.9 && c.depth_over_line() < 2.5) ours.push_back(c.id);
    play_rung(race, proposal, ours, 1, played);
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_EQ(decision.rung, 1);
    ASSERT_EQ(decision.rivals.size(), 3U);
    EXPECT_EQ(decision.rivals[0].rival, "nanochat");
    EXPECT_EQ(decision.rivals[0].rung, 0);
    EXPECT_GT(decision.rivals[0].difference, decision.rivals[0].half_width);
    EXPECT_EQ(decision.rivals[0].verdict, report::Outcome::as_predicted);
}

TEST(Decide, ARivalThatIsBetterIsSaidToBe) {
    const auto& proposal = text_proposal();
    const Race race = play(proposal, {[](const auto& c) { return c.is_rival() ? 1.9 : 2.0; }, 0.003});
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_TRUE(find_candidate(proposal, decision.winner)->is_rival());
}

TEST(Decide, TheoryIsJudgedBothWays) {
    const auto& proposal = text_proposal();
    const auto verdict = [&](double first, double others) {
        const Race race = play(
            proposal, {[&](const auto& c) { return c.theory_score == 1 ? first : others; }, 0.003, 0.01, 4});
        return decided(text_look(), proposal, race).theory_verdict;
    };
    EXPECT_THAT(verdict(1.9, 2.0), StartsWith("as predicted: "));
    EXPECT_THAT(verdict(2.0, 1.9), StartsWith("against the prediction: "));
    EXPECT_THAT(verdict(2.0, 2.0), StartsWith("inside the noise: "));
    EXPECT_THAT(verdict(2.012, 2.0), StartsWith("too small to matter: "));
}

TEST(Decide, DepthDoesNotMatterWhereItMakesNoDifference) {
    const auto& proposal = text_proposal();
    const Race race = play(proposal, {[](const auto&) { return 2.0; }, 0.004, 0.02, 4});
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_FALSE(decision.depth_matters);
    EXPECT_THAT(decision.depth_sentence, StartsWith("Depth does not matter here: "));
}

// Words in random order: one layer cannot spell, the others can.
TEST(Decide, DepthDoesNotMatterBeyondAFewLayers) {
    const auto& proposal = text_proposal();
    const Race shallow =
        play(proposal, {[](const auto& c) { return c.depth < 2 ? 2.3 : 2.0; }, 0.004, 0.02, 4});
    const Decision decision = decided(text_look(), proposal, shallow);
    EXPECT_FALSE(decision.depth_matters);
    EXPECT_THAT(decision.depth_sentence, StartsWith("Depth does not matter here from 2 to "));
    EXPECT_THAT(decision.depth_sentence, HasSubstr("; the worst depth, 1, loses 0.298 +- "));
    const Race deep = play(proposal, {[](const auto& c) { return c.depth < 8 ? 2.3 : 2.0; }, 0.004, 0.02, 4});
    EXPECT_TRUE(decided(text_look(), proposal, deep).depth_matters);
}

TEST(Decide, DepthDoesNotMatterWhereNothingDependsOnAnything) {
    DataLook look = text_look();
    look.dependence.by_distance = {{1, 0.0001, 0.001}};
    const auto& proposal = text_proposal();
    // Deep shapes are a little slower to learn the frequencies: a difference, but not one that matters.
    const Race race = play(proposal, {[](const auto& c) { return 4.5 + 0.002 * std::sqrt(c.depth); }, 1e-4});
    const Decision decision = decided(look, proposal, race);
    EXPECT_FALSE(decision.depth_matters);
    EXPECT_THAT(decision.depth_sentence, HasSubstr("no shape (1 to "));
    look.dependence.reach = 8;
    EXPECT_THAT(decided(look, proposal, race).depth_sentence, HasSubstr("the race is too short"));
}

TEST(Decide, NoisyRacesDoNotClaimThatDepthDoesNotMatter) {
    const auto& proposal = text_proposal();
    const Race race = play(proposal, {[](const auto&) { return 2.0; }, 0.3, 0.1, 2});
    EXPECT_THAT(decided(text_look(), proposal, race).depth_sentence,
                HasSubstr("Whether depth matters the race cannot tell"));
}

// Networks that all give one constant answer have the same accuracy with every seed: that is no certainty.
TEST(Decide, SeedsThatAgreeExactlyLeaveTheErrorOfTheExamples) {
    const DataLook look = hops_look();
    const Proposal proposal = proposal_for(look, 60'000);
    Race race = play(proposal,
                     {[](const auto& c) { return 0.5 + 0.001 * static_cast<double>(c.depth % 3); }, 0, 0, 3});
    for (auto& entry : race.entries) entry.value_half_width = 0.03;
    const Decision decision = decided(look, proposal, race);
    EXPECT_TRUE(decision.tie);
    EXPECT_GE(decision.margin_half_width, 0.03);
}

TEST(Decide, OneSeedTakesTheBestAndSaysThatTheNoiseIsNotKnown) {
    const auto& proposal = text_proposal();
    const Race race = play(proposal, {bowl(1.5, 0.05), 0.001, 0.0, 1});
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_EQ(decision.winner, decision.best);
    EXPECT_TRUE(decision.tie);
    EXPECT_THAT(decision.certainty, HasSubstr("not known"));
    EXPECT_FALSE(decision.tenfold.known);
    EXPECT_THAT(decision.tenfold.sentence, HasSubstr("the rung that decided has one seed"));
    const auto back = decision_from_json(to_json(decision));
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_EQ(*back, decision);
}

TEST(Decide, TenTimesTheBudgetKeepsTheRacesOwnRatio) {
    const auto& proposal = text_proposal();
    const Race race = play(proposal, {bowl(1.5, 0.1), 0.001, 0.01, 4});
    const Decision decision = decided(text_look(), proposal, race);
    ASSERT_TRUE(decision.tenfold.known) << decision.tenfold.sentence;
    EXPECT_LE(decision.tenfold.depth_low, decision.tenfold.depth);
    EXPECT_GE(decision.tenfold.depth_high, decision.tenfold.depth);
    const Proposal larger = proposal_for(text_look(), 1'000'000);
    EXPECT_NEAR(static_cast<double>(decision.tenfold.depth),
                1.5 * find_candidate(larger, larger.favourite)->line, 2);
    const Race deep = play(proposal, {bowl(16, 0.1), 0.001, 0.01, 4});
    const Decision open = decided(text_look(), proposal, deep);
    EXPECT_FALSE(open.tenfold.known);
    EXPECT_THAT(open.tenfold.sentence, HasSubstr("deeper shapes than those that raced may be better"));
}

TEST(Decide, WhatToChangeFirst) {
    const Proposal& proposal = text_proposal();
    std::vector<std::string> trials;
    for (const auto& network : proposal.trials->networks) trials.push_back(network.id);
    const auto first = [&](const std::string& best, double value) {
        const PlayedRace played{[&](const auto& c) { return c.input.name == best ? value : 2.0; }, 0.003,
                                0.01, 4};
        Race race;
        play_rung(race, proposal, trials, input_rung, played);
        play_rung(race, proposal, ids_of(proposal), 2, played);
        race.plan.rungs = 3;
        race.plan.wanted_steps = 500;
        race.complete = true;
        return decided(text_look(), proposal, race).change_first;
    };
    const std::string ours = find_candidate(proposal, proposal.favourite)->input.name;
    EXPECT_THAT(first(ours, 1.8), StartsWith(fmt::format("Keep {}: ", ours)));
    EXPECT_THAT(first("bpe-2000", 1.8), StartsWith("First cut the data otherwise: bpe-2000 beats "));
    EXPECT_THAT(first("bpe-2000", 2.0), HasSubstr("inside the noise, at 4 layers on either and half the"));
    const DataLook narrow = narrow_look();
    const Proposal wide = proposal_for(narrow, 3'000'000);
    const Race race = play(wide, {[](const auto& c) { return c.width > 200 ? 2.0 : 2.2; }, 0.003});
    EXPECT_THAT(decided(narrow, wide, race).change_first, StartsWith("First give the input more rank: "));
}

TEST(Decide, TheVocabularyBottleneckIsNoted) {
    const DataLook narrow = narrow_look();
    const Proposal wide = proposal_for(narrow, 3'000'000);
    const Race race =
        play(wide, {[](const auto& c) { return 2 + 0.001 * static_cast<double>(c.width); }, 0.003, 0.01, 4});
    EXPECT_THAT(decided(narrow, wide, race).notes,
                Contains(::testing::AllOf(StartsWith("Vocabulary bottleneck: "), HasSubstr("64 dimensions"),
                                          HasSubstr(": as predicted."))));
}

TEST(Decide, FailedRunsDoNotCountAndAreNoted) {
    const auto& proposal = text_proposal();
    Race race = play(proposal, {bowl(1.5, 0.05), 0.002});
    const std::string best = decided(text_look(), proposal, race).best;
    for (auto& entry : race.entries) {
        if (entry.candidate != best || entry.seed != 2) continue;
        entry.state = EntryState::failed;
        entry.value = std::numeric_limits<double>::quiet_NaN();
    }
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_NE(decision.winner, best);
    EXPECT_THAT(decision.notes, Contains(HasSubstr("1 of its runs on rung 1 failed")));
}

TEST(Decide, AnUnfinishedRaceHasAnAnswer) {
    const auto& proposal = text_proposal();
    Race race = play(proposal, {bowl(1.5, 0.05), 0.002});
    race.complete = false;
    // One run of the next rung is done: nothing to compare it with yet.
    RaceEntry ahead = race.entries.front();
    ahead.rung = 1;
    ahead.value = 1.0;
    race.entries.push_back(ahead);
    const Decision decision = decided(text_look(), proposal, race);
    EXPECT_EQ(decision.rung, 0);
    EXPECT_THAT(decision.notes, Contains(HasSubstr("The race is not finished")));
    const auto none = decide({}, text_look(), proposal, Race{});
    EXPECT_EQ(none.error().text(), "race: no run has finished yet; give it more time");
}

TEST(Decide, TheRateWithTheMostSeedsCounts) {
    const auto& proposal = text_proposal();
    Race race = play(proposal, {bowl(1.5, 0.05), 0.002});
    const Decision before = decided(text_look(), proposal, race);
    // A rate that one seed tried in the search, lucky.
    RaceEntry lucky = race.entries.back();
    ASSERT_NE(lucky.candidate, before.winner);
    lucky.rate = 3e-3;
    lucky.value = 1.0;
    race.entries.push_back(lucky);
    EXPECT_EQ(decided(text_look(), proposal, race), before);
}

TEST(Decide, JsonIsExact) {
    const auto& proposal = text_proposal();
    const Race race = play(proposal, {bowl(1.5, 0.02), 0.01});
    const auto race_back = race_from_json(*parse_json(to_json(race).dump(), "test"));
    ASSERT_TRUE(race_back.ok()) << race_back.error().text();
    EXPECT_EQ(*race_back, race);
    const Decision decision = decided(text_look(), proposal, race);
    const auto back = decision_from_json(*parse_json(to_json(decision).dump(), "test"));
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_EQ(*back, decision);
    Json broken = to_json(decision);
    broken["rivals"][0]["rung"] = 1.5;
    EXPECT_EQ(decision_from_json(broken).error().text(), "decision.rivals[0].rung: is not a whole number");
}

}  // namespace
}  // namespace plimsoll::fit

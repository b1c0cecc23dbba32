#include "plimsoll/fit/race/race_budget.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/fit/race/race_entries.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/fit/race/scout.h"
#include "plimsoll/lab/sweep/work.h"
#include "tests/fit/races.h"

namespace plimsoll::fit {
namespace {

// The stages of a race of `runs` runs in the search, then `table`, all at one pace.
std::vector<Stage> stages(std::size_t search, std::size_t table, double pace = 1) {
    return {{std::vector<double>(search, pace), search_length}, {std::vector<double>(table, pace), 1}};
}

const std::vector<std::pair<DataLook, std::int64_t>>& sets() {
    static const std::vector<std::pair<DataLook, std::int64_t>> all{
        {text_look(), 100'000}, {hops_look(), 60'000}, {image_look(), 120'000}, {narrow_look(), 300'000}};
    return all;
}

TEST(RaceBudget, FlopsOfAllRunsAreTheBudget) {
    const Purse purse{.left = 1e13};
    const double flops = run_flops(purse, stages(6, 24));
    EXPECT_DOUBLE_EQ(flops * (6 * search_length + 24), 1e13);
    EXPECT_DOUBLE_EQ(needed(purse, stages(6, 24), flops), 1e13);
}

// Played by the clock: every stage as runs that free workers take.
TEST(RaceBudget, SecondsOfAllRunsAreTheWorkersTime) {
    for (const int workers : {1, 2, 5, 12, 40}) {
        const Purse purse{true, 300, workers, 0.7};
        const auto all = stages(6, 24, 3e-11);
        const double flops = run_flops(purse, all);
        double seconds = 0;
        for (const auto& stage : all) {
            const double one = 0.7 + flops * stage.length * 3e-11;
            seconds += last_done(std::vector<double>(stage.paces.size(), one), workers);
        }
        EXPECT_NEAR(seconds, 300, 1e-6) << workers;
        EXPECT_NEAR(needed(purse, all, flops), 300, 1e-6);
    }
}

TEST(RaceBudget, WhoIsSlowDecidesHowLongTheRunsAre) {
    EXPECT_EQ(last_done({5, 5, 5}, 2), 10);
    EXPECT_EQ(last_done({4, 1, 1, 1, 1}, 2), 4);
    EXPECT_EQ(last_done({1, 1, 1, 1, 4}, 2), 6);
    const std::vector<Stage> one{{{4e-11, 1e-11, 1e-11, 4e-11, 1e-11, 1e-11}, 1}};
    const double flops = run_flops({true, 100, 4, 2}, one);
    std::vector<double> seconds;
    for (const double pace : one.front().paces) seconds.push_back(2 + flops * pace);
    EXPECT_NEAR(last_done(seconds, 4), 100, 1e-6);
}

TEST(RaceBudget, TimeThatIsGoneWithTheStartsPaysForNothing) {
    EXPECT_EQ(run_flops({true, 3, 1, 0.7}, stages(6, 24, 3e-11)), 0);
}

TEST(RaceBudget, RivalsAndTheFavouriteAlwaysRaceAndTheOrderIsTheProposals) {
    const Proposal proposal = proposal_for(text_look(), 100'000);
    const auto always = always_raced(proposal);
    EXPECT_THAT(always, ::testing::Contains(proposal.favourite));
    const auto all = everybody(proposal);
    for (std::size_t networks = always.size(); networks <= all.size(); ++networks) {
        const auto who = chosen(proposal, networks);
        EXPECT_EQ(who.size(), networks);
        EXPECT_THAT(who, ::testing::IsSupersetOf(always));
        EXPECT_TRUE(
            std::ranges::is_sorted(who, {}, [&](const auto& id) { return std::ranges::find(all, id); }));
    }
}

TEST(RaceBudget, TheBatchLeavesTheStepsThatAreWanted) {
    for (const auto& [look, budget] : sets()) {
        const Proposal proposal = proposal_for(look, budget);
        const auto who = everybody(proposal);
        const double least = flops_for_steps(look, proposal, who, wanted_steps(false), least_batch);
        for (const double times : {1.3, 5.0, 100.0}) {
            const std::int64_t batch = batch_for({}, look, proposal, who, times * least);
            EXPECT_EQ(std::popcount(static_cast<std::uint64_t>(batch)), 1);
            for (const auto& candidate : proposal.candidates) {
                const double step = flops_per_example(look, candidate) * static_cast<double>(batch);
                EXPECT_GE(times * least / step, static_cast<double>(wanted_steps(false))) << candidate.label;
            }
        }
        EXPECT_EQ(batch_for({}, look, proposal, who, least / 10), 4) << "the smallest";
    }
}

TEST(Scouts, AreOneOfEachFamilyOnTheInputThatItIsSpreadOn) {
    for (const auto& [look, budget] : sets()) {
        const Proposal proposal = proposal_for(look, budget);
        std::set<std::string> families;
        for (const auto& candidate : proposal.candidates) families.insert(candidate.family);
        EXPECT_EQ(scouts(proposal).size(), families.size());
        for (const auto& family : families) {
            const Candidate& scout = *scout_of(proposal, family);
            EXPECT_EQ(scout.family, family);
            for (const auto& other : proposal.candidates) {
                if (other.family != family || other.input.name != scout.input.name) continue;
                const auto off = [](const Candidate& c) { return std::abs(std::log2(real(c.depth) / 4)); };
                EXPECT_LE(off(scout), off(other));
            }
        }
    }
    EXPECT_EQ(scout_of(proposal_for(text_look(), 100'000), "mixer"), nullptr);
}

// The same rate for all: the base shape is written into every config.
TEST(RunSettings, TheRateOfTheScoutIsCarriedByTheParameterisation) {
    const DataLook look = image_look();
    const Proposal proposal = proposal_for(look, 120'000);
    for (const auto& candidate : proposal.candidates) {
        const Candidate* scout = scout_of(proposal, candidate.family);
        RunLength length{1e11, 1e-3, 8, 1, false, 0, scout};
        const auto config = run_config({}, look, candidate, length);
        ASSERT_TRUE(config.ok()) << config.error().text();
        EXPECT_EQ(config->model.parameterization, run::Parameterization::completep);
        EXPECT_EQ(config->model.base_width, scout->width);
        EXPECT_EQ(config->model.base_depth, scout->depth);
        EXPECT_EQ(config->optimizer.lr, 1e-3);
        length.base = nullptr;
        EXPECT_EQ(run_config({}, look, candidate, length)->model.parameterization,
                  run::Parameterization::standard);
    }
}

TEST(RunSettings, FlopsOfAStepAreThoseOfTheLabForEveryCandidate) {
    for (const auto& [look, budget] : sets()) {
        for (const auto& candidate : proposal_for(look, budget).candidates) {
            const auto config = run_config({}, look, candidate, {1e11, 1e-3, 8, 1, false});
            ASSERT_TRUE(config.ok()) << config.error().text();
            const double flops = flops_per_example(look, candidate) * 8;
            EXPECT_NEAR(lab::work_of(*config)->flops_per_step, flops, 1e-9 * flops) << candidate.label;
        }
    }
}

TEST(RunSettings, CandidatesOfARungTrainWithTheSameFlops) {
    for (const auto& [look, budget] : sets()) {
        const Proposal proposal = proposal_for(look, budget);
        const double flops = flops_for_steps(look, proposal, ids_of(proposal), 2000, least_batch);
        const std::int64_t batch = batch_for({}, look, proposal, ids_of(proposal), flops);
        for (const auto& candidate : proposal.candidates) {
            const auto config = run_config({}, look, candidate, {flops, 1e-3, batch, 1, true});
            ASSERT_TRUE(config.ok()) << config.error().text();
            // Whole steps: half of one may be missing or too much.
            const double step = lab::work_of(*config)->flops_per_step;
            EXPECT_NEAR(*lab::work_of(*config)->flops(), flops, step) << candidate.label;
            EXPECT_GE(config->train.steps, least_steps);
        }
    }
}

TEST(RunSettings, AllCandidatesAreJudgedByEquallyManyExamples) {
    for (const auto& [look, budget] : sets()) {
        const Proposal proposal = proposal_for(look, budget);
        for (const double times : {1.0, 30.0, 1000.0}) {
            const double flops =
                times * flops_for_steps(look, proposal, ids_of(proposal), least_steps, least_batch);
            const std::int64_t evaluated = evaluated_examples(look, proposal, ids_of(proposal), flops, true);
            std::set<std::int64_t> batches;
            for (const auto& candidate : proposal.candidates)
                batches.insert(run_config({}, look, candidate, {flops, 1e-3, 8, 1, true, evaluated})
                                   ->train.eval_batches);
            EXPECT_EQ(batches.size(), 1U) << look.data << " " << times;
        }
    }
}

TEST(RunSettings, EvaluatingCostsAtMostItsShareOrIsTheLeastThatSaysSomething) {
    const DataLook look = image_look();
    const Proposal proposal = proposal_for(look, 120'000);
    for (const double flops : {1e10, 1e12, 1e14}) {
        const auto evaluated =
            static_cast<double>(evaluated_examples(look, proposal, ids_of(proposal), flops, true));
        if (evaluated == 0) continue;
        for (const auto& candidate : proposal.candidates) {
            const double trained = flops / flops_per_example(look, candidate);
            EXPECT_LE(4 * evaluated / 3, std::max(evaluation_share * trained + 1, 4 * 512.0 / 3));
        }
    }
    EXPECT_EQ(evaluated_examples(look, proposal, ids_of(proposal), 1e15, true), 0);
}

TEST(RunSettings, OnlyThoseWhoRunDecideHowManyExamplesAreJudgedBy) {
    const DataLook look = image_look();
    const Proposal proposal = proposal_for(look, 120'000);
    const auto cost = [&](const Candidate& candidate) { return flops_per_example(look, candidate); };
    const auto cheapest = std::ranges::min_element(proposal.candidates, {}, cost);
    const auto dearest = std::ranges::max_element(proposal.candidates, {}, cost);
    const double flops = 3000 * cost(*dearest);
    const auto alone = evaluated_examples(look, proposal, {cheapest->id}, flops, false);
    const auto both = evaluated_examples(look, proposal, {cheapest->id, dearest->id}, flops, false);
    EXPECT_NEAR(static_cast<double>(alone) / static_cast<double>(both), cost(*dearest) / cost(*cheapest),
                0.01);  // whole examples of a thousand
}

TEST(RaceEntries, TheBestValueOfEachCandidateStandsFirst) {
    Race race;
    const auto add = [&](const char* id, double rate, double value, EntryState state) {
        RaceEntry entry;
        entry.candidate = id;
        entry.run = fmt::format("{}{}", id, rate);
        entry.rate = rate;
        entry.value = value;
        entry.state = state;
        add_entry(race, entry);
    };
    add("a", 1, 2.0, EntryState::done);
    add("a", 2, 1.5, EntryState::done);
    add("b", 1, 1.0, EntryState::failed);
    add("b", 2, 1.8, EntryState::done);
    add("a", 2, 1.5, EntryState::done);  // known already
    EXPECT_EQ(race.entries.size(), 4U);
    const auto low = rung_values(race, 0, Goal::bits_per_byte);
    ASSERT_EQ(low.size(), 2U);
    EXPECT_EQ(low[0].candidate, "a");
    EXPECT_EQ(low[0].rate, 2);
    EXPECT_EQ(rung_values(race, 0, Goal::accuracy)[0].value, 2.0);
    EXPECT_TRUE(rung_values(race, 1, Goal::accuracy).empty());
}

TEST(RaceEntries, MeansAreOfTheRatesWithTheMostSeeds) {
    Race race;
    const auto add = [&](const char* id, double rate, std::int64_t seed, double value) {
        RaceEntry entry;
        entry.candidate = id;
        entry.run = fmt::format("{}{}{}", id, rate, seed);
        entry.rate = rate;
        entry.seed = seed;
        entry.value = value;
        entry.state = EntryState::done;
        add_entry(race, entry);
    };
    add("a", 1, 1, 2.0);
    add("a", 1, 2, 1.0);
    add("b", 1, 1, 1.3);
    add("b", 1, 2, 1.5);
    add("a", 2, 1, 0.1);  // one seed says less than two
    const auto means = mean_rung_values(race, 0, Goal::bits_per_byte);
    ASSERT_EQ(means.size(), 2U);
    EXPECT_EQ(means[0].candidate, "b");
    EXPECT_DOUBLE_EQ(means[0].value, 1.4);
    EXPECT_DOUBLE_EQ(means[1].value, 1.5);
    EXPECT_EQ(mean_rung_values(race, 0, Goal::accuracy)[0].candidate, "a");
}

}  // namespace
}  // namespace plimsoll::fit

#include "plimsoll/fit/race/race_budget.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/race/race_entries.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/lab/sweep/work.h"
#include "tests/fit/races.h"

namespace plimsoll::fit {
namespace {

double runs_of(const RungShape& rung) { return static_cast<double>(rung.networks) * rung.runs_each; }

std::vector<RungShape> rungs_for(const Proposal& proposal) {
    return rungs_of(proposal.candidates.size(), kept_to_the_end(proposal).size());
}

const std::vector<std::pair<DataLook, std::int64_t>>& sets() {
    static const std::vector<std::pair<DataLook, std::int64_t>> all{
        {text_look(), 100'000}, {hops_look(), 60'000}, {image_look(), 120'000}, {narrow_look(), 300'000}};
    return all;
}

TEST(RaceBudget, FlopsOfAllRunsAreTheBudget) {
    for (const auto& [look, budget] : sets()) {
        const Proposal proposal = proposal_for(look, budget);
        const auto rungs = rungs_for(proposal);
        Purse purse;
        purse.left = 1e13;
        for (std::size_t rung = 0; rung < rungs.size(); ++rung)
            purse.left -= runs_of(rungs[rung]) * run_flops(purse, rungs, rung);
        EXPECT_NEAR(purse.left, 0, 1) << look.data;
    }
}

TEST(RaceBudget, SecondsOfAllRunsAreTheWorkersTime) {
    const Proposal proposal = proposal_for(text_look(), 100'000);
    const auto rungs = rungs_for(proposal);
    const Purse purse{true, 300, 2, 0.7, 3e-11};
    const double first = run_flops(purse, rungs, 0);
    double seconds = 0;
    for (const auto& rung : rungs)
        seconds += runs_of(rung) * (purse.start_seconds + first * rung.length * purse.seconds_per_flop);
    EXPECT_LE(seconds / purse.workers, purse.left);
    EXPECT_GE(seconds / purse.workers, 0.85 * purse.left);  // an end of each rung is waited for
    EXPECT_NEAR(needed(purse, rungs, first), purse.left, 1e-6 * purse.left);
}

// Played by the clock: every rung as runs of one length that free workers take.
TEST(RaceBudget, WithManyWorkersTheTimeIsKeptToo) {
    const auto rungs = rungs_for(proposal_for(text_look(), 100'000));
    for (const int workers : {1, 2, 5, 12, 40}) {
        const Purse purse{true, 300, workers, 0.7, 3e-11};
        const double first = run_flops(purse, rungs, 0);
        double seconds = 0;
        for (const auto& rung : rungs) {
            const double one = purse.start_seconds + first * rung.length * purse.seconds_per_flop;
            const auto runs = static_cast<std::size_t>(std::ceil(runs_of(rung)));
            seconds += last_done(std::vector<double>(runs, one), workers);
        }
        EXPECT_LE(seconds, 1.01 * purse.left) << workers;  // runs of the mean search are not whole
    }
}

TEST(RaceBudget, WhoIsSlowDecidesHowLongTheRunsOfARungAre) {
    EXPECT_EQ(last_done({5, 5, 5}, 2), 10);
    EXPECT_EQ(last_done({4, 1, 1, 1, 1}, 2), 4);
    EXPECT_EQ(last_done({1, 1, 1, 1, 4}, 2), 6);
    const std::vector<RungShape> one{{3, 2, 1}};
    const Purse purse{true, 100, 4, 2, 2e-11};
    const std::vector<double> paces{4e-11, 1e-11, 1e-11, 4e-11, 1e-11, 1e-11};
    const double flops = run_flops(purse, one, 0, paces);
    std::vector<double> seconds;
    for (const double pace : paces) seconds.push_back(2 + flops * pace);
    EXPECT_NEAR(last_done(seconds, 4), 100, 1e-6);
    // Runs that are alike: the two ways to one number.
    const double alike = run_flops(purse, one, 0, std::vector<double>(6, 2e-11));
    EXPECT_NEAR(alike, run_flops(purse, one, 0), 1e-6 * alike);
}

TEST(RaceBudget, LaterRungsHaveFewerNetworksAndLongerRuns) {
    for (const auto& [look, budget] : sets()) {
        const auto rungs = rungs_for(proposal_for(look, budget));
        for (std::size_t i = 1; i < rungs.size(); ++i) {
            EXPECT_LE(rungs[i].networks, rungs[i - 1].networks);
            EXPECT_GE(rungs[i].length, 3 * rungs[i - 1].length);
        }
        EXPECT_GE(rungs.back().runs_each, 3);
    }
}

TEST(RaceBudget, RivalsAndTheFavouriteStay) {
    const Proposal proposal = proposal_for(text_look(), 100'000);
    const auto kept = kept_to_the_end(proposal);
    EXPECT_THAT(kept, ::testing::Contains(proposal.favourite));
    for (const auto& candidate : proposal.candidates) {
        if (candidate.is_rival()) {
            EXPECT_THAT(kept, ::testing::Contains(candidate.id));
        }
    }
}

TEST(RaceBudget, ASmallerPurseHasFewerNetworksAndNeverFewerThanThoseWhoStay) {
    const Proposal proposal = proposal_for(text_look(), 100'000);
    const auto kept = kept_to_the_end(proposal);
    const double least = 1e10;
    std::size_t before = 0;
    for (double flops = 1e11; flops < 1e14; flops *= 1.2) {
        Purse purse;
        purse.left = flops;
        const auto who = affordable(proposal, purse, least);
        EXPECT_GE(who.size(), before);
        before = who.size();
        if (who.empty()) continue;
        EXPECT_THAT(who, ::testing::IsSupersetOf(kept));
        EXPECT_GE(run_flops(purse, rungs_of(who.size(), kept.size()), 0), least);
    }
    EXPECT_EQ(before, proposal.candidates.size());
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
        const double flops = 100 * least_flops(look, proposal);
        const std::int64_t batch = batch_for({}, look, proposal, flops);
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
            const double flops = times * least_flops(look, proposal);
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
    const auto add = [&](const char* id, double rate, double value, const char* state) {
        RaceEntry entry;
        entry.candidate = id;
        entry.run = fmt::format("{}{}", id, rate);
        entry.rate = rate;
        entry.value = value;
        entry.state = state;
        add_entry(race, entry);
    };
    add("a", 1, 2.0, "done");
    add("a", 2, 1.5, "done");
    add("b", 1, 1.0, "failed");
    add("b", 2, 1.8, "done");
    add("a", 2, 1.5, "done");  // known already
    EXPECT_EQ(race.entries.size(), 4U);
    const auto low = standings(race, 0, Goal::bits_per_byte);
    ASSERT_EQ(low.size(), 2U);
    EXPECT_EQ(low[0].candidate, "a");
    EXPECT_EQ(low[0].rate, 2);
    EXPECT_EQ(standings(race, 0, Goal::accuracy)[0].value, 2.0);
    EXPECT_TRUE(standings(race, 1, Goal::accuracy).empty());
}

}  // namespace
}  // namespace plimsoll::fit

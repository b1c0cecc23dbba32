#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/fit_folders.h"
#include "plimsoll/fit/race/input_choice.h"
#include "plimsoll/fit/race/race_plan.h"
#include "plimsoll/fit/race/run_race.h"
#include "plimsoll/fit/race/scout.h"
#include "tests/fit/race_trial.h"

namespace plimsoll::fit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// Of the race of a trial, whichever input it was settled on.
Proposal settled_of(const Trial& trial, const Race& race) {
    return std::move(proposal_of(trial.request.out, trial.proposal, race)).value();
}

// Runs on one vocabulary are better by 0.3 than all others.
std::function<std::optional<double>(const std::string&, const lab::Job&)> better_on(const Trial& trial,
                                                                                    std::int64_t vocab) {
    return [usual = trial.trainer.value, vocab](const std::string& id, const lab::Job& job) {
        const auto& net = std::get<arch::TransformerSpec>(job.config.model.spec);
        return std::optional(*usual(id, job) - (net.vocab == vocab ? 0.3 : 0));
    };
}

std::set<std::string> inputs_on(const Proposal& proposal, const std::vector<std::string>& who) {
    std::set<std::string> inputs;
    for (const auto& id : who) inputs.insert(find_candidate(proposal, id)->input.name);
    return inputs;
}

TEST(RaceInputs, TheInputIsChosenBeforeTheTableAndAllDepthsRaceOnIt) {
    for (const auto& [vocab, name] :
         {std::pair{257, "bytes"}, std::pair{500, "bpe-500"}, std::pair{2000, "bpe-2000"}}) {
        Trial trial(3e13, 300'000);
        trial.trainer.value = better_on(trial, vocab);
        const auto race = trial.go();
        ASSERT_TRUE(race.ok()) << race.error().text();
        ASSERT_EQ(race->plan.candidates.size(), 3U);
        const Proposal settled = settled_of(trial, *race);
        EXPECT_EQ(inputs_on(settled, race->plan.candidates[input_rung]).size(), 3U);
        EXPECT_THAT(inputs_on(settled, race->plan.candidates.back()), ::testing::ElementsAre(name));
        const Decision decision = decide(trial.request, trial.look, settled, *race).value();
        EXPECT_EQ(find_candidate(settled, decision.winner)->input.name, name);
        EXPECT_THAT(decision.change_first, ::testing::StartsWith(fmt::format("Keep {}: ", name)));
        EXPECT_THAT(decision.change_first, HasSubstr("layers on either and half the training"));
        for (const auto& lack : decision.shortfalls) EXPECT_NE(lack.shortage, Shortage::few_depths);
    }
}

// The rate was found on theory's input, and the base shape is written into every config.
TEST(RaceInputs, TheRateOfTheScoutServesWhateverInputIsChosen) {
    Trial trial(3e13, 300'000);
    trial.trainer.value = better_on(trial, 2000);
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    const Candidate& scout = *scout_of(trial.proposal, "transformer");
    for (const auto& entry : race->entries) {
        const auto config = run::read_run_config(trial.request.out / "runs" / entry.run / "config.toml");
        ASSERT_TRUE(config.ok()) << config.error().text();
        EXPECT_EQ(config->model.base_width, scout.width);
        EXPECT_EQ(config->model.base_depth, scout.depth);
    }
}

TEST(RaceInputs, StoppedAnywhereItChoosesTheSameInput) {
    Trial whole(5e12);
    whole.trainer.value = better_on(whole, 500);
    const auto expected = whole.go();
    ASSERT_TRUE(expected.ok());
    for (const std::size_t runs : {1UL, 5UL, 11UL}) {
        Trial trial(5e12);
        trial.trainer.value = better_on(trial, 500);
        Result<Race> race = Race();
        for (int call = 0; call < 100 && !race->complete; ++call) {
            trial.trainer.stop_after = trial.trainer.played + runs;
            race = trial.go();
            ASSERT_TRUE(race.ok()) << race.error().text();
        }
        EXPECT_EQ(trial.trainer.played, whole.trainer.played);
        EXPECT_EQ(race->entries, expected->entries);
        EXPECT_EQ(race->plan, expected->plan);
        EXPECT_EQ(to_json(settled_of(trial, *race)), to_json(settled_of(whole, *expected)));
    }
}

// Killed between the two files: what race.json does not know of does not count.
TEST(RaceInputs, ASettledProposalCountsOnlyOnceTheRaceSaysSo) {
    Trial whole(5e12), trial(5e12);
    whole.trainer.value = trial.trainer.value = better_on(whole, 500);
    const auto expected = whole.go();
    ASSERT_TRUE(expected.ok());
    trial.trainer.stop_after = 8;  // among the trials of the inputs
    const auto stopped = trial.go();
    ASSERT_TRUE(stopped.ok());
    EXPECT_FALSE(stopped->plan.settled.value_or(false));
    ASSERT_TRUE(atomic_write(FitFolders(trial.request.out).settled(), "{\"of another race\": 1}").ok());
    trial.trainer.stop_after = 1'000'000;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_EQ(race->entries, expected->entries);
}

// The runs of the search are among those of the inputs and are not trained twice, nor counted twice.
TEST(RaceInputs, TheScoutsRunServesTheInputsToo) {
    Trial trial(3e13);
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    std::set<std::string> runs;
    double flops = 0;
    for (const auto& entry : race->entries) flops += runs.insert(entry.run).second ? entry.flops : 0;
    EXPECT_EQ(runs.size(), trial.trainer.played);
    EXPECT_EQ(race->entries.size(), runs.size() + 1);
    EXPECT_NEAR(race->flops, flops, 1e-9 * flops);
}

// A search that took most of the budget: the depths race on theory's input, and it is said.
TEST(RaceInputs, ASearchThatLeftLittleLeavesNothingForTheInputs) {
    Trial trial(5e12);
    Race race;
    const lab::RunnerOptions runner;
    const RacePlanner planner(trial.request, trial.look, trial.proposal, runner, [] { return 0.0; });
    const auto forecast = planner.begin(race);
    ASSERT_TRUE(forecast.ok());
    EXPECT_EQ(forecast->input_seeds, 2);
    EXPECT_EQ(planner.seeds_for_inputs(race), 2);
    const double trials = 3 * race.plan.flops[input_rung];
    race.flops = *trial.request.flops - 2.5 * trials;
    EXPECT_EQ(planner.seeds_for_inputs(race), 1);
    race.flops = *trial.request.flops - trials;
    EXPECT_EQ(planner.seeds_for_inputs(race), 0);
    race.plan.input_seeds = 0;
    ASSERT_TRUE(atomic_write(FitFolders(trial.request.out).race(), to_json(race).dump()).ok());
    trial.trainer.value = better_on(trial, 500);
    const auto raced = trial.go();
    ASSERT_TRUE(raced.ok()) << raced.error().text();
    EXPECT_THAT(raced->notes, Contains(HasSubstr("Nothing was left of the budget to try other ways")));
    const std::string& theirs = find_candidate(trial.proposal, trial.proposal.favourite)->input.name;
    EXPECT_THAT(inputs_on(settled_of(trial, *raced), raced->plan.candidates.back()),
                ::testing::ElementsAre(theirs));
    EXPECT_TRUE(on_rung(*raced, input_rung).empty());
}

// At 20 K parameters theory prefers bpe-500, and bytes cost 3.7 times as much: at 6e11 FLOPs their trial is
// short.
TEST(RaceInputs, ATrialOfFewStepsIsSaidToBeShort) {
    Trial little(6e11, 20'000), enough(3e13, 20'000);
    const auto race = little.go(), longer = enough.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    ASSERT_TRUE(longer.ok()) << longer.error().text();
    EXPECT_THAT(race->notes, Contains(HasSubstr("Short trials on ")));
    EXPECT_THAT(longer->notes, ::testing::Not(Contains(HasSubstr("Short trials"))));
    for (const auto& entry : longer->entries)
        if (entry.rung == input_rung) EXPECT_GE(entry.steps, wanted_steps(false) / 2) << entry.candidate;
}

TEST(RaceInputs, WithoutAChoiceThereIsNoTrial) {
    Trial trial;
    trial.look = hops_look();
    trial.proposal = std::move(propose(trial.request, trial.look)).value();
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_EQ(race->plan.rungs, 2);
    EXPECT_FALSE(trial.proposal.trials.has_value());
    EXPECT_FALSE(std::filesystem::exists(FitFolders(trial.request.out).settled()));
}

TEST(RaceInputs, EveryFamilyHasItsOwnInput) {
    Trial trial(3e13, 150'000);
    trial.look = image_look();
    trial.proposal = std::move(propose(trial.request, trial.look)).value();
    trial.trainer.value = [](const std::string&, const lab::Job& job) -> std::optional<double> {
        const std::string spec = arch::to_text(job.config.model.spec);
        const bool mixer = spec.find("mixer") != std::string::npos;
        const bool fine = spec.find("patch=4") != std::string::npos;
        return 0.5 + (fine == mixer ? 0.2 : 0) + 1e-4 * static_cast<double>(job.config.seeds.init);
    };
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    const Proposal settled = settled_of(trial, *race);
    for (const auto& candidate : settled.candidates)
        EXPECT_EQ(candidate.input.name, candidate.family == "transformer" ? "patch 7" : "patch 4")
            << candidate.label;
}

}  // namespace
}  // namespace plimsoll::fit

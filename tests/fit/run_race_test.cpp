#include "plimsoll/fit/race/run_race.h"

#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/fit_folders.h"
#include "plimsoll/fit/race/input_choice.h"
#include "plimsoll/fit/race/race_budget.h"
#include "plimsoll/fit/race/race_entries.h"
#include "plimsoll/fit/race/race_pace.h"
#include "plimsoll/fit/race/race_plan.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/fit/race/scout.h"
#include "plimsoll/store/disk.h"
#include "tests/fit/races.h"
#include "tests/fit/timed_script.h"
#include "tests/lab/fake_trainer.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::fit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// Plays every run by a formula and writes the files that a real one leaves.
class PlayedTrainer {
  public:
    // The value of a run: its candidate's, its distance from the best rate, and less with more FLOPs.
    std::function<std::optional<double>(const std::string& id, const lab::Job&)> value =
        [](const std::string& id, const lab::Job& job) -> std::optional<double> {
        const double number = std::stod(id.substr(1));
        const double off = std::log10(job.config.optimizer.lr / 0.02);
        return 1 + 0.01 * number + 0.1 * off * off + 1e3 / std::sqrt(*job.work.flops()) +
               0.001 * static_cast<double>(job.config.seeds.init);
    };
    std::size_t stop_after = 1'000'000;  // so many runs, then it is asked to stop
    lab::StopCause cause = lab::StopCause::asked;
    std::size_t played = 0;
    std::string stuck;           // a candidate none of whose runs gets as far as a trace in its files
    bool first_fail = false;     // every run when it is begun for the first time, without a trace
    std::set<std::string> busy;  // those that did

    Result<lab::SweepOutcome> run(const lab::Plan& plan, const lab::RunnerOptions& options) {
        lab::SweepOutcome outcome;
        for (const auto& job : plan.jobs) {
            lab::JobOutcome one;
            one.id = job.id;
            one.state = lab::job_state(job, options.runs).phase == lab::JobPhase::done ? lab::JobResult::done
                                                                                       : play(job, options);
            if (one.state == lab::JobResult::failed)
                one.reason = busy.contains(job.id) ? "no device" : "it diverged";
            one.lasting = one.state == lab::JobResult::failed && !busy.contains(job.id);
            outcome.jobs.push_back(one);
        }
        outcome.complete = outcome.count(lab::JobResult::done) == plan.jobs.size();
        if (outcome.count(lab::JobResult::waiting) > 0) outcome.stopped = cause;
        return outcome;
    }

  private:
    lab::JobResult play(const lab::Job& job, const lab::RunnerOptions& options) {
        if (played >= stop_after) return lab::JobResult::waiting;
        ++played;
        if (job.config.name.substr(4) == stuck) {
            busy.insert(job.id);
            return lab::JobResult::failed;
        }
        if (first_fail && busy.insert(job.id).second) return lab::JobResult::failed;
        const auto folder = options.runs / job.id;
        EXPECT_TRUE(store::make_folders(folder).ok());
        const auto found = value(job.config.name.substr(4), job);
        const std::int64_t step = job.config.train.steps;
        write(folder / "config.toml", run::to_toml(job.config));
        if (found)
            write(folder / "metrics.jsonl",
                  fmt::format(
                      "{{\"step\": {0}, \"loss\": 1.5}}\n{{\"step\": {0}, \"validation\": {{\"loss\": {1}, "
                      "\"accuracy\": {1}, \"bits_per_byte\": {1}}}}}\n",
                      step, *found));
        write(folder / "state.json",
              fmt::format("{{\"phase\": \"{}\", \"step\": {}, \"reason\": \"{}\"}}",
                          found ? "done" : "failed", step, found ? "" : "it diverged"));
        return found ? lab::JobResult::done : lab::JobResult::failed;
    }

    static void write(const std::filesystem::path& file, const std::string& text) {
        EXPECT_TRUE(atomic_write(file, text).ok());
    }
};

// Made once for all races that ask for the same.
const Proposal& proposal_of(const FitRequest& request) {
    static std::map<std::pair<double, std::int64_t>, Proposal> made;
    const std::pair<double, std::int64_t> key{*request.flops, request.parameters};
    if (!made.contains(key)) made.emplace(key, propose(request, text_look()).value());
    return made.at(key);
}

// A race in a folder of its own.
struct Trial {
    testing::TempDir folder;
    DataLook look = text_look();
    FitRequest request;
    Proposal proposal;
    PlayedTrainer trainer;
    std::vector<RaceNews::Kind> news;
    std::filesystem::path program;
    int workers = 1;

    explicit Trial(double flops = 5e12, std::int64_t budget = 100'000) {
        request.flops = flops;
        request.out = folder.path();
        request.parameters = budget;
        proposal = proposal_of(request);
        EXPECT_TRUE(store::make_folders(FitFolders(request.out).steps()).ok());
    }

    Result<Race> go() {
        RaceOptions options;
        options.runner.program = program;
        options.runner.workers = workers;
        options.run = [this](const auto& plan, const auto& runner) { return trainer.run(plan, runner); };
        options.tell = [this](const RaceNews& one) {
            news.push_back(one.kind);
            EXPECT_GE(one.share_done, 0);
            EXPECT_LE(one.share_done, 1);
        };
        return run_race(request, look, proposal, options);
    }
};

std::set<std::string> on_rung(const Race& race, int rung) {
    std::set<std::string> ids;
    for (const auto& entry : race.entries)
        if (entry.rung == rung) ids.insert(entry.candidate);
    return ids;
}

// What is left pays for no other seed of everybody, and for the confirmation of one rate at most.
TEST(RunRace, SpendsItsFlopsToTheLastWholeSeed) {
    for (const double flops : {2e12, 5e12, 3e13}) {
        Trial trial(flops);
        const auto race = trial.go();
        ASSERT_TRUE(race.ok()) << race.error().text();
        EXPECT_TRUE(race->complete);
        const auto networks = static_cast<double>(race->plan.candidates.back().size());
        EXPECT_LE(race->flops, 1.02 * flops);  // whole steps
        EXPECT_GT(race->flops + networks * race->plan.flops.back(), flops);
        EXPECT_GT(race->flops, 0.85 * flops);
    }
}

TEST(RunRace, RunsOfTheSearchAreHalfAsLongAsThoseOfTheTable) {
    Trial trial;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    ASSERT_EQ(race->plan.flops.size(), 3U);
    EXPECT_EQ(race->plan.flops[rate_rung], race->plan.flops[input_rung]);
    EXPECT_NEAR(race->plan.flops[0] / race->plan.flops[2], 0.5, 0.05);  // the search took what it took
    for (const auto& entry : race->entries) {
        const double planned = race->plan.flops[static_cast<std::size_t>(entry.rung)];
        EXPECT_NEAR(entry.flops, planned, 0.05 * planned);  // whole steps
    }
}

TEST(RunRace, AllRaceToTheEndWithThreeSeedsAtTheRateThatTheScoutFound) {
    Trial trial(3e13);
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    EXPECT_THAT(on_rung(*race, rate_rung), ::testing::ElementsAreArray(scouts(trial.proposal)));
    EXPECT_EQ(on_rung(*race, table_rung_of(race->plan)).size(), trial.proposal.candidates.size());
    std::map<std::pair<std::string, double>, int> seeds;
    for (const auto& entry : race->entries)
        if (entry.rung == table_rung_of(race->plan)) ++seeds[{entry.candidate, entry.rate}];
    const Candidate& scout = *scout_of(trial.proposal, "transformer");
    double found = 0, off = INFINITY;  // of the five and more, the nearest to the best
    for (const auto& entry : race->entries) {
        const double away = std::abs(std::log(entry.rate / 0.02));
        if (entry.rung == rate_rung && away < off) found = entry.rate, off = away;
    }
    EXPECT_LE(off, std::log(2) / 2 + 0.01) << "from " << first_rate(scout);
    for (const auto& candidate : trial.proposal.candidates)
        EXPECT_EQ((seeds[{candidate.id, found}]), 3) << candidate.id;
}

// A family of which nobody races to the end needs no rate.
TEST(RunRace, RatesAreSearchedForThoseWhoRaceAlone) {
    Trial trial;
    trial.look = image_look();
    trial.request.parameters = 150'000;
    trial.proposal = std::move(propose(trial.request, trial.look)).value();
    bool few = false;
    for (const double flops : {2e11, 1e12, 3e14}) {
        trial.request.flops = flops;
        trial.request.out = trial.folder.path() / fmt::format("{}", flops);
        EXPECT_TRUE(store::make_folders(FitFolders(trial.request.out).steps()).ok());
        const auto race = trial.go();
        ASSERT_TRUE(race.ok()) << race.error().text();
        std::set<std::string> searched, raced;
        for (const auto& id : race->plan.candidates.front())
            searched.insert(find_candidate(trial.proposal, id)->family);
        for (const auto& id : race->plan.candidates.back())
            raced.insert(find_candidate(trial.proposal, id)->family);
        EXPECT_EQ(searched, raced) << flops;
        few = few || raced.size() < scouts(trial.proposal).size();
    }
    EXPECT_TRUE(few) << "all races had all families: the test tests nothing";
}

TEST(RunRace, TheRatesOfTheBestTwoAreCheckedOneStepToEitherSide) {
    Trial trial(3e13);
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    std::map<std::string, std::set<double>> rates;
    for (const auto& entry : race->entries)
        if (entry.rung == table_rung_of(race->plan)) rates[entry.candidate].insert(entry.rate);
    for (const auto& [id, tried] : rates) {
        const bool best = id == "c01" || id == "c02";  // by the formula
        EXPECT_EQ(tried.size(), best ? 3U : 1U) << id;
        EXPECT_NEAR(*tried.rbegin() / *tried.begin(), best ? 4 : 1, 0.05);
    }
}

// The scout wants another rate than the best networks: their checks find it, and with all seeds.
TEST(RunRace, ABetterRateOfTheBestIsConfirmedWithAllSeeds) {
    Trial trial(3e13);
    const auto usual = trial.trainer.value;
    trial.trainer.value = [&](const std::string& id, const lab::Job& job) -> std::optional<double> {
        const double wanted = job.config.train.eval_every > 0 ? 0.04 : 0.02;  // long runs want twice the rate
        const double off = std::log2(job.config.optimizer.lr / wanted);
        return *usual(id, job) + 0.05 * off * off;
    };
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    const auto means = mean_rung_values(*race, table_rung_of(race->plan), trial.look.goal);
    ASSERT_FALSE(means.empty());
    EXPECT_GT(means.front().rate, 0.025) << ::testing::PrintToString(race->notes);
}

// Stopped after every number of runs, and again, until it ends: the same race as one that nobody stopped.
TEST(RunRace, StoppedAnywhereItComesToTheSameEntriesAndTrainsNothingTwice) {
    Trial whole;
    const auto expected = whole.go();
    ASSERT_TRUE(expected.ok());
    for (const std::size_t runs : {1UL, 7UL, 20UL}) {
        Trial trial;
        Result<Race> race = Race();
        for (int call = 0; call < 100; ++call) {
            trial.trainer.stop_after = trial.trainer.played + runs;
            race = trial.go();
            ASSERT_TRUE(race.ok()) << race.error().text();
            if (race->complete) break;
        }
        ASSERT_TRUE(race->complete);
        EXPECT_EQ(trial.trainer.played, whole.trainer.played);
        EXPECT_EQ(race->entries, expected->entries);
        EXPECT_EQ(race->survivors, expected->survivors);
        EXPECT_EQ(race->plan, expected->plan);
    }
}

TEST(RunRace, OneThatIsDoneIsReadAndNothingIsRun) {
    Trial trial;
    const auto first = trial.go();
    ASSERT_TRUE(first.ok());
    const std::size_t played = trial.trainer.played;
    const auto second = trial.go();
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(*first, *second);
    EXPECT_EQ(trial.trainer.played, played);
}

TEST(RunRace, ANetworkThatAlwaysFailsHasNoValueAndTheOthersGoOn) {
    Trial trial;
    const auto good = trial.trainer.value;
    const std::string scout = scouts(trial.proposal).front();
    const auto& loser = *std::ranges::find_if(trial.proposal.candidates,
                                              [&](const auto& candidate) { return candidate.id != scout; });
    trial.trainer.value = [&](const std::string& id, const lab::Job& job) {
        return id == loser.id ? std::nullopt : good(id, job);
    };
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(race->complete);
    for (const auto& entry : race->entries) {
        EXPECT_EQ(entry.state, entry.candidate == loser.id ? EntryState::failed : EntryState::done);
    }
    EXPECT_THAT(race->notes, Contains(HasSubstr("failed: it diverged")));
}

TEST(RunRace, ARunThatFailsForNoFaultOfItsNetworkIsTriedOnceMore) {
    Trial trial, steady;
    trial.trainer.first_fail = true;
    const auto race = trial.go();
    const auto same = steady.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_EQ(race->entries, same->entries);
    EXPECT_EQ(race->notes, same->notes);
    EXPECT_EQ(trial.trainer.played, 2 * steady.trainer.played);
}

// A full disk or a busy device makes no loser: the race stops, and the same command ends it as if nothing had
// been.
TEST(RunRace, ARunThatCouldNotTrainStopsTheRaceAndIsTriedByTheNextCall) {
    Trial trial, steady;
    trial.trainer.stuck = trial.proposal.favourite;
    const auto stopped = trial.go();
    ASSERT_TRUE(stopped.ok()) << stopped.error().text();
    EXPECT_FALSE(stopped->complete);
    EXPECT_THAT(stopped->notes, Contains(HasSubstr("failed: no device")));
    trial.trainer.stuck.clear();
    const auto race = trial.go();
    const auto same = steady.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(race->complete);
    EXPECT_EQ(race->entries, same->entries);
    EXPECT_EQ(race->notes, same->notes);
}

TEST(RunRace, ARunThatDivergedIsNotTriedAgain) {
    Trial trial;
    std::map<std::string, int> times;
    const auto good = trial.trainer.value;
    trial.trainer.value = [&](const std::string& id, const lab::Job& job) {
        ++times[job.id];
        return id == trial.proposal.favourite ? std::nullopt : good(id, job);
    };
    ASSERT_TRUE(trial.go().ok());
    for (const auto& [id, count] : times) EXPECT_EQ(count, 1) << id;
}

TEST(RunRace, WithoutAnyValueItIsAnErrorWithTheReason) {
    Trial trial;
    trial.trainer.value = [](const auto&, const auto&) { return std::nullopt; };
    const auto race = trial.go();
    ASSERT_FALSE(race.ok());
    EXPECT_THAT(race.error().text(), HasSubstr("no run of rung 1 came to a value"));
    EXPECT_THAT(race.error().text(), HasSubstr("it diverged"));
}

TEST(RunRace, OutOfTimeItIsDecidedByWhatIsDone) {
    Trial whole;
    ASSERT_TRUE(whole.go().ok());
    Trial trial;
    trial.trainer.stop_after = whole.trainer.played - 2;
    trial.trainer.cause = lab::StopCause::time;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(race->complete);
    EXPECT_THAT(race->notes, Contains(HasSubstr("The time was over before all runs were done")));
    EXPECT_TRUE(decide(trial.request, trial.look, trial.proposal, *race).ok());
}

TEST(RunRace, ASmallBudgetHasFewerNetworksAndATinyOneIsRefused) {
    Trial small(2e12);
    const auto race = small.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_LT(race->plan.candidates.back().size(), small.proposal.candidates.size());
    EXPECT_THAT(race->notes, Contains(HasSubstr("The budget pays for")));
    Trial tiny(1e9);
    const auto refused = tiny.go();
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().text(), HasSubstr("flops: 1e+09 are too few for a race of"));
}

// A race of 0.1.0 had no steps that were wanted; what it planned is no plan for this one.
TEST(RunRace, AnUnfinishedRaceOfAnEarlierVersionBeginsAnew) {
    Trial trial;
    Race old;
    old.plan.batch = 16;
    old.plan.rungs = 3;
    old.plan.flops = {1e10};
    old.plan.candidates = {{"c01"}};
    ASSERT_TRUE(atomic_write(FitFolders(trial.request.out).race(), to_json(old).dump()).ok());
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(race->complete);
    EXPECT_EQ(race->plan.rungs, 3);
    EXPECT_THAT(race->notes, Contains(HasSubstr("begun by an earlier version")));
}

TEST(RunRace, WithABudgetOfTimeThePaceIsMeasuredAndTimeThatIsLeftBuysSeeds) {
    const lab::FakeTrainer timed(timed_script());
    Trial trial;
    trial.request.flops.reset();
    trial.request.seconds = 3600;
    for (auto& input : trial.look.inputs) input.tokens = 16;  // so the race's batch is far from the usual one
    trial.proposal = std::move(propose(trial.request, trial.look)).value();
    trial.program = timed.program();
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(race->complete);
    EXPECT_EQ(race->plan.pace.size(), networks_of(trial.proposal).size());
    const Candidate& first = trial.proposal.candidates.front();
    // 0.01 s for a step whatever the batch, and the share of evaluations: measured at a batch near the
    // race's.
    ASSERT_TRUE(far_apart(race->plan.batch, usual_batch(trial.request, trial.look, trial.proposal)));
    const auto batch = static_cast<double>(race->plan.batch);
    const double expected = 1.2 * 0.01 / (batch * flops_per_example(trial.look, first));
    const double ratio = race->plan.pace.front().seconds_per_flop / expected;
    EXPECT_GT(ratio, 0.8);  // by depth, between two
    EXPECT_LT(ratio, 4);
    EXPECT_EQ(race->plan.last_seeds, 8);
    trial.request.seconds = 0.01;
    std::filesystem::remove(FitFolders(trial.request.out).race());
    EXPECT_THAT(trial.go().error().text(), HasSubstr("s are too short for a race of"));
}

TEST(RunRace, OneMeasurementOfThePaceThatFailsIsDoneWithout) {
    const lab::FakeTrainer once_busy("mkdir \"$0.busy\" 2>/dev/null && exit 5\n" + timed_script());
    Trial trial;
    trial.request.flops.reset();
    trial.request.seconds = 3600;
    trial.program = once_busy.program();
    trial.workers = 3;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(std::filesystem::exists(once_busy.program().string() + ".busy"));
}

// Of the race of a trial, whoever it was settled on.
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

TEST(RunRace, TheInputIsChosenBeforeTheTableAndAllDepthsRaceOnIt) {
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
TEST(RunRace, TheRateOfTheScoutServesWhateverInputIsChosen) {
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

TEST(RunRace, StoppedAnywhereItChoosesTheSameInput) {
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
TEST(RunRace, ASettledProposalCountsOnlyOnceTheRaceSaysSo) {
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
TEST(RunRace, TheScoutsRunServesTheInputsToo) {
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
TEST(RunRace, ASearchThatLeftLittleLeavesNothingForTheInputs) {
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

TEST(RunRace, WithoutAChoiceThereIsNoTrial) {
    Trial trial;
    trial.look = hops_look();
    trial.proposal = std::move(propose(trial.request, trial.look)).value();
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_EQ(race->plan.rungs, 2);
    EXPECT_FALSE(trial.proposal.trials.has_value());
    EXPECT_FALSE(std::filesystem::exists(FitFolders(trial.request.out).settled()));
}

TEST(RunRace, EveryFamilyHasItsOwnInput) {
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

TEST(RunRace, TellsWhereItIs) {
    Trial trial;
    ASSERT_TRUE(trial.go().ok());
    EXPECT_EQ(std::ranges::count(trial.news, RaceNews::Kind::rung_begins), 3);
    EXPECT_EQ(std::ranges::count(trial.news, RaceNews::Kind::rung_ends), 3);
    EXPECT_EQ(std::ranges::count(trial.news, RaceNews::Kind::settled), 1);
}

}  // namespace
}  // namespace plimsoll::fit

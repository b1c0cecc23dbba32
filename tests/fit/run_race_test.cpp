#include "plimsoll/fit/race/run_race.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/places.h"
#include "plimsoll/fit/race/race_budget.h"
#include "plimsoll/fit/race/race_pace.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/store/disk.h"
#include "tests/fit/races.h"
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
        proposal = std::move(propose(request, look)).value();
        EXPECT_TRUE(store::make_folders(Places(request.out).steps()).ok());
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

TEST(RunRace, SpendsItsFlopsToTenPerCent) {
    for (const double flops : {2e12, 5e12, 3e13}) {
        Trial trial(flops);
        const auto race = trial.go();
        ASSERT_TRUE(race.ok()) << race.error().text();
        EXPECT_TRUE(race->complete);
        EXPECT_NEAR(race->flops, flops, 0.1 * flops);
    }
}

TEST(RunRace, RunsOfARungHaveTheSameFlopsAndLaterOnesMore) {
    Trial trial;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    for (const auto& entry : race->entries) {
        const double planned = race->plan.flops[static_cast<std::size_t>(entry.rung)];
        EXPECT_NEAR(entry.flops, planned, 0.05 * planned);  // whole steps, 20 at least
    }
    for (std::size_t i = 1; i < race->plan.flops.size(); ++i)
        EXPECT_GE(race->plan.flops[i], 2 * race->plan.flops[i - 1]);
}

TEST(RunRace, RivalsTheFavouriteAndTheTwoBestReachTheLastRungWithThreeSeeds) {
    Trial trial;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    const int last = static_cast<int>(race->plan.rungs) - 1;
    const auto finalists = on_rung(*race, last);
    for (const auto& id : kept_to_the_end(trial.proposal)) EXPECT_THAT(finalists, Contains(id));
    EXPECT_THAT(finalists, Contains("c01"));  // the best two by the formula
    EXPECT_THAT(finalists, Contains("c02"));
    EXPECT_LT(finalists.size(), trial.proposal.candidates.size());
    for (const auto& id : finalists)
        EXPECT_EQ(std::ranges::count_if(race->entries,
                                        [&](const auto& e) { return e.rung == last && e.candidate == id; }),
                  3);
}

TEST(RunRace, EveryNetworkEndsAtTheBestRateThatWasTried) {
    Trial trial;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok());
    for (const auto& entry : race->entries) {
        if (entry.rung + 1 < race->plan.rungs) continue;
        EXPECT_LE(std::abs(std::log10(entry.rate / 0.02)), 0.251) << entry.candidate;  // a quarter decade
    }
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

TEST(RunRace, ANetworkThatAlwaysFailsLeavesAndTheOthersGoOn) {
    Trial trial;
    const auto good = trial.trainer.value;
    trial.trainer.value = [&](const std::string& id, const lab::Job& job) {
        return id == trial.proposal.favourite ? std::nullopt : good(id, job);
    };
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(race->complete);
    EXPECT_FALSE(on_rung(*race, 1).contains(trial.proposal.favourite));
    EXPECT_THAT(race->notes, Contains(HasSubstr("failed: it diverged")));
}

TEST(RunRace, ARunThatFailsForNoFaultOfItsNetworkIsTriedOnceMore) {
    Trial trial, steady;
    trial.trainer.first_fail = true;
    const auto race = trial.go();
    const auto same = steady.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_EQ(race->entries, same->entries);
    EXPECT_TRUE(race->notes.empty());
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
    EXPECT_TRUE(race->notes.empty());
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
    EXPECT_THAT(race->notes, Contains(HasSubstr("The time was over before all runs of rung 3")));
    EXPECT_TRUE(decide(trial.request, trial.look, trial.proposal, *race).ok());
}

TEST(RunRace, ASmallBudgetHasFewerNetworksAndATinyOneIsRefused) {
    Trial small(1.2e12);
    const auto race = small.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_LT(race->plan.candidates.front().size(), small.proposal.candidates.size());
    EXPECT_THAT(race->notes, Contains(HasSubstr("The budget pays for")));
    Trial tiny(1e9);
    const auto refused = tiny.go();
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().text(), HasSubstr("flops: 1e+09 are too few for a race of"));
}

// A trainer that says of every step that it took a hundredth of a second; the runs themselves are played.
const std::string timed_script =
    "steps=$(sed -n 's/^steps = //p' \"$2\")\n"
    "awk -v steps=\"$steps\" 'BEGIN { printf \"{\\\"seconds\\\": %f}\\n\", steps / 100 }'\n";

TEST(RunRace, WithABudgetOfTimeThePaceIsMeasuredAndTimeThatIsLeftBuysSeeds) {
    const lab::FakeTrainer timed(timed_script);
    Trial trial;
    trial.request.flops.reset();
    trial.request.seconds = 3600;
    trial.program = timed.program();
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(race->complete);
    EXPECT_EQ(race->plan.pace.size(), trial.proposal.candidates.size());
    const Candidate& first = trial.proposal.candidates.front();
    // 0.01 s for a step whatever the batch, and the share of evaluations: measured at the race's own batch.
    ASSERT_TRUE(far_apart(race->plan.batch, usual_batch(trial.request)));
    const auto batch = static_cast<double>(race->plan.batch);
    const double expected = 1.2 * 0.01 / (batch * flops_per_example(trial.look, first));
    EXPECT_NEAR(race->plan.pace.front().seconds_per_flop, expected, 0.2 * expected);  // by depth, between two
    EXPECT_EQ(race->plan.last_seeds, 8);
    trial.request.seconds = 0.01;
    std::filesystem::remove(Places(trial.request.out).race());
    EXPECT_THAT(trial.go().error().text(), HasSubstr("s are too short for a race of"));
}

TEST(RunRace, OneMeasurementOfThePaceThatFailsIsDoneWithout) {
    const lab::FakeTrainer once_busy("mkdir \"$0.busy\" 2>/dev/null && exit 5\n" + timed_script);
    Trial trial;
    trial.request.flops.reset();
    trial.request.seconds = 3600;
    trial.program = once_busy.program();
    trial.workers = 3;
    const auto race = trial.go();
    ASSERT_TRUE(race.ok()) << race.error().text();
    EXPECT_TRUE(std::filesystem::exists(once_busy.program().string() + ".busy"));
}

TEST(RunRace, TellsWhereItIs) {
    Trial trial;
    ASSERT_TRUE(trial.go().ok());
    EXPECT_EQ(std::ranges::count(trial.news, RaceNews::Kind::rung_begins), 3);
    EXPECT_EQ(std::ranges::count(trial.news, RaceNews::Kind::rung_ends), 3);
}

}  // namespace
}  // namespace plimsoll::fit

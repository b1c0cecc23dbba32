#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/fit/fit_folders.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/run_race.h"
#include "plimsoll/store/disk.h"
#include "tests/fit/looks.h"
#include "tests/support/temp_dir.h"

// Races whose runs are played: nothing trains, and all else is real.
namespace plimsoll::fit {

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
    std::size_t stop_after = 1'000'000;  // after this many runs it is asked to stop
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
inline const Proposal& text_proposal_of(const FitRequest& request) {
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
        proposal = text_proposal_of(request);
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

inline std::set<std::string> on_rung(const Race& race, int rung) {
    std::set<std::string> ids;
    for (const auto& entry : race.entries)
        if (entry.rung == rung) ids.insert(entry.candidate);
    return ids;
}

}  // namespace plimsoll::fit

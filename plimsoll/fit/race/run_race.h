#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/lab/jobs/runner.h"

// The third step of a fit: real training at equal FLOPs. docs/FIT_METHOD.md, "The race", has the rules.
namespace plimsoll::fit {

// How far a race is; told several times a second.
struct RaceNews {
    enum class Kind {
        rung_begins,  // `rung`, `rungs`, `runs`, `candidates`
        progress,     // `sweep` is not null
        settled,      // the inputs are chosen: `proposal`
        rung_ends,    // `race` has its entries and survivors
    };
    Kind kind = Kind::progress;
    int rung = 0, rungs = 0;
    std::string what;  // "learning rate on 4 x 28", "8 networks, 3 seeds each"
    double flops_per_run = 0;
    double seconds_left = 0;  // of the race's budget; 0: not known
    double share_done = 0;    // of the whole race, 0 to 1
    const lab::SweepProgress* sweep = nullptr;
    const Race* race = nullptr;
    const Proposal* proposal = nullptr;
};

// Runs a plan's jobs to their end: lab::run_sweep, or on a cluster.
using RunJobs = std::function<Result<lab::SweepOutcome>(const lab::Plan&, const lab::RunnerOptions&)>;

struct RaceOptions {
    lab::RunnerOptions runner;    // program, device, workers and callbacks; `runs` and `tell` are set here
    RunJobs run;                  // empty: lab::run_sweep
    double seconds_spent = 0;     // of the request's time by the steps before
    std::optional<Race> planned;  // by fitting(); empty: it is planned here
    std::function<void(const RaceNews&)> tell;  // may be empty
};

// Runs what is missing of the race in OUT/steps/race.json and OUT/runs, and returns what it came to; not
// complete when it was asked to stop. Where its trials chose among inputs, its table is of the networks of
// OUT/steps/settled.json (input_choice.h). An error when the budget is too small for any race.
Result<Race> run_race(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                      const RaceOptions& options);

}  // namespace plimsoll::fit

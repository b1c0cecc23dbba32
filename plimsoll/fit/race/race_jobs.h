#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "plimsoll/fit/race/run_race.h"

// The runs of a race as jobs: what failed for no fault of its network is tried again.
namespace plimsoll::fit {

// What is left of the race's time; nothing with a budget of FLOPs.
using TimeLimit = std::function<std::optional<std::chrono::seconds>()>;

// Whether a run failed for a reason that its files do not have: a full disk, a busy device, a worker that
// died. Such a run is no loser; the same command tries it again.
bool could_not_train(const lab::SweepOutcome& outcome);

// Runs the jobs, and those once more that failed for a reason that is not the network's: a run that diverged
// has made steps and says so in its files.
Result<lab::SweepOutcome> run_twice(const RunJobs& run, const lab::Plan& plan, lab::RunnerOptions runner,
                                    const TimeLimit& limit);

}  // namespace plimsoll::fit

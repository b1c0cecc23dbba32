#include "plimsoll/fit/race/race_jobs.h"

#include <algorithm>

#include "plimsoll/store/run_state.h"

namespace plimsoll::fit {

bool could_not_train(const lab::SweepOutcome& outcome) {
    return std::ranges::any_of(
        outcome.jobs, [](const auto& job) { return job.state == lab::JobResult::failed && !job.lasting; });
}

Result<lab::SweepOutcome> run_twice(const RunJobs& run, const lab::Plan& plan, lab::RunnerOptions runner,
                                    const TimeLimit& limit) {
    if (const auto seconds = limit()) runner.stop_after = *seconds;
    PLIMSOLL_ASSIGN(outcome, run(plan, runner));
    lab::Plan again;
    again.file = plan.file;
    for (const auto& job : outcome.jobs) {
        if (job.state != lab::JobResult::failed) continue;
        const auto found = std::ranges::find(plan.jobs, job.id, &lab::Job::id);
        const auto state = store::read_state(runner.runs / job.id);
        const bool diverged = job.lasting && state.ok() && state->step > 0;
        if (!diverged) again.jobs.push_back(*found);
    }
    if (again.jobs.empty() || outcome.stopped != lab::StopCause::none) return outcome;
    runner.retry_failed = true;
    if (const auto seconds = limit()) runner.stop_after = *seconds;
    PLIMSOLL_ASSIGN(second, run(again, runner));
    for (auto& job : second.jobs) *std::ranges::find(outcome.jobs, job.id, &lab::JobOutcome::id) = job;
    outcome.stopped = second.stopped;
    return outcome;
}

}  // namespace plimsoll::fit

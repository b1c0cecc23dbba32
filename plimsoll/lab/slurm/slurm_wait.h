#pragma once

#include "plimsoll/lab/jobs/runner.h"
#include "plimsoll/lab/slurm/slurm_submit.h"

namespace plimsoll::lab {

// run_sweep on a cluster: submits what is missing and returns when no task of Slurm is left for any job of
// the plan, or when it was asked to stop. Then the array continues in the queue, and the next call waits for
// it again; nothing is submitted twice. `runs`, `retry_failed`, `stop_after` and the callbacks are the
// runner's, the rest is as `submit` says.
//
// A task that ended without its run makes the job failed, in Slurm's words; the next call submits it again,
// and with `retry_failed` also what failed by its files. Of a stop, jobs whose task is at work are `stopped`
// and those that queue `waiting`. Cancelled tasks are a stop that was asked for.
//
// Without Slurm, or when it refuses the array, the error is in its own words.
Result<SweepOutcome> run_on_slurm(const Plan& plan, const SubmitOptions& submit, const RunnerOptions& runner);

}  // namespace plimsoll::lab

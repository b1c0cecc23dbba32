#pragma once

#include "plimsoll/base/exit_codes.h"
#include "plimsoll/base/result.h"
#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/lab/jobs/runner_options.h"
#include "plimsoll/lab/jobs/status.h"
#include "plimsoll/lab/sweep/plan.h"

// Runs the jobs of a sweep in resident workers, child processes of this one (docs/SWEEPS.md says what happens
// when).
namespace plimsoll::lab {

// Runs what is missing, nothing twice, and returns when all is done, failed or held by another process, or
// when it was asked to stop. A job that fails does not stop the others; what is wrong for all of them (no
// program, no such device, a folder that cannot be written) does, and is the error. A worker that dies is
// replaced, and its stack tried once more, then each of its jobs alone, twice. Workers hear SIGTERM when this
// process dies in whatever way. Call it from a thread that lives as long as the sweep and the pool.
Result<SweepOutcome> run_sweep(const Plan& plan, const RunnerOptions& options);

}  // namespace plimsoll::lab

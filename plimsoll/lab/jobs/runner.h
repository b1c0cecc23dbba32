#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/exit_codes.h"
#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/lab/jobs/status.h"
#include "plimsoll/lab/sweep/plan.h"

// Runs the jobs of a sweep in resident workers, child processes of this one (docs/SWEEPS.md says what happens
// when).
namespace plimsoll::lab {

class WorkerPool;

enum class JobResult {
    done,
    failed,     // its files say so, its worker met an error, or died over it alone
    elsewhere,  // somebody else is at it
    stopped,    // in the middle; goes on from its checkpoint
    waiting,    // not begun in this call
};

struct JobOutcome {
    std::string id;
    JobResult state = JobResult::waiting;
    std::string reason;                       // of failed; who has it for elsewhere
    std::vector<std::string> last_log_lines;  // of failed
    double seconds = 0;                       // of its stack in this call
    bool here = false;                        // this call ran it; else it was so before, or somebody else did
    bool lasting = false;        // its files say that it failed: tried again with retry_failed only
    std::optional<double> loss;  // of training, in its last row of metrics
};

struct RunningJob {
    std::size_t number = 0;  // in the plan, from 1
    std::string id;
    std::int64_t step = 0;
    std::optional<std::int64_t> steps;
    std::optional<double> loss;
    double seconds = 0;
    std::optional<double> seconds_left;
};

enum class StopCause { none, asked, time, trouble };

// How far a sweep is; told several times a second, and at once when a job ends or the sweep begins to stop.
struct SweepProgress {
    std::size_t jobs = 0, done = 0, failed = 0, elsewhere = 0, stopped = 0, waiting = 0;
    std::vector<RunningJob> running;
    std::optional<double> seconds_left;  // of the whole sweep, with what is known now
    StopCause stopping = StopCause::none;
    std::size_t ended_number = 0;       // in the plan, from 1
    const JobOutcome* ended = nullptr;  // the job that just ended, if one did
};

struct RunnerOptions {
    std::filesystem::path runs = "runs";
    std::filesystem::path program;  // plimsoll-torch
    std::filesystem::path folder;   // that the workers work in, as data may be named from there; empty: ours
    std::string device = "cpu";     // several, comma-separated, are taken in turn by the workers
    int workers = 1;                // resident processes, each with one stack at a time
    bool stack = true;              // jobs that can (packing.h) train together; false: each alone
    std::shared_ptr<WorkerPool> pool;  // workers that stay for the next sweep; empty: they end with this one
    std::chrono::milliseconds silence{300'000};      // in which a new worker must say hello
    int threads = 0;                                 // of each worker; 0: as many as it likes
    std::optional<std::chrono::seconds> stop_after;  // then begin to stop
    bool retry_failed = false;                       // also what its files say has failed
    bool wait = false;                               // for jobs that somebody else is at, however long
    std::chrono::milliseconds patience{10'000};      // the wait for those otherwise
    std::function<void(const SweepProgress&)> tell;  // may be empty
    std::function<bool()> stop_requested;  // ask the children to stop and wait for them; may be empty
    std::function<bool()> kill_requested;  // do not wait any longer; may be empty
};

struct SweepOutcome {
    std::vector<JobOutcome> jobs;  // in the order of the plan
    bool complete = false;         // all done
    StopCause stopped = StopCause::none;
    std::vector<std::string> notes;  // damaged files, workers that died, stacks that were halved, what goes
                                     // on without us
    double seconds = 0;

    [[nodiscard]] std::size_t count(JobResult state) const;
    // How far the sweep is by these jobs, of which `ended` just did (null: none); what runs and waits is not
    // known here.
    [[nodiscard]] SweepProgress progress(const JobOutcome* ended) const;
};

// Runs what is missing, nothing twice, and returns when all is done, failed or with somebody else, or when it
// was asked to stop. A job that fails does not stop the others; what is wrong for all of them (no program, no
// such device, a folder that cannot be written) does, and is the error. A worker that dies is replaced, and
// its stack tried once more, then each of its jobs alone, twice. Workers hear SIGTERM when this process dies
// in whatever way. Call it from a thread that lives as long as the sweep and the pool.
Result<SweepOutcome> run_sweep(const Plan& plan, const RunnerOptions& options);

}  // namespace plimsoll::lab

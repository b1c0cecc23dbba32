#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/lab/slurm/slurm_script.h"
#include "plimsoll/lab/slurm/slurm_status.h"

namespace plimsoll::lab {

struct SubmitOptions {
    std::filesystem::path runs;     // on a disk that all nodes share
    std::filesystem::path program;  // plimsoll, as the nodes find it
    std::filesystem::path folder;   // to work in
    std::string device = "cpu";
    SlurmSettings settings;
    bool retry_failed = false;  // also what diverged
    bool stack = true;          // a task on a GPU trains all jobs that can train as one (packing.h)
    bool dry_run = false;       // only the scripts: nothing is written and nothing submitted
    Slurm slurm;
    // What follows is for run_on_slurm, which waits.
    std::chrono::milliseconds between_looks{2'000};  // at the queue
    std::chrono::milliseconds late_files{60'000};    // as late the nodes' files may be on this machine
    std::chrono::milliseconds silence{300'000};      // of a controller that is waited for
};

// One array that was submitted, or would be.
struct SubmittedArray {
    std::string slurm_job;  // empty after a dry run
    std::size_t tasks = 0;
    std::string script;
    std::filesystem::path logs;
};

struct SubmitReport {
    std::size_t jobs = 0, done = 0;      // of the plan
    std::size_t queued = 0;              // or running, from an earlier submission
    std::size_t failed = 0;              // by their own numbers, and not tried again
    std::vector<SubmittedArray> arrays;  // none: there is nothing to do
};

// Submits the jobs that are neither done nor queued nor running in Slurm and did not diverge, a stack or a
// job a task, in as many arrays as the site's MaxArraySize asks for. On a CPU tasks side by side are faster
// than a stack. With a limit on the tasks at a time one array begins when the one before has ended. A dry run
// works without Slurm; it then takes Slurm's default of 1001 for MaxArraySize.
Result<SubmitReport> submit_sweep(const Plan& plan, const SubmitOptions& options);

}  // namespace plimsoll::lab

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/lab/jobs/runner.h"
#include "plimsoll/lab/slurm/slurm.h"

namespace plimsoll::lab {

struct TaskOptions {
    std::filesystem::path list;  // RUNS/.sweeps/SWEEP/submission-N.jobs
    std::size_t number = 0;      // of the line, from 0
    std::filesystem::path runs;
    std::filesystem::path program;  // plimsoll-torch
    std::string device = "cpu";
    std::string slurm_job;      // SLURM_JOB_ID; empty outside Slurm, where nothing is requeued
    std::string slurm_task;     // "123_4"
    std::int64_t restarts = 0;  // SLURM_RESTART_COUNT: how often Slurm had started the job before
    Slurm slurm;
    std::function<int()> signal;                     // the signal that came, 0 before; may be empty
    std::function<void(const std::string&)> tell;    // may be empty
    std::chrono::milliseconds between_looks{2'000};  // at a run that another process holds
};

// Trains the job, or the stack of jobs, of one line of a submission as a child process, to which it passes
// signals on. A run that another process holds, such as the orphan of a node that Slurm gave up, is waited
// for. The exit code of the task: 0 when all is done, or was stopped with a checkpoint and is queued again;
// exit_stopped when it was stopped and Slurm does not want it back (cancelled), or does not get a step
// further; otherwise that of the program.
Result<int> run_task(const TaskOptions& options);

}  // namespace plimsoll::lab

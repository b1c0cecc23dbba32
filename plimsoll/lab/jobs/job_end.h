#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "plimsoll/lab/jobs/sweep_outcome.h"
#include "plimsoll/lab/jobs/worker_protocol.h"
#include "plimsoll/lab/sweep/plan.h"

namespace plimsoll::lab {

// Another process holds the job, as its worker reported.
struct Held {
    std::string who;
};

// How a job of a stack ended: its outcome, or Held, or what is wrong for all jobs.
using JobEnd = std::variant<JobOutcome, Held, Error>;

// The place of a job's files and since when this call has been at it.
struct JobAtWork {
    const Job* job = nullptr;
    std::filesystem::path runs, log;
    std::uint64_t log_start = 0;  // what its log had before
    double seconds = 0;
};

// The files of the run say whether it is done or diverged; only what they do not say comes from the worker.
// An error is appended to the job's log.
JobEnd judge(const JobAtWork& at, const Result<RunOutcome>& said);

// A worker died over the job, alone with it; its last words are in `worker_log` from byte `start` on.
JobOutcome died(const JobAtWork& at, const std::string& reason, const std::filesystem::path& worker_log,
                std::uint64_t start);

}  // namespace plimsoll::lab

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "plimsoll/lab/jobs/sweep_outcome.h"

namespace plimsoll::lab {

class WorkerPool;

// How the jobs of a sweep are run.
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
    bool wait = false;                               // for jobs that another process holds, without limit
    std::chrono::milliseconds patience{10'000};      // the wait for those otherwise
    std::function<void(const SweepProgress&)> tell;  // may be empty
    std::function<bool()> stop_requested;  // ask the children to stop and wait for them; may be empty
    std::function<bool()> kill_requested;  // do not wait any longer; may be empty
};

}  // namespace plimsoll::lab

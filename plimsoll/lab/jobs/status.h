#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/lab/sweep/plan.h"

// How far the jobs of a sweep are, as the files of their runs say it; nobody is disturbed by looking.
namespace plimsoll::lab {

enum class JobPhase {
    missing,      // not begun
    interrupted,  // begun, but no process holds it
    running,      // a process holds it, here or on another machine
    done,
    failed,  // it diverged, or ended with an error
};

// "missing", "interrupted", "running", "done", "failed".
std::string phase_name(JobPhase phase);

struct JobState {
    std::string id;
    JobPhase phase = JobPhase::missing;
    std::int64_t step = 0;              // of its last row of metrics
    std::optional<std::int64_t> steps;  // of the whole run
    std::optional<double> loss;         // of training, in that row
    std::string reason;                 // why it failed
    std::string holder;                 // its holder: "process 71 on node3"
    std::string problem;                // files that are damaged, in a sentence; empty when all is well
};

// The state of one job in the folder `runs`. A state.json that cannot be read is a `problem`. A trunk, which
// has no end of its own, is done when it has a checkpoint as late as the last one that the job keeps.
JobState job_state(const Job& job, const std::filesystem::path& runs);

// Of all jobs, in the order of the plan. A folder of runs that does not exist has none of them; one that
// cannot be read is an error.
Result<std::vector<JobState>> job_states(const Plan& plan, const std::filesystem::path& runs);

}  // namespace plimsoll::lab

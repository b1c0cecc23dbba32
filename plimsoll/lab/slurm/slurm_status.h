#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/lab/jobs/status.h"
#include "plimsoll/lab/slurm/slurm.h"
#include "plimsoll/lab/slurm/slurm_record.h"

// Where the jobs of a sweep stand, between the files of their runs and Slurm's queue.
namespace plimsoll::lab {

enum class SweepPhase {
    missing,  // not begun and nothing waits to do so
    queued,   // a task of Slurm waits for it, perhaps not for the first time
    running,
    stopped,  // begun, but no process holds it: interrupted or cancelled
    done,
    failed,  // by its own numbers, or its task ended without it
};
std::string phase_name(SweepPhase phase);

struct JobStatus {
    SweepPhase phase = SweepPhase::missing;
    JobState run;               // as its files say it
    std::string task;           // of Slurm, the last one that had the job: "123_4"; empty without one
    std::string reason;         // why it waits, or how it ended
    std::filesystem::path log;  // of the task
    std::vector<std::string> last_lines;  // of the log when it failed
};

// The jobs in the order of the plan. Slurm is asked only when something was submitted to it.
Result<std::vector<JobStatus>> sweep_status(const Plan& plan, const std::filesystem::path& runs,
                                            const Slurm& slurm);

struct Cancelled {
    std::size_t tasks = 0;
    std::size_t running = 0;  // of these; each makes a checkpoint first
};

// Cancels the tasks that wait or run for a job of the plan, and those of submissions of the same file.
Result<Cancelled> cancel_sweep(const Plan& plan, const std::filesystem::path& file,
                               const std::filesystem::path& runs, const Slurm& slurm);

}  // namespace plimsoll::lab

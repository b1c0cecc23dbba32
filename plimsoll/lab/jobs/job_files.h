#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/lab/sweep/plan.h"

// The files of a sweep beside its runs: RUNS/.sweeps/SWEEP/jobs/JOB.toml and JOB.log. Nothing is decided by
// them; they may be removed between two calls.
namespace plimsoll::lab {

// The name of a sweep: 16 hexadecimal digits of the SHA-256 of its jobs' ids, whatever their order.
std::string sweep_id(const Plan& plan);

// RUNS/.sweeps/<sweep_id>.
std::filesystem::path sweep_folder(const Plan& plan, const std::filesystem::path& runs);

struct JobFiles {
    std::filesystem::path config;  // the resolved config, as plimsoll-torch train reads it
    std::filesystem::path log;     // what its processes said, one after the other
};

// The files of a job in a sweep's folder; the folder need not exist.
JobFiles job_files(const std::filesystem::path& sweep_folder, const std::string& id);

// Makes the folder of the jobs.
Status make_job_folder(const std::filesystem::path& sweep_folder);

// Writes the config of a job unless it is there already.
Status write_job_config(const JobFiles& files, const Job& job);

// Keeps room on the disk for a process's last words, behind the end of the log; `io` when there is none.
Status reserve_log(const std::filesystem::path& log);

// At most the last `most` lines of a log from byte `start` on that are not empty.
std::vector<std::string> last_lines(const std::filesystem::path& log, std::uint64_t start, std::size_t most);

}  // namespace plimsoll::lab

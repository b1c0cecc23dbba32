#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/lab/sweep/plan.h"

// The files of a sweep beside its runs: RUNS/.sweeps/SWEEP/jobs/JOB.toml and JOB.log, worker-N.log and
// stacks.jsonl. They may be removed between two calls; only which runs share a stack may then change.
namespace plimsoll::lab {

// The name of a sweep: 16 hexadecimal digits of the SHA-256 of its jobs' ids, whatever their order.
std::string sweep_id(const Plan& plan);

// RUNS/.sweeps/<sweep_id>.
std::filesystem::path sweep_folder(const Plan& plan, const std::filesystem::path& runs);

struct JobFiles {
    std::filesystem::path config;  // the resolved config, as a worker and plimsoll train read it
    std::filesystem::path log;     // why it failed, one line for each time
};

// The files of a job in a sweep's folder; the folder need not exist.
JobFiles job_files(const std::filesystem::path& sweep_folder, const std::string& id);

// What the worker of a slot says besides its answers.
std::filesystem::path worker_log(const std::filesystem::path& sweep_folder, std::size_t slot);

// Makes the folder of the jobs.
Status make_job_folder(const std::filesystem::path& sweep_folder);

// Writes the config of a job unless it is there already.
Status write_job_config(const JobFiles& files, const Job& job);

// Keeps room on the disk for the last words of a process or about a job, behind the end of the log; `io` when
// there is none.
Status reserve_log(const std::filesystem::path& log);

// Appends a line to a log, as far as the disk allows.
void append_log(const std::filesystem::path& log, const std::string& line);

// Bytes of a log; 0 when it is not there.
std::uint64_t log_size(const std::filesystem::path& log);

// At most the last `most` lines of a log from byte `start` on that are not empty.
std::vector<std::string> last_lines(const std::filesystem::path& log, std::uint64_t start, std::size_t most);

}  // namespace plimsoll::lab

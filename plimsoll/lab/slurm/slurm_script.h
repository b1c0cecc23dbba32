#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

// The batch script of an array of tasks, as text; nothing is asked and nothing written.
namespace plimsoll::lab {

// What a task wants of the cluster; empty means the site's own default.
struct SlurmSettings {
    std::string partition, time, account, qos, constraint, memory;
    std::string gpus;                  // of a task: "1" or "a100:1"
    std::int64_t cpus = 1;             // of a task, and its number of threads
    std::int64_t array_limit = 0;      // maximum number of concurrent tasks; 0: as many as fit
    std::int64_t grace = 60;           // seconds before the time limit at which a task is asked to stop
    std::vector<std::string> options;  // more of sbatch, one each: "--mail-type=END"
    std::vector<std::string> setup;    // lines of shell before the program: "module load cuda"
};

// One array: task i trains the runs that line i of `jobs` names.
struct SlurmArray {
    std::string name;   // of the Slurm job
    std::string about;  // a remark for readers: "12 of 40 jobs of sweep.toml"
    std::size_t tasks = 0;
    std::filesystem::path program;  // plimsoll
    std::filesystem::path folder;   // to work in, as data sets may be named from there
    std::filesystem::path jobs, runs, logs;
    std::string device;
};

// The script, or `bad_input` for what no quoting makes safe (line ends, other control characters,
// backslashes), for numbers out of range and for options that belong to plimsoll.
Result<std::string> slurm_script(const SlurmArray& array, const SlurmSettings& settings);

}  // namespace plimsoll::lab

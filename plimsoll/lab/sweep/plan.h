#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/lab/sweep/sweep.h"
#include "plimsoll/lab/sweep/work.h"

// The jobs of a sweep: each a resolved config, whose hash is the name of its run.
namespace plimsoll::lab {

constexpr std::size_t most_jobs = 100'000;

struct Job {
    std::string id;  // run::run_hash(config), the folder of its run
    run::RunConfig config;
    std::vector<Json> values;  // of the plan's columns
    arch::Count parameters;    // honest
    arch::Count counted;       // in the budget's way; honest without a budget
    Work work;
    std::vector<std::int64_t> keep =
        {};  // of a trunk (trunks.h): its checkpoints that stay, in ascending order
};

struct Plan {
    std::string file;                  // of the sweep
    std::vector<std::string> columns;  // "budget", the keys of the axes, the adjusted field, "seed"
    std::vector<Job> jobs;
    std::string counting = "honest";  // the budget's way
    std::vector<std::string> notes;   // what a person should know: jobs left out, merged
    std::size_t combinations = 0;     // of all axes, before anything was left out
    std::size_t left_out = 0;         // by keep
    std::size_t unreachable = 0;      // no width meets the budget
    std::size_t merged = 0;           // the same run as an earlier job
};

// The jobs in a fixed order: budgets outermost, then the axes in the alphabetical order of their (first)
// keys, the last one fastest, then seeds. The order of keys in the file does not matter. Two jobs that are
// the same run are one. Nothing is read or written.
Result<Plan> plan(const Sweep& sweep);

}  // namespace plimsoll::lab

#pragma once

#include <memory>
#include <string>

#include "plimsoll/lab/slurm_submit.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// What goes with `sweep run --slurm` alone.
struct SlurmFlags {
    bool slurm = false, dry_run = false;
    lab::SlurmSettings settings;
};

// The flags of `sweep run` that it shares.
struct SlurmRequest {
    std::string file, runs, device;
    bool retry_failed = false, json = false;
};

// Adds --slurm and its flags to the verb `sweep run`, which has its own by then.
std::shared_ptr<SlurmFlags> add_slurm_flags(CLI::App& verb);

// Submits what is missing of the sweep, or shows the script; the exit code. Tasks with a GPU train on it.
Result<int> submit_to_slurm(const SlurmFlags& flags, const SlurmRequest& request);

}  // namespace plimsoll::cli

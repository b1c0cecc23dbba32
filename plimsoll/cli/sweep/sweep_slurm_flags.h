#pragma once

#include <memory>
#include <string>

#include "plimsoll/lab/slurm/slurm_submit.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// What goes with --slurm alone.
struct SlurmFlags {
    bool slurm = false, dry_run = false;
    lab::SlurmSettings settings;
};

// The flags of `sweep run` that it shares.
struct SlurmRequest {
    std::string file, runs, device;
    bool retry_failed = false, stack = true, json = false;
};

constexpr const char* slurm_group = "Slurm (docs/CLUSTER.md)";

// Adds --slurm, which means `meaning`, and its flags to a verb that has its own by then; --workers, where
// there is one, goes without it, and a --time that the verb has leaves --task-time to Slurm.
std::shared_ptr<SlurmFlags> add_slurm_flags(CLI::App& verb, const std::string& meaning);

// How to submit from here into the folder `runs` (empty: the usual one); an error for several devices, or
// when this machine has no plimsoll-torch. Tasks with a GPU train on it.
Result<lab::SubmitOptions> submit_options(const SlurmFlags& flags, const std::string& runs,
                                          const std::string& device);

// Submits what is missing of the sweep, or shows the script; the exit code.
Result<int> submit_to_slurm(const SlurmFlags& flags, const SlurmRequest& request);

}  // namespace plimsoll::cli

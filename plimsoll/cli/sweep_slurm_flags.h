#pragma once

#include <memory>
#include <string>

#include "plimsoll/lab/slurm_submit.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// What `sweep run --slurm` takes beside the file, --runs and --device.
struct SlurmFlags {
    bool slurm = false, dry_run = false;
    lab::SlurmSettings settings;
};

// Adds --slurm and what goes with it to the verb `sweep run`.
std::shared_ptr<SlurmFlags> add_slurm_flags(CLI::App& verb);

// Submits what is missing of the sweep, or shows the script; the exit code. Tasks with a GPU train on it.
Result<int> submit_to_slurm(const SlurmFlags& flags, const std::string& file, const std::string& runs,
                            const std::string& device);

}  // namespace plimsoll::cli

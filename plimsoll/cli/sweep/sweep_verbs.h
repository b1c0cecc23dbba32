#pragma once

#include "plimsoll/cli/commands.h"

namespace plimsoll::cli {

// The verbs of `plimsoll sweep` that have a file of their own.
void add_sweep_run(CLI::App& sweep, Action& action);
void add_sweep_slurm(CLI::App& sweep, Action& action);  // status, cancel, and task for batch scripts

}  // namespace plimsoll::cli

#pragma once

#include "plimsoll/cli/commands.h"

namespace plimsoll::cli {

// The verbs of `plimsoll sweep` that have a file of their own.
void add_sweep_run(CLI::App& sweep, Action& action);

}  // namespace plimsoll::cli

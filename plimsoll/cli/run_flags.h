#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/base/result.h"

namespace plimsoll::cli {

// The folder of runs: what --runs says, else $PLIMSOLL_RUNS, else ./runs.
std::filesystem::path runs_folder(const std::string& flag);

// The folder of a run: a path with a config.toml, or an id, the start of one or a name in the folder of runs.
Result<std::filesystem::path> find_run_folder(const std::string& run, const std::string& runs_flag);

}  // namespace plimsoll::cli

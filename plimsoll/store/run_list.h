#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::store {

// One run of a folder of runs, read without disturbing whoever writes it.
struct RunInfo {
    std::string id;
    std::string name;  // the key `name` of its config; may be empty
    std::filesystem::path folder;
    RunState state;
    bool interrupted = false;  // says running, but nobody has it any more
    std::string problem;       // why config.toml or state.json could not be read; empty when they could
};

// All runs of a folder, by id; `not_found` when there is no such folder. Other things in it are ignored.
Result<std::vector<RunInfo>> list_runs(const std::filesystem::path& runs);

// The one run whose id starts with `text`, or whose name is `text`. Several are `bad_input` with a list, none
// is `not_found` with near misses.
Result<RunInfo> find_run(const std::filesystem::path& runs, std::string_view text);

}  // namespace plimsoll::store

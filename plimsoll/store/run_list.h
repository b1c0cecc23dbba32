#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/store/lease_files.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::store {

// One run of a folder of runs, read without disturbing its writer.
struct RunInfo {
    std::string id;
    std::string name;  // the key `name` of its config; may be empty
    std::filesystem::path folder;
    RunState state;
    bool interrupted = false;  // says running, but no process holds it any more
    std::string problem;       // why config.toml or state.json could not be read; empty when they could
};

// All runs of a folder, by id; `not_found` when there is no such folder. Other things in it are ignored.
Result<std::vector<RunInfo>> list_runs(const std::filesystem::path& runs);

// What a sweep's runner asks about a run, again and again: two small files and the leases, nothing parsed
// that grows.
struct RunStatus {
    bool exists = false;              // it has a config.toml
    RunState state;                   // `created` before anything was written
    std::optional<LeaseInfo> holder;  // whose lease is neither released nor proved dead; a LeaseWatcher tells
                                      // whether one on another machine shows life
    std::string problem;              // why state.json could not be read; empty when it could
};
RunStatus run_status(const std::filesystem::path& run_folder);

// Whether no process holds the run, as far as can be told from here.
bool is_left(const std::filesystem::path& run_folder);

// Whether a folder's name is that of a run: 16 hexadecimal digits.
bool is_run_id(std::string_view name);

// The one run whose id starts with `text`, or whose name is `text`. Several are `bad_input` with a list, none
// is `not_found` with near misses.
Result<RunInfo> find_run(const std::filesystem::path& runs, std::string_view text);

// The same among runs that are known already; the id. `runs` is for the error.
struct RunName {
    std::string id, name;
};
Result<std::string> find_among(const std::vector<RunName>& all, std::string_view text,
                               const std::filesystem::path& runs);

}  // namespace plimsoll::store

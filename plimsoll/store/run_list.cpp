#include "plimsoll/store/run_list.h"

#include <algorithm>
#include <system_error>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/toml.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/lease_files.h"
#include "plimsoll/store/run_state.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

Result<std::string> name_in_config(const fs::path& path) {
    PLIMSOLL_ASSIGN(config, read_toml(path));
    if (!config.contains("name") || !config.at("name").is_string()) return std::string();
    return config.at("name").get<std::string>();
}

RunInfo info_of(const fs::path& folder) {
    RunInfo info;
    info.id = folder.filename();
    info.folder = folder;
    const auto name = name_in_config(folder / "config.toml");
    if (name.ok())
        info.name = *name;
    else
        info.problem = name.error().text();
    const auto state = read_state(folder);
    if (state.ok())
        info.state = *state;
    else
        info.problem = state.error().text();
    info.interrupted = info.state.phase == Phase::running && is_left(folder);
    return info;
}

Error several(std::string_view text, const std::vector<RunName>& found) {
    std::vector<std::string> ids;
    for (const auto& run : found) ids.push_back(run.name.empty() ? run.id : run.id + " (" + run.name + ")");
    return bad_input(std::string(text), fmt::format("fits {} runs: {}", ids.size(), join(ids, ", ")));
}

Error none(std::string_view text, const fs::path& runs, const std::vector<RunName>& all) {
    std::vector<std::string> words;
    for (const auto& run : all) {
        words.push_back(run.id);
        if (!run.name.empty()) words.push_back(run.name);
    }
    const auto near = near_misses(text, words);
    const std::string hint = near.empty() ? "" : suggestion(text, words);
    return not_found(std::string(text), fmt::format("no such run in {}{}", runs.string(), hint));
}

}  // namespace

bool is_run_id(std::string_view name) {
    return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_left(const fs::path& run_folder) {
    const auto lease = newest_lease(run_folder);
    return lease.ok() && (!lease->has_value() || is_free(**lease));
}

RunStatus run_status(const fs::path& run_folder) {
    RunStatus status;
    std::error_code none;
    status.exists = fs::exists(run_folder / "config.toml", none);
    const auto state = read_state(run_folder);
    if (state.ok())
        status.state = *state;
    else
        status.problem = state.error().text();
    const auto lease = newest_lease(run_folder);
    if (lease.ok() && lease->has_value() && !is_free(**lease)) status.holder = **lease;
    return status;
}

Result<std::vector<RunInfo>> list_runs(const fs::path& runs) {
    PLIMSOLL_ASSIGN(entries, entries_of(runs));
    std::vector<RunInfo> found;
    std::error_code none;
    for (const auto& path : entries)
        if (is_run_id(path.filename().string()) && fs::is_directory(path, none))
            found.push_back(info_of(path));
    return found;
}

Result<std::string> find_among(const std::vector<RunName>& all, std::string_view text, const fs::path& runs) {
    std::vector<RunName> found;
    for (const auto& run : all)
        if (!text.empty() && (run.id.starts_with(text) || run.name == text)) found.push_back(run);
    if (found.empty()) return none(text, runs, all);
    if (found.size() > 1) return several(text, found);
    return found.front().id;
}

Result<RunInfo> find_run(const fs::path& runs, std::string_view text) {
    PLIMSOLL_ASSIGN(all, list_runs(runs));
    std::vector<RunName> names;
    for (const auto& run : all) names.push_back({run.id, run.name});
    PLIMSOLL_ASSIGN(id, find_among(names, text, runs));
    return *std::ranges::find(all, id, &RunInfo::id);
}

}  // namespace plimsoll::store

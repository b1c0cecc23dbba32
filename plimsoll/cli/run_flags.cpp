#include "plimsoll/cli/run_flags.h"

#include <cstdlib>

#include "plimsoll/store/run_list.h"

namespace plimsoll::cli {

std::filesystem::path runs_folder(const std::string& flag) {
    if (!flag.empty()) return flag;
    const char* named = std::getenv("PLIMSOLL_RUNS");
    return named != nullptr && *named != 0 ? named : "runs";
}

Result<std::filesystem::path> find_run_folder(const std::string& run, const std::string& runs_flag) {
    if (std::filesystem::exists(std::filesystem::path(run) / "config.toml"))
        return std::filesystem::path(run);
    PLIMSOLL_ASSIGN(found, store::find_run(runs_folder(runs_flag), run));
    return found.folder;
}

}  // namespace plimsoll::cli

#include "plimsoll/report/page/figure_runtime.h"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/shared_folder.h"
#include "plimsoll/base/text.h"

namespace plimsoll::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy =
    "tools/figure_runtime in the source tree installs the programs that draw figures";

bool on_the_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    const auto folders = split(path == nullptr ? "" : path, ':');
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
        return ::access((fs::path(folder) / program).c_str(), X_OK) == 0;
    });
}

}  // namespace

fs::path figures_folder() { return shared_folder("PLIMSOLL_FIGURES", "figures", PLIMSOLL_FIGURES_FOLDER); }

Status figures_ready() {
    if (!on_the_path("node"))
        return not_found("node", "is not on this machine: Debian's package nodejs brings it (18 or newer)");
    const fs::path packages = figures_folder() / "node_modules";
    std::error_code ignored;
    // The installation writes this folder last: a broken one has none.
    if (!fs::is_directory(packages / ".plimsoll", ignored))
        return not_found(packages.string(), std::string("is not in place: ") + remedy);
    return {};
}

Result<std::string> runtime_file(std::string_view name) {
    const fs::path path = figures_folder() / "node_modules" / name;
    auto text = read_text(path);
    if (text.ok()) return text;
    return not_found(path.string(), std::string("cannot be read: ") + remedy);
}

}  // namespace plimsoll::report

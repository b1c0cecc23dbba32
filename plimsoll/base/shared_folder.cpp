#include "plimsoll/base/shared_folder.h"

#include <cstdlib>

namespace plimsoll {

std::filesystem::path shared_folder(const char* variable, const std::string& name,
                                    const std::filesystem::path& source) {
    if (const char* named = std::getenv(variable); named != nullptr && *named != 0) return named;
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const auto installed = program.parent_path().parent_path() / "share" / "plimsoll" / name;
    return std::filesystem::is_directory(installed, ignored) ? installed : source;
}

}  // namespace plimsoll

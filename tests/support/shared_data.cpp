#include "tests/support/shared_data.h"

#include <cstdlib>

namespace plimsoll {

std::filesystem::path shared_folder() {
    const char* named = std::getenv("PLIMSOLL_SHARED");
    return named != nullptr ? named : PLIMSOLL_SHARED_DEFAULT;
}

std::optional<std::filesystem::path> shared_file(const std::string& name) {
    const std::filesystem::path path = shared_folder() / name;
    if (!std::filesystem::exists(path)) return std::nullopt;
    return path;
}

}  // namespace plimsoll

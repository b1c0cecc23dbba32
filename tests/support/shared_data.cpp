#include "tests/support/shared_data.h"

#include <cstdlib>
#include <fstream>
#include <string_view>

namespace plimsoll {
namespace {

constexpr std::string_view title = "# Real data and real model files for development and tests";

std::filesystem::path named_folder() {
    const char* named = std::getenv("PLIMSOLL_SHARED");
    return named != nullptr && *named != 0 ? named : PLIMSOLL_SHARED_DEFAULT;
}

}  // namespace

std::optional<std::filesystem::path> shared_data_folder() {
    const std::filesystem::path folder = named_folder();
    std::ifstream readme(folder / "data" / "README.md");
    std::string line;
    if (!std::getline(readme, line) || line != title) return std::nullopt;
    return folder;
}

std::filesystem::path shared_folder() {
    return shared_data_folder().value_or(named_folder() / "(without Plimsoll's data/README.md)");
}

std::optional<std::filesystem::path> shared_file(const std::string& name) {
    const std::filesystem::path path = shared_folder() / name;
    if (!std::filesystem::exists(path)) return std::nullopt;
    return path;
}

}  // namespace plimsoll

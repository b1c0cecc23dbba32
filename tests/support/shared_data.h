#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace plimsoll {

// The folder with the real data: $PLIMSOLL_SHARED, or ../shared beside the checkout. Nothing when its
// data/README.md is not the one of our data: another project's folder may have that name.
std::optional<std::filesystem::path> shared_data_folder();

// The same folder; without our data a path that does not exist and says why.
std::filesystem::path shared_folder();

// A real file below it, or nothing when it is absent.
std::optional<std::filesystem::path> shared_file(const std::string& name);

}  // namespace plimsoll

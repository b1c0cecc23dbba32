#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace plimsoll {

// The real data beside the checkout: $PLIMSOLL_SHARED, or ../shared; it need not exist.
std::filesystem::path shared_folder();

// A real file below it, or nothing when it is absent.
std::optional<std::filesystem::path> shared_file(const std::string& name);

}  // namespace plimsoll

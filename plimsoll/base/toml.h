#pragma once

#include <filesystem>
#include <string_view>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll {

// TOML text as the one value type, Json: tables become objects, dates and times their text. Errors give line
// and column.
Result<Json> parse_toml(std::string_view text, std::string_view where);

// Reads and parses a TOML file.
Result<Json> read_toml(const std::filesystem::path& path);

}  // namespace plimsoll

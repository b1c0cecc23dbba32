#pragma once

#include <filesystem>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// The files of a text: the file itself, or every regular file below a folder in the order of their paths;
// hidden ones are left out.
Result<std::vector<std::filesystem::path>> list_text_files(const std::filesystem::path& path);

// Their bytes, mapped or unpacked.
Result<TextFiles> load_text(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace plimsoll::data

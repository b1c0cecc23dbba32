#pragma once

#include <filesystem>

#include "plimsoll/audit/models/target.h"
#include "plimsoll/base/result.h"

namespace plimsoll::target {

// A model from its files, headers only: a config.json, a .safetensors, a .gguf, a file whose first bytes say
// which of them it is, or a folder that holds them.
Result<audit::Target> read_model_files(const std::filesystem::path& path);

}  // namespace plimsoll::target

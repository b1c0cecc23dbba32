#pragma once

#include <filesystem>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"

namespace plimsoll::target {

// The architecture of a run.toml, of the config.toml of a run or of a plimsoll.toml: the key model.spec, or
// the keys of one spec.
Result<arch::ArchSpec> spec_of_settings(const std::filesystem::path& file);

}  // namespace plimsoll::target

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll::cli {

// Whether this program was installed (make install, a package) and does not run from its source tree.
bool is_installed();

// The plimsoll-torch beside this executable, else $PLIMSOLL_TORCH_BIN; not_found says how to get one.
Result<std::filesystem::path> find_torch_program();

// Becomes plimsoll-torch with these arguments; returns only when that fails.
Error exec_torch_program(const std::vector<std::string>& arguments);

}  // namespace plimsoll::cli

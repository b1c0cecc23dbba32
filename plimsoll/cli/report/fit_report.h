#pragma once

#include <filesystem>

#include "plimsoll/base/json.h"

namespace plimsoll::cli {

// Prints what a fit decided, and the files of its answer.
void print_fit_report(const std::filesystem::path& folder, const Json& fit);

}  // namespace plimsoll::cli

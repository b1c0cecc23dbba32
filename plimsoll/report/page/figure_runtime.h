#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"

// What draws figures and lies outside the program: web/figures with the packages npm brought there.
namespace plimsoll::report {

// web/figures of the source tree this program was built from, or $PLIMSOLL_FIGURES.
std::filesystem::path figures_folder();

// Success when node is on the PATH and the packages are in place; otherwise `not_found` with the command
// that brings them.
Status figures_ready();

// A file of the packages, such as "vega/build/vega.min.js"; `not_found` with the command that brings them.
Result<std::string> runtime_file(std::string_view name);

}  // namespace plimsoll::report

#pragma once

#include <filesystem>
#include <string>

namespace plimsoll {

// Where files lie that come with the program: what the environment's `variable` says, else
// share/plimsoll/`name` beside the program's bin, where it is installed, else `source`, of the tree it was
// built from.
std::filesystem::path shared_folder(const char* variable, const std::string& name,
                                    const std::filesystem::path& source);

}  // namespace plimsoll

#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/base/result.h"

// What a client names by its id is read only where it really lies in the folder of runs.
namespace plimsoll::server {

// Whether a place exists below `root` when every link on the way is followed.
bool lies_inside(const std::filesystem::path& root, const std::filesystem::path& place);

// `not_found` where the folder of a run, or a file directly in it, is a link that leads out of `root`. A run
// that is not there passes: the verb that reads it says so.
Status check_links(const std::filesystem::path& root, const std::filesystem::path& run);

}  // namespace plimsoll::server

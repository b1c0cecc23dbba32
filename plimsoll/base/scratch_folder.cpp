#include "plimsoll/base/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace plimsoll {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make(const std::string& purpose) {
    std::error_code problem;
    std::string pattern = (fs::temp_directory_path(problem) / ("plimsoll-" + purpose + "-XXXXXX")).string();
    if (problem || ::mkdtemp(pattern.data()) == nullptr)
        return io_error(pattern, "cannot be made: " + (problem ? problem.message() : std::strerror(errno)));
    return ScratchFolder(pattern);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace plimsoll

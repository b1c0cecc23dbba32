#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/base/result.h"

namespace plimsoll {

// A folder of our own below the system's folder for temporary files; it goes away with everything in it.
// Moves but does not copy.
class ScratchFolder {
  public:
    // `purpose` is part of its name.
    static Result<ScratchFolder> make(const std::string& purpose);
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;  // empty: moved away
};

}  // namespace plimsoll

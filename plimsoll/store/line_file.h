#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::store {

// A text file that only grows, line by line; moves but does not copy.
class LineFile {
  public:
    // Opens the file, made when absent. Half a line at the end, left by a killed process, is cut off; half()
    // says how much that was.
    static Result<LineFile> open(const std::filesystem::path& path);

    // Adds `line` and a line end in one write. After an error (the disk is full) the file is as before.
    Status append(std::string_view line);
    // Cuts the file to its first `bytes` bytes; `io` when it is shorter than that.
    Status cut(std::uint64_t bytes);
    // Returns when what was appended is on the disk.
    Status sync();

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t half() const { return half_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    LineFile(std::filesystem::path path, Descriptor file, std::uint64_t bytes)
        : path_(std::move(path)), file_(std::move(file)), bytes_(bytes) {}

    std::filesystem::path path_;
    Descriptor file_;
    std::uint64_t bytes_ = 0, half_ = 0;
};

}  // namespace plimsoll::store

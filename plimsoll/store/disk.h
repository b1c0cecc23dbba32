#pragma once

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/result.h"

// Small steps that the files of a run are made of, with the system's refusals as errors.
namespace plimsoll::store {

// A descriptor that closes itself; moves but does not copy.
class Descriptor {
  public:
    explicit Descriptor(int value = -1) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Descriptor();
    [[nodiscard]] int get() const { return value_; }

  private:
    int value_ = -1;
};

// "path: cannot be written: No space left on device", from errno.
Error write_error(const std::filesystem::path& path, int code);

// Returns when the file or folder itself is on the disk.
Status sync_path(const std::filesystem::path& path);

Status make_folders(const std::filesystem::path& path);
// Makes the file in `work`, a folder of the same disk, syncs it and renames it to `path`: readers see the old
// or the new. Without the folder it fails and `path` stays.
Status replace_file(const std::filesystem::path& work, const std::filesystem::path& path,
                    std::string_view content);
Status rename_path(const std::filesystem::path& from, const std::filesystem::path& to);
// Removes a file or a whole folder; nothing there is fine.
Status remove_tree(const std::filesystem::path& path);
// Everything directly in a folder, by name; the system's own error when it cannot be read.
Result<std::vector<std::filesystem::path>> entries_of(const std::filesystem::path& folder);

}  // namespace plimsoll::store

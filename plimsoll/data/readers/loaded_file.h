#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// How much memory the contents of all files of one call may take together, and who is told how far it is.
struct LoadOptions {
    std::uint64_t most_bytes = std::uint64_t{16} << 30;
    ProgressCallback progress;  // bytes of the files as they lie on disk
};

// The content of one file: mapped when it is plain, otherwise unpacked.
struct LoadedFile {
    std::string name;  // for messages
    HostArray<std::uint8_t> bytes;
    bool mapped = false;  // the bytes are those of the file itself
};

// The contents of files in their order, several unpacked at once; the first file that is wrong gives the
// error. Memory grows with what is really there, never by a number from a file.
Result<std::vector<LoadedFile>> load_files(const std::vector<std::filesystem::path>& paths,
                                           const LoadOptions& options);
Result<LoadedFile> load_file(const std::filesystem::path& path, const LoadOptions& options);

// The name without .gz, .xz or .zst at its end.
std::string unpacked_name(const std::filesystem::path& path);

// `folder/name` or its .xz, .gz or .zst, whichever is there.
std::optional<std::filesystem::path> find_packed(const std::filesystem::path& folder, std::string_view name);

// The regular files directly in a folder, by name; `not_found` and `io` as the system says.
Result<std::vector<std::filesystem::path>> files_in(const std::filesystem::path& folder);

}  // namespace plimsoll::data

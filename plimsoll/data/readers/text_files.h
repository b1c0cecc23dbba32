#pragma once

#include <filesystem>
#include <vector>

#include "plimsoll/data/read_options.h"
#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// The files of a text and those that are none, each in the order of their paths.
struct TextListing {
    std::vector<std::filesystem::path> taken;
    std::vector<LeftOutFile> left_out;
};

// The file itself, or every file below a folder that holds text; hidden ones and empty ones are passed over,
// binary ones are listed with what they are. A folder without any text is an error.
Result<TextListing> sort_out_text_files(const std::filesystem::path& path);
Result<std::vector<std::filesystem::path>> list_text_files(const std::filesystem::path& path);

// Their bytes, mapped or unpacked; of JSON lines, and of a table alone, the text in the field of `read`. An
// archive (tar, zip) is read like the folder that it holds.
Result<TextFiles> load_text(const std::filesystem::path& path, const ReadOptions& read,
                            const LoadOptions& options);

// The same, whatever the bytes are.
Result<TextFiles> load_bytes_as_text(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace plimsoll::data

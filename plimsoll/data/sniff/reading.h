#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/data/kind.h"
#include "plimsoll/data/read_options.h"

namespace plimsoll::data {

// As what a file or folder is read when nobody says it.
struct Reading {
    Kind kind;
    std::string how;          // for people; empty: as the kind's title says
    bool plain_text = false;  // the bytes of its files are the text
};

// By the first bytes, then by the name. What is binary and in no format that is read is an error that names
// the format, with the command that makes one that is read.
Result<Reading> reading_of(const std::filesystem::path& path, const ReadOptions& read);

// In which kind of file a table is: NumPy's arrays (.npy, .npz), the files of a folder or an archive, or
// text.
enum class TableFile { arrays, set, text };
Result<TableFile> table_file_of(const std::filesystem::path& path);

}  // namespace plimsoll::data

#pragma once

#include <filesystem>

#include "plimsoll/data/archives/file_set.h"
#include "plimsoll/data/read_options.h"
#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// What the files of a folder or an archive are as tables: none when one of them is not called .csv or .tsv;
// one table when there is one; splits when all are called after what they are for (train.csv, test.csv) and
// one is to train on; `several` tables otherwise, of which nobody said how they belong together.
enum class TableSet { none, one, splits, several };
TableSet table_set_of(const FileSet& files);

// The table in a folder or an archive; the rows of each file are the split that it is called after.
Result<Table> load_table_set(const std::filesystem::path& path, const ReadOptions& read,
                             const LoadOptions& options);

}  // namespace plimsoll::data

#pragma once

#include <filesystem>

#include "plimsoll/data/arrays/npz.h"
#include "plimsoll/data/read_options.h"

namespace plimsoll::data {

// Whether the arrays of a .npz file are rows of numbers with labels: X and y, x_train and y_train (x_val,
// x_test too), data and target, features and labels.
bool are_table(const std::vector<NpzArray>& arrays);

// The same as a table; its columns are column1, column2, ...
Result<Table> table_from(const std::vector<NpzArray>& arrays, const std::string& file,
                         const ReadOptions& read);

// An array (N, C) of numbers as a table; the label is a column, the last when nobody said.
Result<Table> table_from(const NpyArray& array, const ReadOptions& read);

// A table in a .npy or .npz file.
Result<Table> load_array_table(const std::filesystem::path& path, const ReadOptions& read,
                               const LoadOptions& options);

}  // namespace plimsoll::data

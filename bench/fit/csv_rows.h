#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"

// Tables of runs, as the benches of fit read them.
namespace plimsoll::fit {

using CsvCells = std::map<std::string, std::string>;  // by the name of the column

// The rows below the first one, which names the columns. An error names the file.
Result<std::vector<CsvCells>> rows_of(const std::filesystem::path& path);

// The text of a column.
Result<std::string> text_of(const CsvCells& row, const std::string& column);

// The number in a column.
Result<double> number_of(const CsvCells& row, const std::string& column);

}  // namespace plimsoll::fit

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/store/run_table.h"

namespace plimsoll::store {

// The table as CSV: a line of keys, then a line for each run. No columns: id and every key.
std::string table_csv(const RunTable& table, const std::vector<std::string>& columns);
// The same as a list of objects; a run has the keys for which it has a value.
Json table_json(const RunTable& table, const std::vector<std::string>& columns);

// Every row of the metrics of these runs, each with the run's id first: as CSV with all keys that occur, or
// as a list of objects. Nested keys have dots. A run whose metrics cannot be read is an error.
Result<std::string> metrics_csv(const std::filesystem::path& runs, const RunTable& table);
Result<Json> metrics_json(const std::filesystem::path& runs, const RunTable& table);

}  // namespace plimsoll::store

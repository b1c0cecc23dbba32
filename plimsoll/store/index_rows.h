#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/store/run_facts.h"

// The rows of runs/index.sqlite: the table `runs` has a row for each run (id, signature, checksum and a
// column for each key), `columns` says which column holds a key.
namespace plimsoll::store {

struct IndexedRow {
    std::string signature;
    Facts facts;
};
using IndexedRows = std::unordered_map<std::string, IndexedRow>;

// Every row whose checksum is right; others are left out, as if they were not there. `bad_input` when the
// file is no index or damaged, `io` when it cannot be read now.
Result<IndexedRows> read_index(const std::filesystem::path& path);

struct ChangedRow {
    std::string id, signature;
    const Facts* facts;
};
struct IndexChange {
    std::vector<ChangedRow> rows;
    std::vector<std::string> gone;
};

// Puts the rows in, in one transaction; the file is made when absent.
Status change_index(const std::filesystem::path& path, const IndexChange& change);

}  // namespace plimsoll::store

#pragma once

#include <cstddef>
#include <filesystem>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/store/run_table.h"

// runs/index.sqlite: what the files of the runs said when they were last read. The files are the truth; the
// index is never needed, and whatever is wrong with it costs time and one warning, never a right answer.
namespace plimsoll::store {

struct IndexOptions {
    DerivedFacts derive;        // as for read_run_facts(); the same for everybody who uses the index
    bool use_index = true;      // false: read every folder, touch no index
    ProgressCallback progress;  // told while folders are read
};

// Every run of a folder. Rows come from the index where all files of the run are as they were (size, time and
// number of config.toml, state.json, metrics.jsonl and environment.json), from the files otherwise; the index
// then learns what changed. A missing or damaged one is rebuilt, one that cannot be read or written now is
// left alone; the table's warnings say so. `not_found` when there is no such folder.
Result<RunTable> read_run_table(const std::filesystem::path& runs, const IndexOptions& options = {});

// Rebuilds the index from the files; an error when it cannot be written.
Result<RunTable> reindex(const std::filesystem::path& runs, const IndexOptions& options = {});

}  // namespace plimsoll::store

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/store/run_facts.h"

// The runs of a folder as one table, and questions to it.
namespace plimsoll::store {

struct RunRow {
    std::string id;
    std::vector<Cell> cells;  // as many as the table has keys

    bool operator==(const RunRow&) const = default;
};

struct RunTable {
    std::vector<std::string> keys;      // in alphabetical order; each has a value in some row
    std::vector<RunRow> rows;           // by id, unless sorted otherwise
    std::vector<std::string> warnings;  // about the index; the rows are right in any case

    // The value of a key, empty when the table does not have it.
    [[nodiscard]] const Cell& at(const RunRow& row, std::string_view key) const;
};

// The names of the runs in a folder, in order; `not_found` when there is no such folder.
Result<std::vector<std::string>> run_ids(const std::filesystem::path& runs);

// The facts of these runs, read from their files by several threads.
std::vector<Facts> read_facts(const std::filesystem::path& runs, const std::vector<std::string>& ids,
                              const DerivedFacts& derive, const ProgressCallback& progress = {});

// A table of facts by run.
RunTable table_of(const std::vector<std::string>& ids, std::vector<Facts> facts);

// Turns the phase `running` into `interrupted` where no process holds the run any more; that is never stored.
void mark_interrupted(RunTable& table, const std::filesystem::path& runs);

// The key that a person means: itself, `id`, or the end of exactly one ("lr" is optimizer.lr, "spec" is
// model.spec, "data" is data.name). Others are an error at `where` with what would have been right.
Result<std::string> key_named(const RunTable& table, std::string_view text, std::string_view where);

struct TableQuery {
    std::vector<std::string> where;  // "key=value", with = != < <= > >= or ~ (contains); all must hold
    std::string sort;                // a key; a leading minus from the largest; empty: by id
    std::size_t limit = 0;           // 0: all
};

// Keeps the rows that the query asks for. Numbers are compared as numbers (64K is 64000), other values as
// text; a run without the key fits no comparison but !=. Rows without the sort key come last.
Status select(RunTable& table, const TableQuery& query);

}  // namespace plimsoll::store

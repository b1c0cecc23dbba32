#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/cli/runs/runs_table.h"
#include "plimsoll/store/run_import.h"
#include "plimsoll/store/run_prune.h"

namespace plimsoll::cli {

// The runs as a table with these columns, or the usual ones; `total` is how many there are in the folder.
void print_runs(const store::RunTable& table, const std::vector<std::string>& columns, std::size_t total);

// Everything about one run: what is unusual in its config, its state and numbers, the loss as a plot, where
// it ran and its last log lines.
void print_run(const store::RunTable& table, const store::RunRow& row, const std::filesystem::path& folder);
Json run_json(const store::RunTable& table, const store::RunRow& row, const std::filesystem::path& folder);

// Two runs side by side.
void print_run_diff(const store::RunTable& table, const store::RunRow& a, const store::RunRow& b);
Json run_diff_json(const store::RunTable& table, const store::RunRow& a, const store::RunRow& b);

// What an import did, or would do; the exit code: 1 when there was a conflict.
int print_import(const std::vector<store::ImportedRun>& all, bool dry_run);
Json import_json(const std::vector<store::ImportedRun>& all);

// What was pruned, or would be.
void print_prune(const std::vector<store::PrunedRun>& all, const store::RunTable& table, store::Prune what,
                 bool done);
Json prune_json(const std::vector<store::PrunedRun>& all, bool done);

// "1 run", "12 runs".
std::string run_count(std::size_t count);
// "deep" or, without a name, the first eight digits of the id.
std::string short_name(const store::RunTable& table, const store::RunRow& row);

}  // namespace plimsoll::cli

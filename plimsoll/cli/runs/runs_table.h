#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/store/index.h"
#include "plimsoll/store/run_prune.h"

// The questions of `plimsoll runs`, as tables.
namespace plimsoll::cli {

// What follows from a config: the parameters of its spec, and the spec's keys as it gives them (spec.depth).
store::DerivedFacts spec_facts();

// The runs of the folder that the query asks for, through the index; warnings go to stderr.
Result<store::RunTable> selected_runs(const std::filesystem::path& runs, const store::TableQuery& query,
                                      bool use_index);

// The row of the run that a person names: an id, the start of one, or a name. `runs` is for the error.
Result<store::RunRow> row_named(const store::RunTable& table, const std::string& name,
                                const std::filesystem::path& runs);

// The keys that a list "id,lr,loss" of columns means; none for an empty list.
Result<std::vector<std::string>> columns_named(const store::RunTable& table, const std::string& list);

struct PruneChoice {
    bool checkpoints = false, failed = false, unfinished = false;
};
// The runs that a choice takes of those in `table`: failed ones, unfinished ones (created or interrupted) or
// both; neither: those that the query left, and of checkpoints those of finished runs when there was none.
Result<store::RunTable> runs_to_prune(store::RunTable table, const PruneChoice& choice, bool queried);

// Where two runs differ: the key and both values.
struct Difference {
    std::string key;
    store::Cell first, second;
};
// The settings in which two runs differ; keys of the spec instead of the spec where the family is the same.
std::vector<Difference> config_differences(const store::RunTable& table, const store::RunRow& a,
                                           const store::RunRow& b);
std::vector<Difference> number_pairs(const store::RunTable& table, const store::RunRow& a,
                                     const store::RunRow& b);
// Keys of the config that are not at their defaults: the value and the default, empty for a required key.
std::vector<Difference> unusual_settings(const store::RunTable& table, const store::RunRow& row);

}  // namespace plimsoll::cli

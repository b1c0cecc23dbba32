#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/lab/sweep/plan.h"
#include "plimsoll/report/table.h"

// What the runs of sweeps came to, as tables: docs/EXPERIMENTS.md has every column.
namespace plimsoll::lab {

// A sweep's plan under the name of its file.
struct NamedPlan {
    std::string name;
    Plan plan;
};

// Reads and plans the sweeps, each under the stem of its file.
Result<std::vector<NamedPlan>> plan_sweeps(const std::vector<std::filesystem::path>& files);

// One row per run, in the order of the plans; a run that is in two of them has one. Runs that are missing or
// failed are rows with their phase and no results.
Result<report::Table> run_rows(const std::vector<NamedPlan>& plans, const std::filesystem::path& runs);

// One row per evaluation of each run: the columns of run_rows() with the numbers of that evaluation, and
// `step` and `epoch`.
Result<report::Table> curve_rows(const std::vector<NamedPlan>& plans, const std::filesystem::path& runs);

// Columns of a row in three parts, so that tables of different networks have one order: what names the run,
// the fields of its spec and its settings, results.
struct RowParts {
    store::Facts head, settings, results;
};

// The parts that follow from the plan alone; `settings` has the keys of run.toml in `keys`.
RowParts planned_parts(const NamedPlan& plan, const Job& job, const std::vector<std::string>& keys);

// The keys of run.toml that tell the jobs apart: not the default in one of them, or moved by a sweep.
std::vector<std::string> telling_keys(const std::vector<NamedPlan>& plans);

// The table with every column that a row, or one of `shapes`, has; shapes are no rows themselves, so that a
// table without rows has its columns too.
report::Table table_of_parts(const std::vector<RowParts>& rows, const std::vector<RowParts>& shapes = {});

}  // namespace plimsoll::lab

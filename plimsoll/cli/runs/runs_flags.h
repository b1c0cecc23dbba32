#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/runs/runs_table.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct RunsFlags {
    std::string runs, columns, format, out, from, first, second;
    store::TableQuery query;
    PruneChoice choice;
    bool json = false, no_index = false, metrics = false, dry_run = false, yes = false;

    [[nodiscard]] std::filesystem::path folder() const { return runs_folder(runs); }
    [[nodiscard]] Result<store::RunTable> table() const { return selected_runs(folder(), query, !no_index); }
};

// Gives a verb of `plimsoll runs` (list, show, ...) its flags.
void add_runs_flags(CLI::App& verb, RunsFlags& flags);

}  // namespace plimsoll::cli

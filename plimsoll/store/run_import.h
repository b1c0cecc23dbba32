#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"

namespace plimsoll::store {

enum class Imported {
    copied,    // it was not here
    extended,  // it was here, shorter; now it is as there
    same,      // nothing to do: it is here, as long or longer
    conflict,  // left alone; `reason` says why
};

struct ImportedRun {
    std::string id;
    Imported outcome = Imported::same;
    std::string reason;
};

struct ImportOptions {
    bool dry_run = false;       // say what would happen
    ProgressCallback progress;  // by run
};

// Copies the runs of the folder `from` into the folder `runs` (made when absent), without their leases. A run
// whose config.toml is not the one it is named after, that a process writes on either side, or whose metrics
// differ from those here where both have some is a conflict. A shorter one never replaces a longer one.
// Killed at any moment it loses nothing and can be called again: a run appears whole or not at all.
Result<std::vector<ImportedRun>> import_runs(const std::filesystem::path& from,
                                             const std::filesystem::path& runs,
                                             const ImportOptions& options = {});

// "copied", "extended", "same", "conflict".
std::string import_name(Imported outcome);

}  // namespace plimsoll::store

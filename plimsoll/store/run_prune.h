#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/store/run_table.h"

namespace plimsoll::store {

// What to remove of each run.
enum class Prune { checkpoints, runs };

struct PrunedRun {
    std::string id;
    std::uint64_t bytes = 0;  // that it takes, or took
    std::string reason;       // why it stays; empty when it goes
};

// What pruning these runs would do, and how much it would free; nothing is changed. A run that a process
// holds stays.
std::vector<PrunedRun> plan_prune(const std::filesystem::path& runs, const RunTable& table, Prune what);

// Does it, each run under its lease, and says what was done.
std::vector<PrunedRun> prune(const std::filesystem::path& runs, const RunTable& table, Prune what);

}  // namespace plimsoll::store

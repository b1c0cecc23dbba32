#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plimsoll/base/json.h"
#include "plimsoll/run/run_config.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::train {

// A checkpoint of a trunk (run/trunk.h) from which a branch can start.
struct TrunkPoint {
    store::Checkpoint checkpoint;
    std::string rows;  // of the trunk's metrics.jsonl up to there
    Json computed;     // how the trunk was, in its last session: device, processes, stack
};

// The newest checkpoint of the trunk `id` that a branch of `steps` steps passes before its decay. The error
// says why there is none: no such run, none early enough, damaged files.
Result<TrunkPoint> trunk_point(const std::filesystem::path& runs, const std::string& id,
                               const run::RunConfig& branch, std::int64_t steps);

}  // namespace plimsoll::train

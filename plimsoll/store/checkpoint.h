#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "plimsoll/store/run_folder.h"

// The folder `checkpoint` of a run. A checkpoint is a folder step-N in it with a manifest.json that lists
// its files; what it replaces is called step-N.old.
namespace plimsoll::store {

// Makes the checkpoint in `making`, a folder of the same disk that is emptied first, syncs it, renames it to
// step-N of `folder` and removes the older ones that are not kept; `permitted` is asked once more before the
// rename.
Result<Checkpoint> make_checkpoint(const std::filesystem::path& making, const std::filesystem::path& folder,
                                   std::int64_t step, std::uint64_t metrics_bytes,
                                   const std::vector<CheckpointFile>& files,
                                   const std::function<Status()>& permitted = {},
                                   Keep keep = Keep::until_next);

// The newest complete checkpoint in `folder`, which need not exist, among those not after the step `last`.
Result<std::optional<Checkpoint>> newest_checkpoint(
    const std::filesystem::path& folder, std::int64_t last = std::numeric_limits<std::int64_t>::max());

// Removes everything in `folder` but the newest complete checkpoint and those that are kept; damaged ones
// after it stay for a person to see.
Status tidy_checkpoints(const std::filesystem::path& folder);

}  // namespace plimsoll::store

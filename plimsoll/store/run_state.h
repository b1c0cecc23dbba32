#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/store/run_folder.h"

// The small files of a run: state.json and run.lock.
namespace plimsoll::store {

// "created", "running", "done", "failed".
std::string phase_name(Phase phase);

// state.json of a run; `created` when there is none yet.
Result<RunState> read_state(const std::filesystem::path& run_folder);
// Replaces it, made in the folder `work`.
Status write_state(const std::filesystem::path& run_folder, const std::filesystem::path& work,
                   const RunState& state);

// Who has a run open, as run.lock says.
struct Writer {
    std::string host;
    std::int64_t process = 0;
};

// The lock of a run, with this process noted in it; who is in the way is named in an `unsupported` error.
Result<FileLock> lock_run(const std::filesystem::path& run_folder);
// Who has, or last had, the run open; no process when nobody ever did.
Writer read_writer(const std::filesystem::path& run_folder);

}  // namespace plimsoll::store

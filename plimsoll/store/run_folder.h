#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "plimsoll/base/files.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/store/lease.h"
#include "plimsoll/store/line_file.h"

// A run is a folder of plain files, named by the hash of its resolved config (docs/RUNS.md has every file).
namespace plimsoll::store {

// The name of the run of a config: the first 16 hexadecimal digits of the SHA-256 of its text.
std::string run_id(std::string_view config_text);

enum class Phase { created, running, done, failed };

// How far a run is; `reason` says why it failed and is empty otherwise.
struct RunState {
    Phase phase = Phase::created;
    std::int64_t step = 0;
    std::string reason;

    bool operator==(const RunState&) const = default;
};

// A complete checkpoint on disk.
struct Checkpoint {
    std::filesystem::path folder;
    std::int64_t step = 0;
    std::uint64_t metrics_bytes = 0;  // length of metrics.jsonl when it was made
    bool kept = false;                // it stays when later ones are made
};

// How long a checkpoint stays: until the next one is complete, or beside all later ones.
enum class Keep { until_next, always };

// Writes one file of a checkpoint at the path it is given; it need not sync it.
using FileWriter = std::function<Status(const std::filesystem::path&)>;

struct CheckpointFile {
    std::string name;                               // a plain file name, unique in the checkpoint
    std::variant<std::string, FileWriter> content;  // its bytes, or who writes them
};

// A run opened for writing. It holds the run's lease until it is destroyed; moves but does not copy. When
// another process has taken the run over, each function that writes returns still_mine()'s error and writes
// nothing.
class Run {
  public:
    // The run of `config_text` in the folder `runs` (made when absent), created or opened to resume. Another
    // holder, in this process or another, here or on another machine, is named in an `unsupported` error
    // (lease.h says when a lease counts as dead); a config.toml that was edited is `bad_input`.
    // Leftovers of a killed process (half a line, half a checkpoint) are removed.
    static Result<Run> create_or_open(const std::filesystem::path& runs, std::string_view config_text,
                                      const LeaseOptions& options = {});

    [[nodiscard]] const std::string& id() const { return id_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    // The state as it is on disk: `created` for a new run.
    [[nodiscard]] const RunState& state() const { return state_; }
    // What was repaired or taken over at opening, as sentences; log.txt has them too.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    // Whether the run is still this process's; ask before writing to its folder by other means.
    [[nodiscard]] Status still_mine() const { return lease_.still_mine(); }

    // Replaces state.json; readers see the old or the new state.
    Status set_state(RunState state);

    // Adds one line to metrics.jsonl: an object whose "step" is not before the last row's and after the last
    // checkpoint's (whatever a step has to say, it says before its checkpoint). It must depend on
    // config and device alone, never on the clock, so that a resumed run writes the same bytes. A number
    // that is not finite becomes null. After an error the file is as before.
    Status append_metric(const Json& row);
    // Adds one line to timings.jsonl, the place for what depends on the clock; resuming keeps its rows.
    Status append_timing(const Json& row);
    // Adds "<UTC time> <text>" to log.txt.
    Status append_log(std::string_view text);
    // Adds one session to environment.json.
    Status add_environment(const Json& session);
    // Notes in this session's entry when it ended and how many seconds it took; without one, nothing. A run
    // that becomes done or failed does so by itself.
    Status end_session();

    // Cuts metrics.jsonl to what it was when `checkpoint` was made; to nothing without one.
    Status rewind_to(const std::optional<Checkpoint>& checkpoint);

    // For a run without a checkpoint that starts from another run's: its metrics are `rows`, whole lines up
    // to `step`, and nothing else.
    Status take_rows(std::string_view rows, std::int64_t step);
    // Adds facts, an object, to this session's entry of environment.json; without one, nothing.
    Status note_in_session(const Json& facts);

    // Makes a checkpoint, the last thing a step does, in place of the last one, which stays until the new one
    // is complete and synced (with the metrics before it), or for good when it is kept. After an error, or
    // kill -9 at any moment, one complete checkpoint is found: the old or the new.
    Result<Checkpoint> write_checkpoint(std::int64_t step, const std::vector<CheckpointFile>& files,
                                        Keep keep = Keep::until_next);
    // The checkpoint to go on from; `io` when there is one but its files are damaged.
    [[nodiscard]] Result<std::optional<Checkpoint>> latest_checkpoint() const;

  private:
    struct Files;
    Run(std::filesystem::path folder, std::optional<FileLock> lock, Lease lease, Files files);
    Status restore_next_step(const std::optional<Checkpoint>& checkpoint);
    Status note_what_was_found();
    Status write_sessions(const Json& all);
    // Writes while the run is ours; a failure because it was taken over says so.
    Status guarded(const std::function<Status()>& write);

    std::string id_;
    std::filesystem::path folder_;
    std::optional<FileLock> lock_;  // not everywhere to be had
    Lease lease_;
    RunState state_;
    LineFile metrics_, timings_, log_;
    std::vector<std::string> notes_;
    std::optional<std::chrono::steady_clock::time_point> session_start_;
    std::int64_t next_step_ = 0;  // the first that a row of metrics may have
};

// The checkpoint in the folder of a run that another process may be writing; as Run::latest_checkpoint().
Result<std::optional<Checkpoint>> latest_checkpoint(const std::filesystem::path& run_folder);

// The newest complete checkpoint that is not after `step`; as latest_checkpoint() among those.
Result<std::optional<Checkpoint>> checkpoint_up_to(const std::filesystem::path& run_folder,
                                                   std::int64_t step);

// The text of metrics.jsonl when the checkpoint of a run was made; `io` when the file is shorter.
Result<std::string> metrics_before(const std::filesystem::path& run_folder, const Checkpoint& checkpoint);

// Every whole row of metrics.jsonl in the folder of a run; half a line at the end is no row.
Result<std::vector<Json>> read_metrics(const std::filesystem::path& run_folder);

}  // namespace plimsoll::store

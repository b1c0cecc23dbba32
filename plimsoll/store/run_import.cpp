#include "plimsoll/store/run_import.h"

#include <algorithm>
#include <tuple>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/store/checkpoint.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/lease.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/store/run_list.h"
#include "plimsoll/store/run_state.h"
#include "plimsoll/store/run_table.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

// Beside the runs, under names that are none of a run's.
constexpr std::string_view incoming = ".incoming-", outgoing = ".outgoing-";

// How far a run is, as its files say.
struct Progress {
    bool done = false;
    std::int64_t checkpoint = -1, step = 0;
    std::string metrics;

    [[nodiscard]] auto length() const { return std::tuple(done, checkpoint, metrics.size(), step); }
};

Result<Progress> progress_of(const fs::path& folder) {
    Progress progress;
    PLIMSOLL_ASSIGN(state, read_state(folder));
    progress.done = state.phase == Phase::done;
    progress.step = state.step;
    const auto checkpoint = newest_checkpoint(folder / "checkpoint");
    if (checkpoint.ok() && checkpoint->has_value()) progress.checkpoint = (*checkpoint)->step;
    if (const auto metrics = read_text(folder / "metrics.jsonl"); metrics.ok()) progress.metrics = *metrics;
    progress.metrics.resize(progress.metrics.rfind('\n') + 1);
    return progress;
}

Status check_config(const fs::path& folder) {
    PLIMSOLL_ASSIGN(text, read_text(folder / "config.toml"));
    if (run_id(text) == folder.filename()) return {};
    return bad_input("config.toml", fmt::format("was changed: its hash is {}", run_id(text)));
}

// Everything but the leases and the lock, which belong to the processes over there; synced.
Status copy_run(const fs::path& from, const fs::path& to) {
    PLIMSOLL_RETURN_IF_ERROR(remove_tree(to));
    PLIMSOLL_RETURN_IF_ERROR(make_folders(to / "checkpoint"));
    std::error_code problem;
    fs::recursive_directory_iterator at(from, problem);
    for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem)) {
        const fs::path inner = at->path().lexically_relative(from);
        if (inner == "claims" || inner == "run.lock") {
            at.disable_recursion_pending();
        } else if (at->is_directory(problem)) {
            PLIMSOLL_RETURN_IF_ERROR(make_folders(to / inner));
        } else if (at->is_regular_file(problem) && fs::copy_file(at->path(), to / inner, problem)) {
            fs::last_write_time(to / inner, at->last_write_time(problem), problem);
            PLIMSOLL_RETURN_IF_ERROR(sync_path(to / inner));
        }
    }
    if (problem)
        return io_error(at == fs::recursive_directory_iterator() ? from.string() : at->path().string(),
                        problem.message());
    return sync_path(to);
}

class Import {
  public:
    Import(const fs::path& from, const fs::path& runs, bool dry_run)
        : from_(from), runs_(runs), dry_run_(dry_run) {}

    // One run; an error here is that run's conflict, not the end of the import.
    ImportedRun take(const std::string& id) {
        const auto outcome = decide(id);
        if (outcome.ok()) return {id, *outcome, ""};
        return {id, Imported::conflict, outcome.error().text()};
    }

  private:
    Result<Imported> decide(const std::string& id) {
        PLIMSOLL_RETURN_IF_ERROR(check_config(from_ / id));
        if (!is_left(from_ / id) && is_on_this_system((**newest_lease(from_ / id)).holder))
            return unsupported(
                "", fmt::format("{} is writing it there", described((**newest_lease(from_ / id)).holder)));
        std::error_code none;
        if (!fs::exists(runs_ / id / "config.toml", none)) return copy(id);
        PLIMSOLL_RETURN_IF_ERROR(check_config(runs_ / id));
        PLIMSOLL_ASSIGN(there, progress_of(from_ / id));
        PLIMSOLL_ASSIGN(here, progress_of(runs_ / id));
        const auto shared = std::min(there.metrics.size(), here.metrics.size());
        if (there.metrics.compare(0, shared, here.metrics, 0, shared) != 0)
            return bad_input("metrics.jsonl", "says something else here; nothing was changed");
        if (there.length() <= here.length()) return Imported::same;
        return extend(id);
    }

    Result<Imported> copy(const std::string& id) {
        if (dry_run_) return Imported::copied;
        const fs::path made = runs_ / (std::string(incoming) + id);
        PLIMSOLL_RETURN_IF_ERROR(copy_run(from_ / id, made));
        // A folder that was made meanwhile, or half a one, is leased before it goes.
        PLIMSOLL_RETURN_IF_ERROR(put_in_place(id, made));
        return Imported::copied;
    }

    Result<Imported> extend(const std::string& id) {
        if (!is_left(runs_ / id))
            return unsupported(
                "", fmt::format("{} is writing it here", described((**newest_lease(runs_ / id)).holder)));
        if (dry_run_) return Imported::extended;
        const fs::path made = runs_ / (std::string(incoming) + id);
        PLIMSOLL_RETURN_IF_ERROR(copy_run(from_ / id, made));
        PLIMSOLL_RETURN_IF_ERROR(put_in_place(id, made));
        return Imported::extended;
    }

    // With the lease of what is here, so that nobody writes it while it goes. Killed between the two renames
    // the run is gone from here, not from there: the next import copies it.
    Status put_in_place(const std::string& id, const fs::path& made) {
        const fs::path final = runs_ / id, aside = runs_ / (std::string(outgoing) + id);
        PLIMSOLL_RETURN_IF_ERROR(remove_tree(aside));
        std::error_code none;
        if (fs::exists(final, none)) {
            PLIMSOLL_ASSIGN(lease, Lease::take(final, {.watch = Watch::nobody}));
            PLIMSOLL_RETURN_IF_ERROR(rename_path(final, aside));
            PLIMSOLL_RETURN_IF_ERROR(rename_path(made, final));
        } else {
            PLIMSOLL_RETURN_IF_ERROR(rename_path(made, final));
        }
        PLIMSOLL_RETURN_IF_ERROR(sync_path(runs_));
        return remove_tree(aside);
    }

    const fs::path& from_;
    const fs::path& runs_;
    bool dry_run_;
};

// What an import that was killed left behind.
Status remove_leftovers(const fs::path& runs) {
    PLIMSOLL_ASSIGN(entries, entries_of(runs));
    for (const auto& path : entries) {
        const std::string name = path.filename();
        if (name.starts_with(incoming) || name.starts_with(outgoing))
            PLIMSOLL_RETURN_IF_ERROR(remove_tree(path));
    }
    return {};
}

}  // namespace

std::string import_name(Imported outcome) {
    static const std::vector<std::string> names{"copied", "extended", "same", "conflict"};
    return names.at(static_cast<std::size_t>(outcome));
}

Result<std::vector<ImportedRun>> import_runs(const fs::path& from, const fs::path& runs,
                                             const ImportOptions& options) {
    PLIMSOLL_ASSIGN(ids, run_ids(from));
    std::error_code none;
    if (fs::equivalent(from, runs, none)) return bad_input(from.string(), "is the folder to import into");
    if (ids.empty()) return not_found(from.string(), "has no runs");
    std::optional<FileLock> lock;
    if (!options.dry_run) {
        PLIMSOLL_RETURN_IF_ERROR(make_folders(runs));
        PLIMSOLL_ASSIGN(held, FileLock::try_now(runs / ".import.lock"));
        lock = std::move(held);
        PLIMSOLL_RETURN_IF_ERROR(remove_leftovers(runs));
    }
    Import import(from, runs, options.dry_run);
    std::vector<ImportedRun> all;
    for (const auto& id : ids) {
        if (options.progress) options.progress(all.size(), ids.size());
        all.push_back(import.take(id));
    }
    return all;
}

}  // namespace plimsoll::store

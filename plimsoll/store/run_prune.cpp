#include "plimsoll/store/run_prune.h"

#include "plimsoll/base/format.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/lease.h"
#include "plimsoll/store/run_list.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

std::uint64_t bytes_below(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code problem, none;
    for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end;
         at.increment(problem))
        if (at->is_regular_file(none)) bytes += at->file_size(none);
    return bytes;
}

fs::path pruned_part(const fs::path& run_folder, Prune what) {
    return what == Prune::checkpoints ? run_folder / "checkpoint" : run_folder;
}

Status remove_checkpoints(const fs::path& run_folder) {
    PLIMSOLL_ASSIGN(entries, entries_of(run_folder / "checkpoint"));
    for (const auto& path : entries) PLIMSOLL_RETURN_IF_ERROR(remove_tree(path));
    return {};
}

// Under the lease of the run; the whole of it goes by one rename, out of everybody's way.
Status remove_now(const fs::path& run_folder, Prune what) {
    PLIMSOLL_ASSIGN(lease, Lease::take(run_folder, {.watch = Watch::nobody}));
    if (what == Prune::checkpoints) return remove_checkpoints(run_folder);
    const fs::path aside = run_folder.parent_path() / (".outgoing-" + run_folder.filename().string());
    PLIMSOLL_RETURN_IF_ERROR(remove_tree(aside));
    PLIMSOLL_RETURN_IF_ERROR(rename_path(run_folder, aside));
    return remove_tree(aside);
}

}  // namespace

std::vector<PrunedRun> plan_prune(const fs::path& runs, const RunTable& table, Prune what) {
    std::vector<PrunedRun> all;
    for (const RunRow& row : table.rows) {
        const fs::path folder = runs / row.id;
        PrunedRun pruned{row.id, bytes_below(pruned_part(folder, what)), ""};
        const auto lease = newest_lease(folder);
        if (lease.ok() && lease->has_value() && !is_free(**lease))
            pruned.reason = fmt::format("{} has it", described((*lease)->holder));
        if (what == Prune::runs || pruned.bytes > 0) all.push_back(std::move(pruned));
    }
    return all;
}

std::vector<PrunedRun> prune(const fs::path& runs, const RunTable& table, Prune what) {
    auto all = plan_prune(runs, table, what);
    for (PrunedRun& pruned : all) {
        if (!pruned.reason.empty()) continue;
        if (const Status removed = remove_now(runs / pruned.id, what); !removed.ok())
            pruned.reason = removed.error().text();
    }
    return all;
}

}  // namespace plimsoll::store

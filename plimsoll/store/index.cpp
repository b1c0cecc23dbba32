#include "plimsoll/store/index.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>

#include <sys/stat.h>

#include "plimsoll/base/format.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/index_rows.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "index.sqlite";

// Size, time and number of the files that a row is made of: what changes whenever one of them does.
std::string signature_of(const fs::path& run_folder) {
    std::string text;
    for (const char* name : {"config.toml", "state.json", "metrics.jsonl", "environment.json"}) {
        struct stat facts{};
        if (::stat((run_folder / name).c_str(), &facts) != 0) std::memset(&facts, 0, sizeof facts);
        fmt::format_to(std::back_inserter(text), "{:x}.{:x}.{:x}.{:x} ", facts.st_size, facts.st_mtim.tv_sec,
                       facts.st_mtim.tv_nsec, facts.st_ino);
    }
    return text;
}

// The runs of a folder, each with its signature and, where the index knew it, its facts.
struct Listing {
    std::vector<std::string> ids, signatures;
    std::vector<Facts> facts;
    std::vector<std::size_t> unknown;  // rows without facts yet
};

Result<Listing> listing_of(const fs::path& runs, IndexedRows& known) {
    Listing list;
    PLIMSOLL_ASSIGN(ids, run_ids(runs));
    list.ids = std::move(ids);
    list.facts.resize(list.ids.size());
    for (std::size_t i = 0; i < list.ids.size(); ++i) {
        list.signatures.push_back(signature_of(runs / list.ids[i]));
        const auto found = known.find(list.ids[i]);
        if (found != known.end() && found->second.signature == list.signatures[i])
            list.facts[i] = std::move(found->second.facts);
        else
            list.unknown.push_back(i);
    }
    return list;
}

// The rows that the index does not know as they are. The files may change meanwhile: their signatures are
// from before, so that the next look reads them again.
void read_unknown(Listing& list, const fs::path& runs, const IndexOptions& options) {
    std::vector<std::string> ids;
    for (const std::size_t i : list.unknown) ids.push_back(list.ids[i]);
    auto facts = read_facts(runs, ids, options.derive, options.progress);
    for (std::size_t k = 0; k < facts.size(); ++k) list.facts[list.unknown[k]] = std::move(facts[k]);
}

// What the index must learn: the rows that were read again, and the runs that are gone.
IndexChange change_of(const Listing& list, const IndexedRows& known) {
    IndexChange change;
    for (const std::size_t i : list.unknown)
        change.rows.push_back({list.ids[i], list.signatures[i], &list.facts[i]});
    for (const auto& [id, row] : known)
        if (!std::ranges::binary_search(list.ids, id)) change.gone.push_back(id);
    return change;
}

Status remove_index(const fs::path& runs) {
    for (const char* end : {"", "-journal", "-wal", "-shm"})
        PLIMSOLL_RETURN_IF_ERROR(remove_tree(runs / (std::string(file_name) + end)));
    return {};
}

}  // namespace

Result<RunTable> read_run_table(const fs::path& runs, const IndexOptions& options) {
    std::vector<std::string> warnings;
    IndexedRows known;
    bool writable = options.use_index;
    std::error_code none;
    if (options.use_index && fs::exists(runs / file_name, none)) {
        auto rows = read_index(runs / file_name);
        if (rows.ok()) {
            known = std::move(rows).value();
        } else if (rows.error().kind == ErrorKind::bad_input && remove_index(runs).ok()) {
            warnings.push_back(fmt::format("{}; it is rebuilt", rows.error().text()));
        } else {
            warnings.push_back(fmt::format("{}; the folders were read instead", rows.error().text()));
            writable = false;
        }
    }
    PLIMSOLL_ASSIGN(list, listing_of(runs, known));
    read_unknown(list, runs, options);
    const IndexChange change = change_of(list, known);
    if (writable && !(change.rows.empty() && change.gone.empty())) {
        const Status written = change_index(runs / file_name, change);
        if (!written.ok() && warnings.empty())
            warnings.push_back(fmt::format("{}; the index was not updated", written.error().text()));
    }
    RunTable table = table_of(list.ids, std::move(list.facts));
    table.warnings = std::move(warnings);
    mark_interrupted(table, runs);
    return table;
}

Result<RunTable> reindex(const fs::path& runs, const IndexOptions& options) {
    IndexedRows nothing;
    PLIMSOLL_ASSIGN(list, listing_of(runs, nothing));
    read_unknown(list, runs, options);
    PLIMSOLL_RETURN_IF_ERROR(remove_index(runs));
    PLIMSOLL_RETURN_IF_ERROR(change_index(runs / file_name, change_of(list, nothing)));
    RunTable table = table_of(list.ids, std::move(list.facts));
    mark_interrupted(table, runs);
    return table;
}

}  // namespace plimsoll::store

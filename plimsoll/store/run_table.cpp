#include "plimsoll/store/run_table.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <unordered_map>

#include "plimsoll/base/text.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/lease_files.h"
#include "plimsoll/store/run_list.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

constexpr unsigned most_threads = 8;

std::size_t key_position(const RunTable& table, std::string_view key) {
    const auto found = std::ranges::lower_bound(table.keys, key);
    return found != table.keys.end() && *found == key ? static_cast<std::size_t>(found - table.keys.begin())
                                                      : table.keys.size();
}

}  // namespace

const Cell& RunTable::at(const RunRow& row, std::string_view key) const {
    static const Cell none;
    const std::size_t position = key_position(*this, key);
    return position < row.cells.size() ? row.cells[position] : none;
}

Result<std::vector<std::string>> run_ids(const fs::path& runs) {
    std::error_code problem, none;
    std::vector<std::string> ids;
    for (fs::directory_iterator at(runs, problem), end; !problem && at != end; at.increment(problem)) {
        std::string name = at->path().filename();
        if (is_run_id(name) && at->is_directory(none)) ids.push_back(std::move(name));
    }
    if (problem == std::errc::no_such_file_or_directory)
        return not_found(runs.string(), "no such folder of runs; training makes one, --runs names another");
    if (problem) return io_error(runs.string(), problem.message());
    std::ranges::sort(ids);
    return ids;
}

std::vector<Facts> read_facts(const fs::path& runs, const std::vector<std::string>& ids,
                              const DerivedFacts& derive, const ProgressCallback& progress) {
    std::vector<Facts> facts(ids.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&](bool tells) {
        for (std::size_t i = next++; i < ids.size(); i = next++) {
            facts[i] = read_run_facts(runs / ids[i], derive);
            if (tells && progress) progress(i, ids.size());
        }
    };
    const auto threads =
        std::min<std::size_t>({most_threads, std::thread::hardware_concurrency(), ids.size() / 16});
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work, false);
    work(true);
    others.clear();
    return facts;
}

RunTable table_of(const std::vector<std::string>& ids, std::vector<Facts> facts) {
    std::unordered_map<std::string, std::size_t> positions;
    for (const Facts& one : facts)
        for (const auto& [key, value] : one)
            if (!is_empty(value)) positions.emplace(key, 0);
    RunTable table;
    for (const auto& [key, position] : positions) table.keys.push_back(key);
    std::ranges::sort(table.keys);
    for (std::size_t i = 0; i < table.keys.size(); ++i) positions[table.keys[i]] = i;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        table.rows.push_back({ids[i], std::vector<Cell>(table.keys.size())});
        for (auto& [key, value] : facts[i])
            if (!is_empty(value)) table.rows.back().cells[positions.at(key)] = std::move(value);
    }
    return table;
}

void mark_interrupted(RunTable& table, const fs::path& runs) {
    const std::size_t phase = key_position(table, "phase");
    if (phase == table.keys.size()) return;
    for (RunRow& row : table.rows)
        if (row.cells[phase] == Cell("running") && is_left(runs / row.id)) row.cells[phase] = "interrupted";
}

}  // namespace plimsoll::store

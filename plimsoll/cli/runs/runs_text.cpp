#include "plimsoll/cli/runs/runs_text.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using store::Cell, store::RunRow, store::RunTable;

constexpr std::size_t short_digits = 8, most_remarks = 5;

struct UsualColumn {
    const char* key;
    const char* heading;
    bool always;  // also when no run has a value
};

constexpr std::array usual_columns{
    UsualColumn{"id", "run", true},
    UsualColumn{"name", "name", false},
    UsualColumn{"phase", "phase", true},
    UsualColumn{"step", "step", true},
    UsualColumn{"parameters", "params", false},
    UsualColumn{"loss", "loss", true},
    UsualColumn{"validation.loss", "val loss", false},
    UsualColumn{"validation.bits_per_byte", "bits/byte", false},
    UsualColumn{"validation.accuracy", "accuracy", false},
    UsualColumn{"validation.explained_variance", "explained", false},
};

Mark mark_of(const RunTable& table, const RunRow& row) {
    const std::string phase = store::cell_text(table.at(row, "phase"));
    if (phase == "failed" || !store::is_empty(table.at(row, "problem"))) return Mark::act;
    if (phase == "done") return Mark::passed;
    return phase == "interrupted" ? Mark::undecided : Mark::none;
}

// A value for a table: four figures of a real number.
std::string shown(const std::string& key, const Cell& cell) {
    if (key == "parameters" && store::is_number(cell)) return human_count(store::number_of(cell));
    if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{:.4g}", *real);
    return printable(store::cell_text(cell));
}

bool is_text(const RunTable& table, const std::string& key) {
    return key == "id" || std::ranges::any_of(table.rows, [&](const RunRow& row) {
               return std::holds_alternative<std::string>(table.at(row, key));
           });
}

// Enough digits of the ids to tell them apart.
std::size_t digits_needed(const RunTable& table) {
    std::vector<std::string> starts;
    for (const RunRow& row : table.rows) starts.push_back(row.id.substr(0, short_digits));
    std::ranges::sort(starts);
    return std::ranges::adjacent_find(starts) == starts.end() ? short_digits : 16;
}

struct ShownColumns {
    std::vector<std::string> keys;
    std::vector<Column> headings;

    void add(const RunTable& table, const std::string& key, const std::string& heading) {
        keys.push_back(key);
        headings.push_back({heading, is_text(table, key) ? Align::left : Align::right});
    }
};

ShownColumns columns_of(const RunTable& table, const std::vector<std::string>& chosen) {
    ShownColumns columns;
    for (const auto& key : chosen) columns.add(table, key, key);
    if (!chosen.empty()) return columns;
    for (const auto& [key, heading, always] : usual_columns) {
        const bool used = std::ranges::any_of(table.rows, [&, name = key](const RunRow& row) {
            return !store::is_empty(table.at(row, name)) && table.at(row, name) != Cell("");
        });
        if (always || used) columns.add(table, key, heading);
    }
    return columns;
}

void print_remarks(const RunTable& table) {
    std::size_t remarks = 0;
    for (const RunRow& row : table.rows) {
        for (const char* key : {"problem", "note"}) {
            const std::string text = store::cell_text(table.at(row, key));
            if (text.empty() || remarks++ >= most_remarks) continue;
            fmt::print("{}{}", remarks == 1 ? "\n" : "",
                       wrapped(short_name(table, row) + ": " + printable(text), 0, 2));
        }
    }
    if (remarks > most_remarks) fmt::print("... and {} more\n", remarks - most_remarks);
}

}  // namespace

std::string run_count(std::size_t count) { return fmt::format("{} run{}", count, count == 1 ? "" : "s"); }

std::string short_name(const RunTable& table, const RunRow& row) {
    const std::string name = store::cell_text(table.at(row, "name"));
    return name.empty() ? row.id.substr(0, short_digits) : printable(name);
}

void print_runs(const RunTable& table, const std::vector<std::string>& columns, std::size_t total) {
    if (table.rows.empty()) {
        fmt::print("0 of {}.\n", run_count(total));
        return;
    }
    const ShownColumns chosen = columns_of(table, columns);
    const std::size_t digits = columns.empty() ? digits_needed(table) : 16;
    Table text(chosen.headings);
    for (const RunRow& row : table.rows) {
        std::vector<std::string> cells;
        for (const auto& key : chosen.keys)
            cells.push_back(key == "id" ? row.id.substr(0, digits) : shown(key, table.at(row, key)));
        text.add(std::move(cells), mark_of(table, row));
    }
    text.print();
    print_remarks(table);
    fmt::print("\n{} of {}.  One of them: plimsoll runs show {}\n", table.rows.size(), run_count(total),
               table.rows.front().id.substr(0, digits));
}

int print_import(const std::vector<store::ImportedRun>& all, bool dry_run) {
    const auto count = [&](store::Imported outcome) {
        return std::ranges::count(all, outcome, &store::ImportedRun::outcome);
    };
    for (const auto& run : all)
        if (run.outcome == store::Imported::conflict)
            fmt::print("{}", wrapped(fmt::format("! {}: {}", run.id, printable(run.reason)), 0, 2));
    const auto conflicts = count(store::Imported::conflict);
    fmt::print("{}{} copied, {} extended, {} here already, {} left alone{}\n", conflicts > 0 ? "\n" : "",
               count(store::Imported::copied), count(store::Imported::extended), count(store::Imported::same),
               conflicts, dry_run ? " (a dry run: nothing was changed)" : "");
    return conflicts > 0 ? 1 : 0;
}

Json import_json(const std::vector<store::ImportedRun>& all) {
    Json list = Json::array();
    for (const auto& run : all)
        list.push_back(
            {{"id", run.id}, {"outcome", store::import_name(run.outcome)}, {"reason", run.reason}});
    return list;
}

void print_prune(const std::vector<store::PrunedRun>& all, const RunTable& table, store::Prune what,
                 bool done) {
    std::uint64_t bytes = 0;
    std::size_t removed = 0;
    for (const auto& run : all) {
        const auto row = std::ranges::find(table.rows, run.id, &RunRow::id);
        const std::string name = row == table.rows.end() ? "" : short_name(table, *row);
        const std::string size = human_bytes(static_cast<double>(run.bytes));
        if (run.reason.empty()) {
            fmt::print("  {}  {:>9}  {}\n", run.id, size, name);
            bytes += run.bytes;
            ++removed;
        } else {
            fmt::print("! {}  {:>9}  {}: not removed, {}\n", run.id, size, name, printable(run.reason));
        }
    }
    const std::string things =
        what == store::Prune::runs ? run_count(removed) : "checkpoints of " + run_count(removed);
    fmt::print("{}{}, {}{}\n", all.empty() ? "" : "\n", things, human_bytes(static_cast<double>(bytes)),
               done ? " removed" : " would be removed; add --yes to remove");
}

Json prune_json(const std::vector<store::PrunedRun>& all, bool done) {
    Json list = Json::array();
    for (const auto& run : all)
        list.push_back({{"id", run.id},
                        {"bytes", run.bytes},
                        {"removed", done && run.reason.empty()},
                        {"reason", run.reason}});
    return list;
}

}  // namespace plimsoll::cli

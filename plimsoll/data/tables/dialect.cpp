#include "plimsoll/data/tables/dialect.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::data {
namespace {

using Records = std::vector<std::vector<std::string>>;

constexpr std::size_t sniffed_records = 100, most_sniffed_cells = 65536;
constexpr std::array delimiters{',', '\t', ';', '|'};

// In TSV a quotation mark is a character.
Dialect dialect_with(char delimiter) { return {delimiter, delimiter != '\t'}; }

// The first records; the last is left out where the text may go on. Broken ones end them.
Records first_records(std::string_view text, bool whole, const Dialect& dialect) {
    RecordReader reader(text, dialect, "");
    Records records;
    std::vector<Cell> cells;
    while (records.size() <= sniffed_records) {
        const auto more = reader.next(cells, most_sniffed_cells);
        if (!more.ok() || !*more) {
            if (more.ok() && !whole && records.size() > 1) records.pop_back();
            break;
        }
        auto& record = records.emplace_back();
        for (const Cell& cell : cells) record.emplace_back(cell.text);
    }
    return records;
}

bool all_alike(const Records& records) {
    return std::ranges::all_of(records, [&](const auto& r) { return r.size() == records[0].size(); });
}

// Whether a column holds numbers in all records but the first.
bool has_numbers_below(const Records& records, std::size_t column) {
    bool any = false;
    for (std::size_t i = 1; i < records.size(); ++i) {
        if (column >= records[i].size()) return false;
        if (!is_number(records[i][column]) && !is_missing(records[i][column])) return false;
        any = any || is_number(records[i][column]);
    }
    return any;
}

// A header names every column with what is no number; the first may have no name (pandas' index). Each has a
// name of its own, or stands above numbers: words that repeat may be a row otherwise.
bool is_header(const Records& records) {
    std::set<std::string_view> seen;
    bool repeats = false, above_numbers = false;
    for (std::size_t i = 0; i < records[0].size(); ++i) {
        const std::string_view name = trim(records[0][i]);
        if (is_number(name) || (i > 0 && is_missing(name))) return false;
        repeats = !seen.insert(name).second || repeats;
        above_numbers = above_numbers || has_numbers_below(records, i);
    }
    return !repeats || above_numbers;
}

// "a", "b", "a_2" for a, b, a.
void tell_apart(std::vector<std::string>& columns) {
    std::set<std::string> seen;
    for (auto& name : columns) {
        const std::string own = name;
        for (int number = 2; !seen.insert(name).second; ++number) name = fmt::format("{}_{}", own, number);
    }
}

bool has_number_column(const TableHead& head) {
    for (std::size_t i = 0; i < head.columns.size(); ++i)
        if (std::ranges::all_of(head.rows, [&](const auto& row) { return is_number(row[i]); })) return true;
    return false;
}

TableHead head_of(const Dialect& dialect, Records records) {
    TableHead head{dialect, is_header(records), {}, {}};
    for (std::size_t i = 0; i < records[0].size(); ++i) {
        const std::string name(trim(records[0][i]));
        head.columns.push_back(head.named && !name.empty() ? name : fmt::format("column{}", i + 1));
    }
    tell_apart(head.columns);
    if (head.named) records.erase(records.begin());
    head.rows = std::move(records);
    return head;
}

}  // namespace

bool is_number(std::string_view cell) {
    cell = trim(cell);
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
}

bool is_missing(std::string_view cell) {
    constexpr std::array<std::string_view, 12> words{"",     "NA",   "N/A",  "NaN", "nan", "null",
                                                     "NULL", "None", "none", "?",   "n/a", "."};
    return std::ranges::find(words, trim(cell)) != words.end();
}

std::optional<TableHead> table_head(std::string_view first, bool whole, bool called_table) {
    first = without_mark(first);
    std::optional<TableHead> best;
    for (const char delimiter : delimiters) {
        const Dialect dialect = dialect_with(delimiter);
        Records records = first_records(first, whole, dialect);
        if (records.empty() || records[0].size() < 2) continue;
        const bool alike = all_alike(records);
        if (best && (!alike || records[0].size() <= best->columns.size())) continue;
        constexpr std::size_t enough_records = 3;
        if (!called_table && (!alike || records.size() < enough_records)) continue;
        if (!alike) records.resize(1);
        TableHead head = head_of(dialect, std::move(records));
        if (called_table || has_number_column(head)) best = std::move(head);
    }
    return best;
}

}  // namespace plimsoll::data

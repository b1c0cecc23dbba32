#include "plimsoll/data/tables/dialect.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

using Records = std::vector<std::vector<std::string>>;

constexpr std::size_t sniffed_records = 100, most_sniffed_cells = 65536;
constexpr std::array delimiters{',', '\t', ';', '|'};

// In TSV a quotation mark is a character.
Dialect dialect_with(char delimiter) { return {delimiter, delimiter != '\t'}; }

// The start of a table in one dialect.
struct Start {
    Dialect dialect;
    Records records;
    bool broken = false;  // a record is no record in this dialect
};

bool all_alike(const Records& records) {
    return std::ranges::all_of(records, [&](const auto& r) { return r.size() == records[0].size(); });
}

// The first records; the last is left out where the text may go on. Broken ones end them.
Start first_records(std::string_view text, bool whole, const Dialect& dialect) {
    RecordReader reader(text, dialect, "");
    Start start{dialect, {}};
    Records& records = start.records;
    std::vector<Cell> cells;
    while (records.size() <= sniffed_records) {
        const auto more = reader.next(cells, most_sniffed_cells);
        start.broken = !more.ok();
        if (!more.ok() || !*more) {
            if (more.ok() && !whole && records.size() > 1) records.pop_back();
            break;
        }
        auto& record = records.emplace_back();
        for (const Cell& cell : cells) record.emplace_back(cell.text);
    }
    return start;
}

// Where quotation marks stand inside cells (3.5" disk) and none begins one, they are characters.
Start first_records(std::string_view text, bool whole, char delimiter) {
    Start start = first_records(text, whole, dialect_with(delimiter));
    if (!start.broken || !start.dialect.quotes) return start;
    Start plain = first_records(text, whole, Dialect{delimiter, false});
    const auto begins = [](const std::string& cell) { return cell.starts_with('"'); };
    const bool quoted = std::ranges::any_of(
        plain.records, [&](const auto& record) { return std::ranges::any_of(record, begins); });
    return quoted || plain.broken || !all_alike(plain.records) ? start : plain;
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

// Lines that end with a separator have nothing in their last column.
bool is_unused(const Records& records, std::size_t column) {
    return column > 0 && std::ranges::all_of(records, [&](const auto& record) {
               return column >= record.size() || trim(record[column]).empty();
           });
}

// A header names every column with what is no number; the first may have no name (pandas' index), and the
// last where nothing is in it. Each has a name of its own, or stands above numbers: words that repeat may be
// a row otherwise.
bool is_header(const Records& records) {
    std::set<std::string_view> seen;
    bool repeats = false, above_numbers = false;
    for (std::size_t i = 0; i < records[0].size(); ++i) {
        const std::string_view name = trim(records[0][i]);
        const bool last = i + 1 == records[0].size();
        if (last && is_unused(records, i)) continue;
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

Error no_table(std::string_view first, const std::string& name) {
    RecordReader reader(without_mark(first), dialect_with(','), name);
    std::vector<Cell> cells;
    const auto more = reader.next(cells, most_sniffed_cells);
    if (!more.ok()) return more.error();
    if (!*more || trim(first).empty()) return bad_input(name, "is empty; a table has a header line and rows");
    return bad_input(
        fmt::format("{}: line {}", name, reader.line()),
        fmt::format(
            "one cell ({}), and a table has two or more with , tab ; or | between them (--kind text reads "
            "its bytes as they are)",
            printable(cells[0].text, 40)));
}

std::size_t last_used_column(const TableHead& head) {
    std::size_t last = head.columns.size() - 1;
    while (last > 0 && !head.rows.empty() && is_unused(head.rows, last)) --last;
    return last;
}

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
        auto [dialect, records, broken] = first_records(first, whole, delimiter);
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

#include "plimsoll/report/table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "plimsoll/base/condition.h"
#include "plimsoll/base/csv.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::report {
namespace {

constexpr std::size_t most_table_bytes = 1'000'000'000;  // of a CSV file

// 12, -0.5, .5 and 1e-3, but not 007, inf and nan.
bool looks_like_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return false;
    const bool leading_zero = text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
    return !leading_zero;
}

// What a cell without quotes stands for.
Cell plain_cell(std::string_view text) {
    if (text.empty()) return {};
    if (text == "true") return true;
    if (text == "false") return false;
    if (!looks_like_number(text)) return std::string(text);
    const bool whole = text.find_first_not_of("-0123456789") == std::string_view::npos;
    if (const auto number = parse_integer(text, ""); whole && text != "-0" && number.ok()) return *number;
    if (const auto number = parse_real(text, ""); number.ok()) return *number;
    return std::string(text);
}

std::string real_text(double value) {
    if (std::isnan(value)) return "nan";
    std::string text = fmt::format("{}", value);
    if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

void append_cell(std::string& line, const Cell& cell) {
    if (const auto* real = std::get_if<double>(&cell)) {
        line += real_text(*real);
        return;
    }
    const std::string text = store::cell_text(cell);
    append_csv(line, text, std::holds_alternative<std::string>(cell) && plain_cell(text) != cell);
}

Result<std::vector<std::string>> read_names(const CsvRow& header, const std::string& where) {
    std::vector<std::string> names;
    const std::string place = fmt::format("{}:{}", where, header.line);
    for (const CsvCell& cell : header.cells) {
        if (cell.text.empty())
            return bad_input(place, fmt::format("column {} has no name", names.size() + 1));
        const auto before = std::ranges::find(names, cell.text);
        if (before != names.end())
            return bad_input(place,
                             fmt::format("columns {} and {} are both named '{}'", before - names.begin() + 1,
                                         names.size() + 1, printable(cell.text)));
        names.push_back(cell.text);
    }
    return names;
}

// A line with nothing in it is no row, except in a table of one column.
bool is_blank(const CsvRow& row, const Table& table) {
    return table.columns.size() > 1 && row.cells.size() == 1 && row.cells[0].text.empty() &&
           !row.cells[0].quoted;
}

}  // namespace

Result<Table> parse_table(std::string_view text, const std::string& where) {
    PLIMSOLL_ASSIGN(lines, parse_csv(text, where));
    if (lines.empty()) return bad_input(where, "is empty: the first line must name the columns");
    PLIMSOLL_ASSIGN(names, read_names(lines.front(), where));
    Table table{std::move(names), {}};
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const CsvRow& line = lines[i];
        if (is_blank(line, table)) continue;
        if (line.cells.size() != table.columns.size())
            return bad_input(fmt::format("{}:{}", where, line.line),
                             fmt::format("must have {} cells, as many as there are names, got {}",
                                         table.columns.size(), line.cells.size()));
        auto& row = table.rows.emplace_back();
        for (const CsvCell& cell : line.cells)
            row.push_back(cell.quoted ? Cell(cell.text) : plain_cell(cell.text));
    }
    return table;
}

Result<Table> read_csv(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path, most_table_bytes));
    return parse_table(text, path.string());
}

std::string csv_text(const Table& table) {
    std::string text = csv_line(table.columns) + "\n";
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) text += ',';
            append_cell(text, row[i]);
        }
        text += '\n';
    }
    return text;
}

Result<std::size_t> column_named(const Table& table, std::string_view name, const std::string& place) {
    const auto found = std::ranges::find(table.columns, name);
    if (found != table.columns.end()) return static_cast<std::size_t>(found - table.columns.begin());
    return bad_input(place,
                     fmt::format("no column '{}'{}", printable(name), suggestion(name, table.columns)));
}

Result<Table> filtered(const Table& table, const std::vector<std::string>& where, const std::string& place) {
    ConditionWords words{table.columns};
    words.noun = "column";
    std::vector<Condition> conditions;
    for (const auto& text : where) {
        PLIMSOLL_ASSIGN(condition, read_condition(text, words, place));
        conditions.push_back(std::move(condition));
    }
    Table kept{table.columns, {}};
    for (const auto& row : table.rows) {
        const auto lookup = [&](const std::string& name) {
            return store::cell_json(row[*column_named(table, name, place)]);
        };
        bool all = true;
        for (const Condition& condition : conditions) {
            PLIMSOLL_ASSIGN(yes, holds(condition, lookup));
            all = all && yes.value_or(false);
        }
        if (all) kept.rows.push_back(row);
    }
    return kept;
}

std::optional<double> finite_number(const Cell& cell) {
    if (!store::is_number(cell) || !std::isfinite(store::number_of(cell))) return std::nullopt;
    return store::number_of(cell);
}

bool cell_less(const Cell& a, const Cell& b) {
    const auto rank = [](const Cell& cell) {
        return store::is_number(cell) ? 2 : cell.index() == 4 ? 3 : cell.index();
    };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (store::is_number(a) && store::number_of(a) != store::number_of(b))
        return store::number_of(a) < store::number_of(b);
    return a < b;
}

bool CellKeyLess::operator()(const CellKey& a, const CellKey& b) const {
    return std::ranges::lexicographical_compare(a, b, cell_less);
}

}  // namespace plimsoll::report

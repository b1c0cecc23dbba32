#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/store/run_facts.h"

// Rows of named columns: what reports are made of, and the CSV files they are kept in.
namespace plimsoll::report {

using store::Cell;

// Every row has as many cells as there are columns; column names are not repeated.
struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
};

// Reads CSV with a line of names. Cells without quotes are numbers, true, false or nothing where they look so
// (12, -0.5, 1e-3; not 007, nan or 64K), otherwise text; cells in quotes are text. A line with more or fewer
// cells than names, a name twice and broken quotes are errors with their line.
Result<Table> parse_table(std::string_view text, const std::string& where);

// Reads a CSV file of at most a gigabyte.
Result<Table> read_csv(const std::filesystem::path& path);

// The table as CSV that parse_table turns into the same cells: numbers in their shortest form, a double never
// without a point or an exponent, text in quotes where it would be read as something else. A number that is
// not finite becomes the text nan, inf or -inf.
std::string csv_text(const Table& table);

// Where the column lies; an error at `place` with what could have been meant.
Result<std::size_t> column_named(const Table& table, std::string_view name, const std::string& place);

// The rows for which each condition holds ("depth <= 12", "family == mixer or family == attention"; see
// base/condition.h). A row without a value that a condition asks for is not kept.
Result<Table> filtered(const Table& table, const std::vector<std::string>& where, const std::string& place);

// The finite number in a cell; nothing for text, truth, nan and an empty cell.
std::optional<double> finite_number(const Cell& cell);

// Orders cells: empty, then false and true, then numbers by value, then text.
bool cell_less(const Cell& a, const Cell& b);

// Cells that rows are grouped by, ordered as cell_less orders each.
using CellKey = std::vector<Cell>;
struct CellKeyLess {
    bool operator()(const CellKey& a, const CellKey& b) const;
};

}  // namespace plimsoll::report

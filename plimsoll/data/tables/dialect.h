#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/tables/records.h"

namespace plimsoll::data {

// The start of a table: how it is written, what its columns are called and some records as they are.
struct TableHead {
    Dialect dialect;
    bool named = true;  // the first record is a header; otherwise the columns are column1, column2, ...
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

// The head of a table from the first bytes of a text; `whole` when that is all of it. Nothing when the text
// is no table: its records have different numbers of cells, or it has one column. A text that nobody calls a
// table is one only with three records or more and a column of numbers. The error is a table's that is broken
// in its first record.
std::optional<TableHead> table_head(std::string_view first, bool whole, bool called_table);

// Why a text is no table although its name says so: it is empty, broken in its first record, has too
// many columns, or one.
Error no_table(std::string_view first, const std::string& name);

// The last column that has a value in one of the first records: lines that end with a separator have none
// behind it.
std::size_t last_used_column(const TableHead& head);

// Whether a cell is a finite number (12, -1.5e3, +.5), or says that there is none (empty, NA, NaN, null,
// ...).
bool is_number(std::string_view cell);
bool is_missing(std::string_view cell);

}  // namespace plimsoll::data

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

// Comma-separated values (RFC 4180): cells in quotes may hold commas, line ends and, doubled, quotes.
namespace plimsoll {

// One cell; whether it was in quotes tells the text "12" from the number 12.
struct CsvCell {
    std::string text;
    bool quoted = false;
};

// The cells of one row and the line it starts on, from 1.
struct CsvRow {
    std::size_t line = 0;
    std::vector<CsvCell> cells;
};

// Reads CSV text with \n or \r\n; a byte-order mark is skipped. Text beside quotes, a quote that is never
// closed and bytes that are no UTF-8 are errors with their line. `where` names the source.
Result<std::vector<CsvRow>> parse_csv(std::string_view text, const std::string& where);

// The texts of a row's cells.
std::vector<std::string> texts_of(CsvRow row);

// Adds a cell to a line of CSV, in quotes when it needs them or `quote` asks for them.
void append_csv(std::string& line, std::string_view cell, bool quote = false);

// One line of CSV without its end.
std::string csv_line(std::span<const std::string> cells);

}  // namespace plimsoll

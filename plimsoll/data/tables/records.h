#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll::data {

// How a table is written as text: what stands between cells, and whether a quotation mark at the start of a
// cell keeps separators and line ends inside it (RFC 4180; doubled, it is a mark).
struct Dialect {
    char delimiter = ',';
    bool quotes = true;
    bool operator==(const Dialect&) const = default;
};

// "CSV", "TSV", "a table with ; between cells".
std::string dialect_name(const Dialect& dialect);

// One cell: a part of the text, or of the reader's own memory until the next record is read.
struct Cell {
    std::string_view text;
    bool quoted = false;
};

// The records of a table one after the other. Lines without anything are passed over.
class RecordReader {
  public:
    // `where` names the source; `line` is the number of the text's first line.
    RecordReader(std::string_view text, Dialect dialect, std::string where, std::size_t line = 1);

    // The next record; false at the end. A quotation mark that is never closed or inside a cell without, text
    // behind a closing one and more than `most_cells` cells are errors with their line.
    Result<bool> next(std::vector<Cell>& cells, std::size_t most_cells);

    // Where the last record began: its line, and its byte in the text.
    [[nodiscard]] std::size_t line() const { return record_line_; }
    [[nodiscard]] std::size_t byte() const { return record_byte_; }
    [[nodiscard]] Error wrong(std::string message) const;

  private:
    Status read_quoted(Cell& cell);
    Status read_plain(Cell& cell);
    void skip_empty_lines();
    [[nodiscard]] bool at_line_end() const;

    std::string_view text_;
    Dialect dialect_;
    std::string where_;
    std::size_t at_ = 0, line_, record_line_ = 0, record_byte_ = 0;
    std::deque<std::string> unquoted_;  // cells with doubled marks; none moves while others are read
    std::size_t used_ = 0;
};

// A text without the byte-order mark it may start with.
std::string_view without_mark(std::string_view text);

}  // namespace plimsoll::data

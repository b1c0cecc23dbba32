#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll::cli {

// Prints "error: where: message" to stderr and returns the exit code of its kind.
int print_error(const Error& error);

// The end of a verb that could not answer: print_error, and the same as JSON on stdout where --json asks.
int fail(const Error& error);
int fail(const Error& error, int exit_code);

// {"error": {"exit_code", "where", "message"}}.
Json error_json(const Error& error, int exit_code);

// Says on stderr what was assumed, or is worth knowing, beside an answer; nothing with --quiet.
void note(const std::string& text);

// The exit code of a verb that came to an end, or that of its error, which is printed.
int exit_code_of(const Result<int>& outcome);

// Columns of the terminal on stderr; 0 when it is none, or one that cannot draw over a line.
std::size_t terminal_columns();

// Prints one JSON document, indented, to stdout: an object with its format, "plimsoll-KIND-1", in front, as
// docs/schema describes it; a list becomes its "rows".
void print_json(const std::string& kind, const Json& value);

// What a row of a table says about itself; shown as the symbol in column 1 and, on a terminal, as a colour.
enum class Mark { none, act, passed, note, undecided, advised };

enum class Align { left, right };

struct Column {
    std::string heading;
    Align align = Align::right;
};

// Aligned text for people: symbol column, lower-case headings, one rule of hyphens. ASCII, no boxes.
class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    // Adds a row; missing cells are empty.
    void add(std::vector<std::string> cells, Mark mark = Mark::none);
    [[nodiscard]] std::string text(bool colour) const { return text(colour, no_limit); }
    // The same in at most `columns` where that can be: columns closer together, else those that are aligned
    // left in several lines, from the right.
    [[nodiscard]] std::string text(bool colour, std::size_t columns) const;
    // Prints the table to stdout as wide as the terminal (80 where there is none), in colour on a terminal
    // without NO_COLOR.
    void print() const;

  private:
    struct Row {
        std::vector<std::string> cells;
        Mark mark;
    };
    // The width of each column, and the spaces between two.
    struct Layout {
        std::vector<std::size_t> widths;
        std::size_t gap;
        [[nodiscard]] std::size_t full() const;
    };
    static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
    [[nodiscard]] Layout layout(std::size_t columns) const;
    bool fold(std::vector<std::size_t>& widths, std::size_t over, std::size_t first) const;
    [[nodiscard]] std::string line(const Layout& layout, char symbol,
                                   const std::vector<std::string>& cells) const;
    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

// What --color says; by itself, true when stdout is a terminal and NO_COLOR is not set.
bool colour_wanted();

}  // namespace plimsoll::cli

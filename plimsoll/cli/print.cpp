#include "plimsoll/cli/print.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

constexpr const char* reset = "\033[0m";

struct MarkStyle {
    char symbol;
    const char* colour;
};

MarkStyle style_of(Mark mark) {
    switch (mark) {
        case Mark::none:
            return {' ', ""};
        case Mark::act:
            return {'!', "\033[33m"};
        case Mark::passed:
            return {'o', "\033[32m"};
        case Mark::note:
            return {'-', ""};
        case Mark::undecided:
            return {'?', ""};
        case Mark::advised:
            return {'>', "\033[35m"};
    }
    return {' ', ""};
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
    return align == Align::left ? fmt::format("{:<{}}", cell, width) : fmt::format("{:>{}}", cell, width);
}

// A cell in lines of at most `width`.
std::vector<std::string> parts_of(const std::string& cell, std::size_t width) {
    if (cell.size() <= width) return {cell};
    auto parts = split(wrapped(cell, 0, 0, width), '\n');
    parts.pop_back();
    return parts;
}

// $COLUMNS, else the terminal's, else 80: a table may be as wide as the terminal, where text would be hard to
// read.
std::size_t table_columns() {
    winsize size{};
    const bool on_terminal = std::getenv("COLUMNS") == nullptr && ::isatty(STDOUT_FILENO) == 1 &&
                             ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return std::max<std::size_t>(text_columns(), on_terminal ? size.ws_col : 0);
}

std::string without_trailing_space(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

int print_error(const Error& error) {
    // Not fmt::print, which throws where stderr cannot be written: a log on a full disk.
    std::fputs(fmt::format("error: {}\n", error.text()).c_str(), stderr);
    return static_cast<int>(error.kind);
}

int fail(const Error& error) { return fail(error, static_cast<int>(error.kind)); }

int fail(const Error& error, int exit_code) {
    if (auto* capture = session().capture; capture != nullptr) {
        if (!capture->error) capture->error = error;
        return exit_code;
    }
    print_error(error);
    if (json_wanted()) print_json("error", error_json(error, exit_code));
    return exit_code;
}

Json error_json(const Error& error, int exit_code) {
    return {{"error", {{"exit_code", exit_code}, {"where", error.where}, {"message", error.text()}}}};
}

void note(const std::string& text) {
    if (session().capture != nullptr) return session().capture->notes.push_back(text);
    if (!session().quiet) std::fputs(("note: " + text + "\n").c_str(), stderr);
}

int exit_code_of(const Result<int>& outcome) { return outcome.ok() ? *outcome : fail(outcome.error()); }

std::size_t terminal_columns() {
    const char* kind = std::getenv("TERM");
    if (::isatty(STDERR_FILENO) != 1 || (kind != nullptr && std::string_view(kind) == "dumb")) return 0;
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

// File names and arguments may hold bytes that are not UTF-8; they show as U+FFFD instead of ending the
// program.
void print_json(const std::string& kind, const Json& value) {
    Json document{{"format", fmt::format("plimsoll-{}-1", kind)}};
    if (value.is_object())
        document.update(value);
    else
        document["rows"] = value;
    if (session().capture != nullptr) {
        session().capture->document = std::move(document);
        return;
    }
    fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

bool colour_wanted() {
    if (session().colour != "auto") return session().colour == "always";
    const char* forbidden = std::getenv("NO_COLOR");
    return ::isatty(STDOUT_FILENO) != 0 && (forbidden == nullptr || *forbidden == 0);
}

void Table::add(std::vector<std::string> cells, Mark mark) {
    PLIMSOLL_CHECK(cells.size() <= columns_.size(), "more cells than columns");
    cells.resize(columns_.size());
    rows_.push_back({std::move(cells), mark});
}

// Without the two columns of the symbol.
std::size_t Table::Layout::full() const {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

// Takes `over` from the widths of columns that are aligned left, from the right to the column `first`; the
// first column names the row and is never folded. False when that is not enough.
bool Table::fold(std::vector<std::size_t>& widths, std::size_t over, std::size_t first) const {
    constexpr std::size_t least = 20;
    for (std::size_t c = widths.size() - 1; c >= std::max<std::size_t>(first, 1) && over > 0; --c) {
        if (columns_[c].align == Align::right || widths[c] <= least) continue;
        const std::size_t less = std::min(over, widths[c] - least);
        widths[c] -= less, over -= less;
    }
    return over == 0;
}

Table::Layout Table::layout(std::size_t columns) const {
    constexpr std::size_t symbol = 2, wide = 3, narrow = 2;
    Layout out{{}, wide};
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        std::size_t width = columns_[c].heading.size();
        for (const auto& row : rows_) width = std::max(width, row.cells[c].size());
        out.widths.push_back(width);
    }
    const std::size_t room = columns - std::min(columns, symbol);
    if (columns_.empty() || out.full() <= room) return out;
    const Layout closer{out.widths, narrow};
    if (closer.full() <= room) return closer;
    const auto last = columns_.size() - 1;
    if (fold(out.widths, out.full() - room, last)) return out;
    Layout folded = closer;
    fold(folded.widths, closer.full() - room, 1);
    return folded;
}

std::string Table::line(const Layout& layout, char symbol, const std::vector<std::string>& cells) const {
    std::string line{symbol, ' '};
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (c > 0) line.append(layout.gap, ' ');
        line += padded(cells[c], layout.widths[c], columns_[c].align);
    }
    return without_trailing_space(std::move(line)) + "\n";
}

std::string Table::text(bool colour, std::size_t columns) const {
    const Layout layout = this->layout(columns);
    std::vector<std::string> headings;
    for (const auto& column : columns_) headings.push_back(column.heading);
    const auto in_colour = [&](const char* code, const std::string& lines) {
        if (!colour || *code == 0) return lines;
        return fmt::format("{}{}{}\n", code, lines.substr(0, lines.size() - 1), reset);
    };
    std::string out = in_colour("\033[2m", line(layout, ' ', headings));
    out += "  " + std::string(layout.full(), '-') + "\n";
    for (const auto& row : rows_) {
        const MarkStyle style = style_of(row.mark);
        std::vector<std::vector<std::string>> parts;
        std::size_t height = 1;
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            parts.push_back(parts_of(row.cells[c], layout.widths[c]));
            height = std::max(height, parts.back().size());
        }
        std::string lines;
        for (std::size_t i = 0; i < height; ++i) {
            std::vector<std::string> cells;
            for (const auto& part : parts) cells.push_back(i < part.size() ? part[i] : "");
            lines += line(layout, i == 0 ? style.symbol : ' ', cells);
        }
        out += in_colour(style.colour, lines);
    }
    return out;
}

void Table::print() const { fmt::print("{}", text(colour_wanted(), table_columns())); }

}  // namespace plimsoll::cli

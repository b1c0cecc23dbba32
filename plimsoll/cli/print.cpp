#include "plimsoll/cli/print.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/session.h"

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

std::string Table::text(bool colour) const {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        std::size_t width = columns_[c].heading.size();
        for (const auto& row : rows_) width = std::max(width, row.cells[c].size());
        widths.push_back(width);
    }
    const auto line_of = [&](char symbol, auto cell) {
        std::string line{symbol};
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            line += (c == 0 ? " " : "   ") + padded(cell(c), widths[c], columns_[c].align);
        }
        return without_trailing_space(std::move(line));
    };
    const std::string headings = line_of(' ', [&](std::size_t c) { return columns_[c].heading; });
    std::size_t full = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) full += widths[c] + (c == 0 ? 0 : 3);
    std::string out = colour ? fmt::format("\033[2m{}{}\n", headings, reset) : headings + "\n";
    out += "  " + std::string(full, '-') + "\n";
    for (const auto& row : rows_) {
        const MarkStyle style = style_of(row.mark);
        const std::string line = line_of(style.symbol, [&](std::size_t c) { return row.cells[c]; });
        out +=
            colour && *style.colour != 0 ? fmt::format("{}{}{}\n", style.colour, line, reset) : line + "\n";
    }
    return out;
}

void Table::print() const { fmt::print("{}", text(colour_wanted())); }

}  // namespace plimsoll::cli

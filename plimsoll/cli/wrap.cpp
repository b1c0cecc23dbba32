#include "plimsoll/cli/wrap.h"

#include <algorithm>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::cli {

std::string printable(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) c = '?';
    }
    return out;
}

std::size_t text_columns() {
    constexpr std::size_t fewest = 40, most = 120;
    const char* named = std::getenv("COLUMNS");
    if (const auto columns = parse_integer(named == nullptr ? "" : named, "COLUMNS");
        columns.ok() && *columns > 0)
        return std::clamp(static_cast<std::size_t>(*columns), fewest, most);
    winsize size{};
    const bool known =
        ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? std::clamp<std::size_t>(size.ws_col, fewest, most) : line_width;
}

std::string wrapped(std::string_view text, std::size_t first, std::size_t rest, std::size_t columns) {
    std::string out, line(first, ' ');
    bool empty = true;
    for (const auto& word : split(printable(text), ' ')) {
        if (word.empty()) continue;
        if (!empty && line.size() + 1 + word.size() > columns) {
            out += line + "\n";
            line.assign(rest, ' ');
            empty = true;
        }
        if (!empty) line += ' ';
        line += word;
        empty = false;
    }
    return out + line + "\n";
}

std::string labelled(std::string_view label, std::string_view text) {
    constexpr std::size_t label_width = 13;
    return fmt::format("  {:<{}}{}", label, label_width - 2, wrapped(text, label_width).substr(label_width));
}

}  // namespace plimsoll::cli

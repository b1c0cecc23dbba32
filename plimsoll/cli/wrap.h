#pragma once

#include <string>
#include <string_view>

namespace plimsoll::cli {

inline constexpr std::size_t line_width = 80;

// `text` with control characters shown as '?': a name in a file must not control the terminal.
std::string printable(std::string_view text);

// Columns for text on stdout: $COLUMNS, else the terminal's, else 80; from 40 to 120, since longer lines are
// hard to read.
std::size_t text_columns();

// `text` in lines of at most `columns`, the first indented by `first`, the others by `rest`; ends with a line
// end. A word longer than a line stands alone.
std::string wrapped(std::string_view text, std::size_t first, std::size_t rest, std::size_t columns);
inline std::string wrapped(std::string_view text, std::size_t first, std::size_t rest) {
    return wrapped(text, first, rest, text_columns());
}
inline std::string wrapped(std::string_view text, std::size_t indent) {
    return wrapped(text, indent, indent);
}

// "  label      text", further lines under the text.
std::string labelled(std::string_view label, std::string_view text);

}  // namespace plimsoll::cli

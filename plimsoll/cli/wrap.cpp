#include "plimsoll/cli/wrap.h"

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

std::string wrapped(std::string_view text, std::size_t first, std::size_t rest) {
    std::string out, line(first, ' ');
    bool empty = true;
    for (const auto& word : split(printable(text), ' ')) {
        if (word.empty()) continue;
        if (!empty && line.size() + 1 + word.size() > line_width) {
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

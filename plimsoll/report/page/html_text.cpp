#include "plimsoll/report/page/html_text.h"

#include <algorithm>
#include <cctype>

#include "plimsoll/base/base64.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// What stands for one ASCII character.
std::string_view entity(const char& letter) {
    switch (letter) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        case '\t':
        case '\n':
            return {&letter, 1};
        default:
            break;
    }
    const auto code = static_cast<unsigned char>(letter);
    return code < 0x20 || code == 0x7f ? replacement : std::string_view(&letter, 1);
}

// Replaces every `from`, whatever the case of its letters, by `to` and the rest of what stood there.
std::string broken_up(std::string_view code, std::string_view from, std::string_view to) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    std::string out;
    auto at = code.begin();
    while (true) {
        const auto found = std::search(at, code.end(), from.begin(), from.end(), same);
        out.append(at, found);
        if (found == code.end()) return out;
        out += to;
        at = found + 2;  // "</" or "<!"
    }
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0)
            out += replacement;
        else if (length == 1)
            out += entity(text.front());
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return out;
}

std::string script_json(const Json& value) {
    std::string out;
    for (const char letter : value.dump(-1, ' ', false, Json::error_handler_t::replace)) {
        if (letter == '<')
            out += "\\u003c";
        else
            out += letter;
    }
    return out;
}

std::string script_code(std::string_view code) {
    return broken_up(broken_up(code, "</script", "<\\/"), "<!--", "<\\!");
}

std::string data_uri(std::string_view type, std::string_view bytes) {
    return "data:" + std::string(type) + ";base64," + base64(bytes);
}

std::string plain_name(std::string_view text) {
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(),
        [](unsigned char letter) {
            return std::isalnum(letter) == 0 && letter != '-' && letter != '_' && letter != '.';
        },
        '-');
    return out;
}

}  // namespace plimsoll::report

#include "plimsoll/base/toml.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <sstream>
#include <string>

#include <toml++/toml.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll {
namespace {

template <class T>
std::string printed(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

// toml++ 3.3 runs into undefined behaviour on some characters (found by tests/fuzz/toml_text_fuzz), so it
// only ever sees ASCII: '~' and every byte beyond ASCII become "~{XX}~", and the strings and keys it returns
// are turned back.
std::string in_ascii(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && c != '~')
            out += c;
        else
            out += fmt::format("~{{{:02X}}}~", byte);
    }
    return out;
}

std::string from_ascii(std::string_view text) {
    constexpr std::size_t length = 6;  // "~{E9}~"
    const auto is_mark = [&](std::size_t i) {
        const auto mark = text.substr(i, length);
        const auto hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
        return mark.size() == length && mark.starts_with("~{") && mark.ends_with("}~") && hex(mark[2]) &&
               hex(mark[3]);
    };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_mark(i)) {
            out += text[i];
            continue;
        }
        out += static_cast<char>(std::stoi(std::string(text.substr(i + 2, 2)), nullptr, 16));
        i += length - 1;
    }
    return out;
}

Json converted(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        Json object = Json::object();
        for (const auto& [key, value] : *table) object[from_ascii(key.str())] = converted(value);
        return object;
    }
    if (const auto* array = node.as_array()) {
        Json list = Json::array();
        for (const auto& value : *array) list.push_back(converted(value));
        return list;
    }
    if (const auto* text = node.as_string()) return from_ascii(text->get());
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* truth = node.as_boolean()) return truth->get();
    if (const auto* date = node.as_date()) return printed(date->get());
    if (const auto* time = node.as_time()) return printed(time->get());
    return printed(node.as_date_time()->get());
}

using Lines = std::map<std::string, std::size_t>;

void note_lines(Lines& lines, const std::string& path, const toml::node& node) {
    lines[path] = node.source().begin.line;
    if (const auto* table = node.as_table()) {
        for (const auto& [key, value] : *table) {
            const std::string name = from_ascii(key.str());
            note_lines(lines, path.empty() ? name : path + "." + name, value);
        }
    }
    if (const auto* array = node.as_array(); array != nullptr && array->is_array_of_tables()) {
        for (std::size_t i = 0; i < array->size(); ++i)
            note_lines(lines, fmt::format("{}[{}]", path, i), *array->get(i));
    }
}

// Where a quoted string that starts at `at` ends: one past its closing quotes, or the end of the text.
std::size_t after_string(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string triple(3, quote);
    const bool long_form = text.substr(at, 3) == triple;
    std::size_t i = at + (long_form ? 3 : 1);
    while (i < text.size()) {
        if (quote == '"' && text[i] == '\\') {
            i += 2;
            continue;
        }
        if (long_form && text.substr(i, 3) == triple) return i + 3;
        if (!long_form && (text[i] == quote || text[i] == '\n')) return i + 1;
        ++i;
    }
    return text.size();
}

// The first byte beyond ASCII outside strings and comments, or npos. TOML allows none there, and toml++ 3.3
// runs into undefined behaviour on some of them (found by tests/fuzz/toml_text_fuzz).
std::size_t bare_non_ascii(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] == '"' || text[i] == '\'') {
            i = after_string(text, i);
        } else if (text[i] == '#') {
            i = std::min(text.find('\n', i), text.size());
        } else if (static_cast<unsigned char>(text[i]) >= 0x80) {
            return i;
        } else {
            ++i;
        }
    }
    return std::string_view::npos;
}

}  // namespace

Result<Json> parse_toml(std::string_view text, std::string_view where) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!is_utf8(text)) return bad_input(std::string(where), "is not valid UTF-8");
    if (const std::size_t at = bare_non_ascii(text); at != std::string_view::npos) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return bad_input(fmt::format("{}:{}", where, line), "characters beyond ASCII belong in quotes");
    }
    try {
        return converted(toml::parse(in_ascii(text)));
    } catch (const toml::parse_error& problem) {
        const auto& place = problem.source().begin;
        return bad_input(fmt::format("{}:{}:{}", where, place.line, place.column),
                         std::string(problem.description()));
    }
}

std::map<std::string, std::size_t> toml_lines(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    Lines lines;
    if (!parse_toml(text, "").ok()) return lines;
    note_lines(lines, "", toml::parse(in_ascii(text)));
    return lines;
}

std::string TomlPlaces::at(const std::string& path) const {
    for (std::string part = path; !part.empty(); part.resize(part.find_last_of(".["))) {
        const auto line = lines_.find(part);
        if (line != lines_.end() && line->second > 0)
            return fmt::format("{}:{}: {}", file_, line->second, path);
        if (part.find_last_of(".[") == std::string::npos) break;
    }
    return fmt::format("{}: {}", file_, path);
}

Result<Json> read_toml(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path));
    return parse_toml(text, path.string());
}

}  // namespace plimsoll

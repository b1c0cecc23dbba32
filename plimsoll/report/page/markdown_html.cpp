#include "plimsoll/report/page/markdown_html.h"

#include <vector>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/report/page/html_text.h"

namespace plimsoll::report {
namespace {

using Lines = std::vector<std::string>;

// [text](address) as its text, starting at the bracket; empty when it is no link.
std::pair<std::string_view, std::size_t> link_at(std::string_view text) {
    const std::size_t middle = text.find("](");
    const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
    if (end == std::string_view::npos) return {{}, 0};
    return {text.substr(1, middle - 1), end + 1};
}

// `code` and **strong** by their marks; what is not closed is text.
std::string marked(std::string_view& text, std::string_view mark, std::string_view tag) {
    const std::size_t end = text.find(mark, mark.size());
    if (end == std::string_view::npos) return {};
    const std::string inside = html_text(text.substr(mark.size(), end - mark.size()));
    text.remove_prefix(end + mark.size());
    return fmt::format("<{}>{}</{}>", tag, inside, tag);
}

std::string inline_html(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::string made;
        if (text.starts_with("`"))
            made = marked(text, "`", "code");
        else if (text.starts_with("**"))
            made = marked(text, "**", "strong");
        else if (text.starts_with("[")) {
            const auto [words, length] = link_at(text);
            made = html_text(words);
            text.remove_prefix(length);
        }
        if (!made.empty()) {
            out += made;
            continue;
        }
        const std::size_t next = text.find_first_of("`*[", 1);
        out += html_text(text.substr(0, next));
        text.remove_prefix(std::min(next, text.size()));
    }
    return out;
}

std::string table_row(std::string_view line, std::string_view tag) {
    line = trim(line);
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|')) line.remove_suffix(1);
    std::string out = "<tr>";
    for (const auto& cell : split(line, '|'))
        out += fmt::format("<{}>{}</{}>", tag, inline_html(trim(cell)), tag);
    return out + "</tr>";
}

bool is_table_rule(std::string_view line) {
    return line.find('-') != std::string_view::npos &&
           line.find_first_not_of("|-: ") == std::string_view::npos;
}

std::string markdown_table_html(const Lines& lines) {
    const bool headed = lines.size() > 1 && is_table_rule(lines[1]);
    std::string out = "<div class=\"wide\"><table>";
    if (headed) out += "<thead>" + table_row(lines[0], "th") + "</thead>";
    out += "<tbody>";
    for (std::size_t i = headed ? 2 : 0; i < lines.size(); ++i) out += table_row(lines[i], "td");
    return out + "</tbody></table></div>\n";
}

std::string list_html(const Lines& lines) {
    std::string out = "<ul>", item;
    const auto close = [&] {
        if (!item.empty()) out += "<li>" + inline_html(item) + "</li>";
        item.clear();
    };
    for (const auto& line : lines) {
        const std::string_view text = trim(line);
        if (text.starts_with("- ")) close();
        item += (item.empty() ? "" : " ") + std::string(text.starts_with("- ") ? text.substr(2) : text);
    }
    close();
    return out + "</ul>\n";
}

// A block of lines without an empty one between them.
std::string block_html(const Lines& lines) {
    const std::string_view first = trim(lines.front());
    if (first.starts_with('|')) return markdown_table_html(lines);
    if (first.starts_with("- ")) return list_html(lines);
    if (first.starts_with('#'))
        return "<p><strong>" + inline_html(trim(first.substr(first.find_first_not_of('#')))) +
               "</strong></p>\n" +
               (lines.size() > 1 ? block_html(Lines(lines.begin() + 1, lines.end())) : "");
    return "<p>" + inline_html(join(lines, " ")) + "</p>\n";
}

}  // namespace

std::string markdown_html(std::string_view markdown) {
    std::string out;
    Lines block;
    bool fenced = false;
    const auto close = [&] {
        if (fenced)
            out += "<pre>" + html_text(join(block, "\n")) + "</pre>\n";
        else if (!block.empty())
            out += block_html(block);
        block.clear();
    };
    for (const auto& line : split(markdown, '\n')) {
        if (trim(line).starts_with("```")) {
            close();
            fenced = !fenced;
        } else if (!fenced && trim(line).empty()) {
            close();
        } else {
            block.push_back(line);
        }
    }
    close();
    return out;
}

}  // namespace plimsoll::report

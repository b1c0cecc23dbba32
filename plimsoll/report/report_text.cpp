#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/report/figure.h"

namespace plimsoll::report {
namespace {

// Characters of UTF-8 text, not bytes.
std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, letters(text)), ' ');
    return right ? space + text : text + space;
}

bool starts_as_number(const std::string& text) {
    return !text.empty() && (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
}

// How a column is set: as wide as its widest cell, to the right when its cells are numbers.
struct Column {
    std::size_t width = 0;
    bool right = true;
};

std::vector<Column> text_columns(const TextTable& table) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        Column column{letters(table.columns[i]), true};
        for (const auto& row : table.cells) {
            column.width = std::max(column.width, letters(row[i]));
            column.right = column.right && (row[i].empty() || starts_as_number(row[i]));
        }
        columns.push_back(column);
    }
    return columns;
}

// Marks what Markdown would take for its own.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '*' || c == '_' || c == '<' || c == '\\' || c == '`') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

// The sign that ASCII spells +-.
std::string with_plus_minus(std::string text) {
    for (auto at = text.find("+-"); at != std::string::npos; at = text.find("+-"))
        text.replace(at, 2, "\u00b1");
    return text;
}

std::string markdown_row(const std::vector<std::string>& cells, const std::vector<Column>& columns) {
    std::string line = "|";
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += " " + padded(cells[i], columns[i].width, columns[i].right) + " |";
    return line + "\n";
}

std::string markdown_table(TextTable table) {
    for (auto& name : table.columns) name = escaped(name);
    for (auto& row : table.cells)
        for (auto& cell : row) cell = with_plus_minus(escaped(cell));
    auto columns = text_columns(table);
    for (auto& column : columns) column.width = std::max<std::size_t>(column.width, 3);
    std::string text = markdown_row(table.columns, columns) + "|";
    for (const Column& column : columns)
        text +=
            " " + std::string(column.width - (column.right ? 1 : 0), '-') + (column.right ? ":" : "") + " |";
    text += "\n";
    for (const auto& row : table.cells) text += markdown_row(row, columns);
    return text;
}

std::string markdown_notes(const std::vector<std::string>& notes) {
    std::string text;
    for (const auto& note : notes) text += fmt::format("- {}\n", escaped(note));
    return text.empty() ? "" : text + "\n";
}

std::string markdown_findings(const std::vector<Judgement>& findings) {
    if (findings.empty()) return "";
    std::string text = "### Findings\n\n";
    for (const Judgement& finding : findings) {
        text += fmt::format("- **{}**: {}\n", name_of(finding.outcome), escaped(finding.sentence));
        for (const auto& note : finding.notes) text += fmt::format("  - {}\n", escaped(note));
    }
    return text + "\n";
}

}  // namespace

std::string markdown(const Report& report, const std::map<std::string, std::string>& pictures) {
    std::string text;
    for (const Figure& figure : report.figures) {
        text += fmt::format("### {}\n\n", escaped(figure.title));
        const auto picture = pictures.find(figure.name);
        if (picture != pictures.end())
            text += fmt::format("![{}]({})\n\n", escaped(figure.title), picture->second);
        text += markdown_notes(figure.notes);
    }
    text += markdown_findings(report.findings);
    for (const TextTable& table : report.tables) {
        text += fmt::format("### {}\n\n{}\n", escaped(table.title), markdown_table(table));
        text += markdown_notes(table.notes);
    }
    return text;
}

Json report_json(const Report& report) {
    Json figures = Json::array(), tables = Json::array(), findings = Json::array();
    for (const Figure& figure : report.figures)
        figures.push_back({{"name", figure.name},
                           {"title", figure.title},
                           {"notes", figure.notes},
                           {"vega_lite", figure.vega_lite}});
    for (const TextTable& table : report.tables)
        tables.push_back(
            {{"name", table.name}, {"title", table.title}, {"rows", table.rows}, {"notes", table.notes}});
    for (const Judgement& finding : report.findings)
        findings.push_back({{"kind", finding.kind},
                            {"name", finding.name},
                            {"outcome", name_of(finding.outcome)},
                            {"sentence", finding.sentence},
                            {"details", finding.details},
                            {"notes", finding.notes}});
    return {{"figures", figures}, {"tables", tables}, {"findings", findings}};
}

}  // namespace plimsoll::report

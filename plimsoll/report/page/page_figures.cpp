// The figures of the page and the rows behind them.
#include <algorithm>
#include <cctype>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/report/page/html_text.h"
#include "plimsoll/report/page/page_pieces.h"

namespace plimsoll::report {
namespace {

constexpr std::size_t most_shown_rows = 500, most_spoken_findings = 3;

const FigureSpec* spec_of(const PageContent& content, const std::string& name) {
    const auto& specs = content.figures.figures;
    const auto found =
        std::find_if(specs.begin(), specs.end(), [&](const FigureSpec& spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

// The table a figure takes its rows from; null when the page has none.
const PageRows* rows_of(const PageContent& content, const FigureSpec* spec) {
    if (content.rows.empty()) return nullptr;
    if (spec == nullptr || spec->rows.empty()) return &content.rows.front();
    const auto found = std::find_if(content.rows.begin(), content.rows.end(),
                                    [&](const PageRows& rows) { return rows.name == spec->rows; });
    return found == content.rows.end() ? nullptr : &*found;
}

std::string axis_words(const AxisSpec& axis) { return axis.title.empty() ? axis.column : axis.title; }

// The figure for a reader who does not see it: what is drawn and what was found.
std::string spoken(const PageContent& content, const Figure& figure) {
    std::string out = figure.title + ".";
    if (const FigureSpec* spec = spec_of(content, figure.name))
        out += fmt::format(" {} against {}{}.", axis_words(spec->y), axis_words(spec->x),
                           spec->series.empty() ? "" : ", by " + spec->series);
    const auto& findings = content.report.findings;
    for (std::size_t i = 0; i < std::min(most_spoken_findings, findings.size()); ++i)
        out += fmt::format(" {}, {}: {}", findings[i].name, name_of(findings[i].outcome),
                           bare_sentence(findings[i]));
    return out;
}

// What stands under the title in the picture: how means and intervals were taken.
std::string subtitle(const Json& vega_lite) {
    if (!vega_lite.contains("title") || !vega_lite.at("title").is_object()) return "";
    const Json lines = vega_lite.at("title").value("subtitle", Json());
    if (lines.is_string()) return lines.get<std::string>();
    std::string out;
    for (const auto& line : lines)
        if (line.is_string()) out += (out.empty() ? "" : " ") + line.get<std::string>();
    return out;
}

// One click to the rows; the script puts a copy of the table here when it is opened.
std::string rows_link(const PageContent& content, const Figure& figure) {
    const FigureSpec* spec = spec_of(content, figure.name);
    const PageRows* rows = rows_of(content, spec);
    if (rows == nullptr) return "";
    const std::string id = "rows-" + plain_name(rows->name);
    const std::string which = spec == nullptr || spec->where.empty()
                                  ? ""
                                  : " The figure takes those with " + join(spec->where, ", ") + ".";
    return fmt::format(
        "<details class=\"rows\" data-rows=\"{0}\" data-count=\"{1}\"><summary>Rows: {1} of {2}</summary>"
        "<p class=\"detail\">{1} rows in the table {2}.{3} <a href=\"#{0}\">Table and "
        "CSV</a></p></details>\n",
        id, rows->table.rows.size(), html_text(rows->name), html_text(which));
}

std::string figure_html(const PageContent& content, std::size_t index, const std::string& picture) {
    const Figure& figure = content.report.figures[index];
    const std::string how = subtitle(figure.vega_lite);
    return fmt::format(
        "<section class=\"card\"><figure id=\"figure-{0}\">\n<h3>{1}</h3>\n{2}"
        "<div class=\"plot\" data-figure=\"{3}\" tabindex=\"0\" role=\"img\" aria-label=\"{4}\">{5}</div>\n"
        "<figcaption>{6}</figcaption>\n</figure>\n{7}</section>\n",
        plain_name(figure.name), html_text(figure.title),
        how.empty() ? "" : "<p class=\"how\">" + html_text(how) + "</p>\n", index,
        html_text(spoken(content, figure)), picture, notes_html(figure.notes), rows_link(content, figure));
}

std::string cell_html(const Cell& cell) {
    if (store::is_empty(cell)) return "<td class=\"none\"></td>";
    return fmt::format("<td{}>{}</td>", store::is_number(cell) ? " class=\"number\"" : "",
                       html_text(store::cell_text(cell)));
}

// Is each value of the column a number? Its heading then stands on the right too.
bool is_number_column(const Table& table, std::size_t column) {
    return std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
        return store::is_empty(row[column]) || store::is_number(row[column]);
    });
}

std::string rows_table_html(const Table& table) {
    std::string out = "<table><thead><tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        out +=
            fmt::format("<th scope=\"col\"{}>{}</th>", is_number_column(table, i) ? " class=\"number\"" : "",
                        html_text(table.columns[i]));
    out += "</tr></thead><tbody>\n";
    for (std::size_t r = 0; r < std::min(most_shown_rows, table.rows.size()); ++r) {
        out += "<tr>";
        for (const Cell& cell : table.rows[r]) out += cell_html(cell);
        out += "</tr>\n";
    }
    return out + "</tbody></table>";
}

std::string one_table_html(const PageRows& rows) {
    const std::size_t count = rows.table.rows.size();
    const std::string name = html_text(rows.name);
    const std::string cut =
        count > most_shown_rows
            ? fmt::format("<p class=\"detail\">The first {} of {} rows; the CSV has all.</p>",
                          most_shown_rows, count)
            : "";
    return fmt::format(
        "<details id=\"rows-{0}\"><summary>Rows of {1}: {2}</summary>\n<div class=\"rows-body\">"
        "<p class=\"downloads\"><a download=\"{0}.csv\" href=\"{3}\">Download {1}.csv</a></p>{4}"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"rows of "
        "{1}\">{5}</div></div></details>\n",
        plain_name(rows.name), name, count, data_uri("text/csv;charset=utf-8", csv_text(rows.table)), cut,
        rows_table_html(rows.table));
}

}  // namespace

std::string notes_html(const std::vector<std::string>& notes) {
    if (notes.empty()) return "";
    std::string out = "<ul class=\"notes\">";
    for (const auto& note : notes) out += "<li>" + html_text(note) + "</li>";
    return out + "</ul>\n";
}

std::string bare_sentence(const Judgement& finding) {
    std::string text = finding.sentence;
    const std::string name = finding.name + ": ", outcome = fmt::format(": {}.", name_of(finding.outcome));
    if (text.starts_with(name)) {
        text.erase(0, name.size());
        if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    if (text.ends_with(outcome)) text.replace(text.size() - outcome.size(), outcome.size(), ".");
    return text;
}

std::vector<Json> page_specs(const Report& report) {
    std::vector<Json> specs;
    for (const auto& figure : report.figures) {
        specs.push_back(figure.vega_lite);
        specs.back().erase("title");
        specs.back()["padding"] = 4;
    }
    return specs;
}

std::string figures_html(const PageContent& content, const std::vector<std::string>& pictures) {
    std::string out;
    for (std::size_t i = 0; i < content.report.figures.size(); ++i)
        out += figure_html(content, i, i < pictures.size() ? pictures[i] : "");
    return out;
}

std::string rows_html(const PageContent& content) {
    if (content.rows.empty()) return "";
    std::string out = "<section class=\"card\" id=\"rows\"><h2>Rows</h2>\n";
    for (const auto& rows : content.rows) out += one_table_html(rows);
    return out + "</section>\n";
}

}  // namespace plimsoll::report

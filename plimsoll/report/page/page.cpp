#include "plimsoll/report/page/page.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "plimsoll/base/format.h"
#include "plimsoll/report/page/figure_runtime.h"
#include "plimsoll/report/page/html_text.h"
#include "plimsoll/report/page/markdown_html.h"
#include "plimsoll/report/page/page_assets.h"
#include "plimsoll/report/page/page_pieces.h"
#include "plimsoll/report/page/render.h"

namespace plimsoll::report {
namespace {

// The page may load nothing: not even a mistake in it can ask for something from outside.
constexpr const char* policy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; font-src "
    "data:; img-src data:";

constexpr std::size_t short_words = 24;  // letters of a cell that stays on one line

// How an outcome looks: class, and the symbol for those who see it.
struct OutcomeLook {
    Outcome outcome;
    const char* style;
    const char* symbol;
};
constexpr const char* open_symbol =
    "<circle cx=\"7\" cy=\"7\" r=\"5\" stroke-width=\"1.5\"/><circle class=\"dot\" cx=\"7\" cy=\"7\" "
    "r=\"2\"/>";
constexpr std::array<OutcomeLook, 6> looks{{
    {Outcome::as_predicted, "agrees", "<circle cx=\"7\" cy=\"7\" r=\"4.5\" stroke-width=\"2\"/>"},
    {Outcome::against, "differs", "<path d=\"M7 2 L12.5 12 L1.5 12 Z\"/>"},
    {Outcome::inside_noise, "undecided", open_symbol},
    {Outcome::negligible, "undecided", open_symbol},
    {Outcome::cannot_tell, "undecided", open_symbol},
    {Outcome::no_prediction, "measured", "<path d=\"M2 7 H12\" stroke-width=\"2\"/>"},
}};

const OutcomeLook& look_of(Outcome outcome) {
    for (const auto& look : looks)
        if (look.outcome == outcome) return look;
    return looks.back();
}

std::string paragraph(std::string_view style, const std::string& text) {
    return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>\n", style, html_text(text));
}

std::string header_html(const PageContent& content) {
    const std::string scale = content.scale.empty() ? "" : ", " + content.scale + " scale";
    const std::string when =
        content.predicted_on.empty() ? "Predicted" : "Predicted on " + content.predicted_on;
    return "<header>\n" + paragraph("eyebrow", content.source + scale) + "<h1>" + html_text(content.title) +
           "</h1>\n" + paragraph("question", content.question) +
           (content.partial.empty() ? "" : paragraph("partial", "Incomplete: " + content.partial)) +
           (content.prediction.empty() ? "" : paragraph("prediction", when + ": " + content.prediction)) +
           "</header>\n";
}

std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts) {
    if (facts.empty()) return "";
    std::string out = "<dl>\n";
    for (const auto& [name, value] : facts)
        out += "<dt>" + html_text(name) + "</dt><dd>" + html_text(value) + "</dd>\n";
    return out + "</dl>\n";
}

// The mark of the design: a ring with a bar through it, "where it should be".
constexpr const char* mark_svg =
    "<svg class=\"mark\" viewBox=\"0 0 44 28\" aria-hidden=\"true\"><circle cx=\"22\" cy=\"14\" r=\"11\"/>"
    "<path d=\"M1 14 H43\"/></svg>";

std::string answer_html(const PageAnswer& answer) {
    if (answer.value.empty()) return "";
    return "<section class=\"card answer\" id=\"answer\">\n" + paragraph("eyebrow", answer.eyebrow) +
           "<p class=\"value\">" + mark_svg + html_text(answer.value) + "</p>\n" +
           paragraph("of", answer.detail) + paragraph("said", answer.sentence) + facts_html(answer.facts) +
           "</section>\n";
}

std::string section_html(const PageSection& section) {
    return "<section class=\"card protocol\"><h2>" + html_text(section.title) + "</h2>\n" +
           markdown_html(section.text) + "</section>\n";
}

std::string finding_html(const Judgement& finding) {
    const OutcomeLook& look = look_of(finding.outcome);
    return fmt::format(
        "<li class=\"finding {}\"><svg class=\"symbol\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">{}</svg>"
        "<span>{}</span> <span class=\"outcome\">{}</span><div class=\"sentence\"><p>{}</p>{}</div></li>\n",
        look.style, look.symbol, html_text(finding.name), html_text(name_of(finding.outcome)),
        html_text(bare_sentence(finding)), notes_html(finding.notes));
}

std::string findings_html(const Report& report) {
    if (report.findings.empty()) return "";
    std::string out = "<section class=\"card\" id=\"findings\"><h2>Findings</h2>\n<ul class=\"findings\">\n";
    for (const auto& finding : report.findings) out += finding_html(finding);
    return out + "</ul></section>\n";
}

// A number, perhaps with a sign, an interval or one letter: "12.5 +- 0.3", "300 K", "1e-05".
bool is_number_cell(std::string_view cell) {
    if (cell.empty()) return true;
    if (std::string_view("-0123456789").find(cell.front()) == std::string_view::npos) return false;
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 1; i < cell.size(); ++i)
        if (cell[i] == ',' || (letter(cell[i]) && letter(cell[i - 1]))) return false;
    return true;
}

// Numbers stand on the right; short words are not broken.
const char* column_style(const TextTable& table, std::size_t column) {
    const auto all = [&](auto&& test) {
        return std::all_of(table.cells.begin(), table.cells.end(),
                           [&](const auto& row) { return column < row.size() && test(row[column]); });
    };
    if (all(is_number_cell)) return " class=\"number\"";
    return all([](const std::string& cell) { return cell.size() <= short_words; }) ? " class=\"short\"" : "";
}

// A cell as the page writes it: the sign in place of the terminal's "+-".
std::string cell_text_html(std::string cell) {
    for (std::size_t at = cell.find(" +- "); at != std::string::npos; at = cell.find(" +- ", at))
        cell.replace(at, 4, " \u00b1 ");
    return html_text(cell);
}

std::string text_table_html(const TextTable& table) {
    std::string out =
        fmt::format("<section class=\"card\"><h3>{}</h3>\n<div class=\"wide\"><table><thead><tr>",
                    html_text(table.title.empty() ? table.name : table.title));
    const auto style = [&](std::size_t column) { return column_style(table, column); };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        out += fmt::format("<th scope=\"col\"{}>{}</th>", style(i), html_text(table.columns[i]));
    out += "</tr></thead><tbody>\n";
    for (const auto& row : table.cells) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            out += fmt::format("<td{}>{}</td>", style(i), cell_text_html(row[i]));
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    for (const auto& note : table.notes) out += paragraph("detail", note);
    return out + "</section>\n";
}

std::string provenance_html(const PageContent& content) {
    const std::string facts = facts_html(content.provenance);
    if (facts.empty() && content.command.empty()) return "";
    const std::string again = content.command.empty() ? ""
                                                      : "<p class=\"detail\">Reproduce with</p>\n<pre>" +
                                                            html_text(content.command) + "</pre>\n";
    return "<section class=\"card\" id=\"provenance\"><h2>Provenance</h2>\n" + facts + again + "</section>\n";
}

std::string protocol_html(const std::string& protocol) {
    if (protocol.empty()) return "";
    return "<section class=\"card protocol\" id=\"protocol\"><h2>Protocol</h2>\n" + markdown_html(protocol) +
           "</section>\n";
}

std::string body_html(const PageContent& content, const std::vector<std::string>& pictures) {
    std::string out = header_html(content) + answer_html(content.answer);
    for (const auto& section : content.sections) out += section_html(section);
    out += findings_html(content.report) + figures_html(content, pictures);
    for (const auto& table : content.report.tables) out += text_table_html(table);
    return out + protocol_html(content.protocol) + provenance_html(content) + rows_html(content);
}

std::string figure_data(const PageContent& content, const ColourPairs& colours) {
    Json figures = Json::array();
    const std::vector<Json> specs = page_specs(content.report);
    for (std::size_t i = 0; i < specs.size(); ++i)
        figures.push_back({{"name", content.report.figures[i].name}, {"spec", specs[i]}});
    return script_json({{"colours", colour_variables(colours)}, {"figures", figures}});
}

Result<std::vector<std::string>> first_paint(const PageContent& content, const ColourPairs& colours) {
    if (!content.first_paint || content.report.figures.empty()) return std::vector<std::string>();
    PLIMSOLL_ASSIGN(pictures, render_svgs(page_specs(content.report)));
    for (auto& picture : pictures) picture = themed_svg(picture, colours);
    return pictures;
}

}  // namespace

Result<std::string> html_page(const PageContent& content) {
    PLIMSOLL_ASSIGN(fonts, font_css());
    PLIMSOLL_ASSIGN(scripts, runtime_scripts());
    PLIMSOLL_ASSIGN(licences, licence_text());
    const ColourPairs colours = colour_pairs(content.report);
    PLIMSOLL_ASSIGN(pictures, first_paint(content, colours));
    std::string out = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>{}</title>\n<style>\n",
        policy, html_text(content.title));
    out += fonts + colour_css(colours);
    out += page_css();
    out += "</style>\n</head>\n<body>\n<main>\n" + body_html(content, pictures) +
           "<footer>Figures by Vega and Vega-Lite (BSD-3-Clause), set in IBM Plex (SIL Open Font License "
           "1.1); their licences are in this file."
           "</footer>\n</main>\n<template id=\"licences\"><pre>" +
           html_text(licences) + "</pre></template>\n";
    out += "<script type=\"application/json\" id=\"figure-data\">" + figure_data(content, colours) +
           "</script>\n" + scripts;
    out += "<script>" + script_code(page_js()) + "</script>\n</body>\n</html>\n";
    return out;
}

}  // namespace plimsoll::report

#include "plimsoll/fit/page/fit_page.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/page/capacity_map.h"
#include "plimsoll/fit/page/fit_tables.h"
#include "plimsoll/fit/page/race_curves.h"
#include "plimsoll/fit/page/roles.h"
#include "plimsoll/fit/page/valley_figure.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/fit/propose/shape_maker.h"
#include "plimsoll/lab/experiment/provenance.h"

namespace plimsoll::fit {
namespace {

using report::FigureSpec;
using report::Scale;

// Round numbers that the networks lie between; none: the library chooses.
std::vector<double> ratio_ticks(const Proposal& proposal) {
    double low = 1e300, high = 0;
    for (const auto& candidate : proposal.candidates) {
        low = std::min(low, candidate.depth_over_log2_width);
        high = std::max(high, candidate.depth_over_log2_width);
    }
    std::vector<double> ticks;
    for (const double tick : {0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
        if (tick >= low && tick <= high) ticks.push_back(tick);
    return ticks.size() < 2 ? std::vector<double>() : ticks;
}

// The value of every run that counts against depth / log2 width, each rung by itself and with its own range
// of values: what is compared is the shape of the curves.
FigureSpec depth_spec(const FitPageInput& input, const PageRoles& roles) {
    const Measure measure = measure_of(input.look);
    FigureSpec figure;
    figure.name = "depth";
    figure.title = "Held-out value against depth over the logarithm of width, by rung";
    figure.rows = "runs";
    figure.where = {"counts == true"};
    figure.x = {"depth_over_log2_width", "depth / log2(width)", Scale::log, ""};
    figure.x.format = ".2~g";
    figure.x.ticks = ratio_ticks(input.proposal);
    figure.y = {measure.column, measure.title, Scale::linear, ""};
    figure.series = "role";
    figure.series_order = roles.names;
    figure.series_shapes = point_roles(roles, {}).symbols;
    if (rungs_downwards(input.race).size() > 1) figure.facet = "rung_name";
    figure.own_y = true;
    figure.apart = "label";
    figure.all_points = true;
    return figure;
}

// What was measured is drawn through, what chance gives is dotted.
FigureSpec dependence_spec(const DataLook& look) {
    FigureSpec figure;
    figure.name = "dependence";
    figure.title = fmt::format("How much two {} so far apart tell about each other", look.dependence.of);
    figure.rows = "dependence";
    figure.x = {"distance", "distance", Scale::log2, ""};
    figure.y = {"bits", "mutual information, bits", Scale::log, ""};
    figure.series = "what";
    figure.series_order = {"chance alone", "measured"};
    figure.series_dashes = {{2, 3}, {1, 0}};
    figure.subtitle =
        "Above the dotted line what is so far apart depends on each other; below it chance alone gives as "
        "much.";
    figure.line = true;
    return figure;
}

// The rows of what is drawn otherwise, so that the page can show them.
FigureSpec described(const char* name, const char* rows, const char* x, const char* y) {
    FigureSpec figure;
    figure.name = name;
    figure.rows = rows;
    figure.x = {x, x, Scale::log, ""};
    figure.y = {y, y, Scale::linear, ""};
    figure.series = "role";
    return figure;
}

Status add_figures(const FitPageInput& input, const PageRoles& roles, report::PageContent& page) {
    const std::map<std::string, report::Table> tables{{"runs", run_rows(input, roles)},
                                                      {"networks", candidate_rows(input, roles)},
                                                      {"dependence", dependence_rows(input.look)}};
    report::FigureSet set;
    set.columns = {{"percent", "100 * value", "", "", {}}};
    set.figures = {depth_spec(input, roles)};
    if (!input.look.dependence.by_distance.empty()) set.figures.push_back(dependence_spec(input.look));
    PLIMSOLL_ASSIGN(made, report::make_report(set, tables, "runs"));
    // Capacity is a matter of theory, which is silent on tables.
    const Candidate* winner = find_candidate(input.proposal, input.decision.winner);
    const bool mapped = winner != nullptr && line_of(winner->family) != Line::usual;
    page.report.figures = {valley_figure(input, roles), std::move(made.figures.front())};
    if (mapped) {
        PLIMSOLL_ASSIGN(map, capacity_map(input, roles));
        page.report.figures.push_back(std::move(map));
    }
    page.report.figures.push_back(race_curves(input, roles));
    if (made.figures.size() > 1) page.report.figures.push_back(std::move(made.figures.back()));
    page.figures = std::move(set);
    page.figures.figures.push_back(described("valley", "runs", "depth", "value"));
    if (mapped) page.figures.figures.push_back(described("map", "networks", "width", "depth"));
    page.figures.figures.push_back(described("race", "runs", "units_seen", "value"));
    for (const char* name : {"runs", "networks", "dependence"})
        if (!tables.at(name).rows.empty()) page.rows.push_back({name, tables.at(name)});
    return {};
}

std::vector<std::pair<std::string, std::string>> provenance(const FitPageInput& input,
                                                            const report::Table& runs) {
    Json facts = lab::provenance_of(runs, input.options.runs, input.options.runs);
    facts["commit"] = "";  // of somebody's data, not of this program
    auto lines = lab::provenance_lines(facts);
    lines.emplace_back("data", input.look.data);
    lines.emplace_back("budget", input.proposal.budget_source);
    return lines;
}

}  // namespace

Result<report::PageContent> fit_page(const FitPageInput& input) {
    const PageRoles roles = roles_of(input.proposal, input.decision);
    report::PageContent page;
    page.title = fmt::format("How deep and how wide for {}?",
                             input.request.data.empty() ? input.look.data : input.request.data);
    page.source = "plimsoll fit";
    page.question = page_question(input);
    page.partial = input.options.partial;
    page.answer = page_answer(input);
    page.sections = page_sections(input);
    page.report.findings = page_findings(input);
    PLIMSOLL_RETURN_IF_ERROR(add_figures(input, roles, page));
    page.report.tables = page_tables(input, roles);
    page.provenance = provenance(input, page.rows.front().table);
    page.command = input.options.command;
    return page;
}

std::string fit_page_markdown(const report::PageContent& page) {
    std::string text = fmt::format("# {}\n\n{}\n\n", page.title, page.question);
    if (!page.partial.empty()) text += fmt::format("**Incomplete: {}**\n\n", page.partial);
    text += fmt::format("## {}: {}\n\n{}\n\n{}\n\n", page.answer.eyebrow, page.answer.value,
                        page.answer.detail, page.answer.sentence);
    for (const auto& [name, value] : page.answer.facts) text += fmt::format("- {}: {}\n", name, value);
    for (const auto& section : page.sections)
        text += fmt::format("\n## {}\n\n{}", section.title, section.text);
    return text + "\n" + report::markdown(page.report);
}

}  // namespace plimsoll::fit

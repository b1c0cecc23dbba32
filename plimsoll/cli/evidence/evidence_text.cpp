#include "plimsoll/cli/evidence/evidence_text.h"

#include <cmath>
#include <map>

#include "plimsoll/advise/depth_words.h"
#include "plimsoll/advise/regret.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/report/vega/valley_figure.h"

namespace plimsoll::cli {
namespace {

using advise::EvidenceGroup;
using advise::GroupCurve;
using advise::LineConstants;
using advise::RuleRegret;

constexpr int line_steps = 60;

std::string edge_text(double depth, bool at_edge, const char* mark) {
    return fmt::format("{:.3g}{}", depth, at_edge ? mark : "");
}

// "4.1 to 22", "<2 to 8.8": the valley reaches the end of the sweep there.
std::string valley_words(const GroupCurve& curve) {
    return fmt::format("{}{:.2g} to {}", curve.low_at_edge ? "<" : "", curve.low,
                       edge_text(curve.high, curve.high_at_edge, ">"));
}

std::vector<RuleRegret> all_regrets(const advise::LineFit& fit) {
    std::vector<RuleRegret> regrets{advise::regret_left_out(fit)};
    for (const auto& rule : advise::rival_depth_rules()) regrets.push_back(advise::regret_of(rule));
    return regrets;
}

Json constants_json(const LineConstants& c) {
    return {{"depth_percent", c.depth_percent},
            {"depth_power", c.depth_power},
            {"width_percent", c.width_percent},
            {"width_power", c.width_power}};
}

void add_constants(Table& table, const std::string& name, const LineConstants& c) {
    table.add({name, fmt::format("{:.4g}", c.depth_percent), fmt::format("{:.3g}", c.depth_power),
               fmt::format("{:.4g}", c.width_percent), fmt::format("{:.3g}", c.width_power),
               fmt::format("{:.1f}", advise::best_depth(c, 1e6)),
               fmt::format("{:.1f}", advise::best_depth(c, 1e8)),
               fmt::format("{:.1f}", advise::best_depth(c, 1e9))});
}

void add_regret(Table& table, const RuleRegret& regret, Mark mark) {
    std::vector<std::string> cells{regret.name};
    for (const auto& [study, lost] : regret.by_study) cells.push_back(fmt::format("{:.2f}", lost));
    cells.push_back(fmt::format("{:.2f}", regret.mean));
    cells.push_back(fmt::format("{:.2f}", regret.error));
    cells.push_back(fmt::format("{}", regret.clamped));
    table.add(std::move(cells), mark);
}

std::vector<report::ValleyEdge> drawn_line() {
    std::vector<report::ValleyEdge> line;
    const double low = std::log(advise::smallest_measured), high = std::log(advise::largest_measured);
    for (int i = 0; i <= line_steps; ++i) {
        const double size = std::exp(low + (high - low) * i / line_steps);
        const auto valley = advise::valley_at(size);
        line.push_back({size, valley.best, valley.low, valley.high});
    }
    return line;
}

}  // namespace

void print_evidence(const EvidenceList& groups) {
    Table table({{"group", Align::left}, {"size"}, {"best"}, {"valley"}, {"line"}, {"its valley"}});
    for (const auto* group : groups) {
        const GroupCurve curve = advise::curve_of_group(*group);
        const auto line = advise::valley_at(group->size);
        table.add({group->name, human_count(group->size), fmt::format("{:.2g}", curve.best),
                   valley_words(curve), fmt::format("{:.1f}", line.best), advise::valley_text(line)},
                  group->fitted ? Mark::none : Mark::note);
    }
    table.print();
    fmt::print(
        "\n  Size: non-embedding parameters. Valley: depths that cost at most 1 % of loss\n"
        "  (half a point of accuracy) on the group's own smooth curve; < and >: it\n"
        "  reaches the end of the sweep. Line: the load line at this size. Groups with -\n"
        "  are listed, not fitted.\n");
}

Json evidence_json(const EvidenceList& groups) {
    Json list = Json::array();
    for (const auto* group : groups) {
        const GroupCurve curve = advise::curve_of_group(*group);
        const auto line = advise::valley_at(group->size);
        Json points = Json::array();
        for (const auto& point : group->points)
            points.push_back({{"depth", point.depth}, {"width", point.width}, {"lost", point.lost_at_size}});
        list.push_back({{"group", group->name},
                        {"study", group->study},
                        {"family", group->family},
                        {"data", group->data},
                        {"metric", group->metric_name},
                        {"matched_by", group->matched_by},
                        {"how_read", group->how_read},
                        {"fitted", group->fitted},
                        {"non_embedding", group->size},
                        {"best", curve.best},
                        {"valley", {curve.low, curve.high}},
                        {"valley_at_edge", {curve.low_at_edge, curve.high_at_edge}},
                        {"line", {{"best", line.best}, {"valley", {line.low, line.high}}}},
                        {"points", points}});
    }
    return {{"groups", list}};
}

void print_line_fit(const advise::LineFit& fit) {
    fmt::print("percent of loss = A depth^-p + B (width / 100)^-q\n\n");
    Table constants({{"fitted to", Align::left}, {"A"}, {"p"}, {"B"}, {"q"}, {"1 M"}, {"100 M"}, {"1 B"}});
    add_constants(constants, "all studies", fit.all);
    for (std::size_t i = 0; i < fit.studies.size(); ++i)
        add_constants(constants, "without " + fit.studies[i], fit.without[i]);
    constants.print();
    fmt::print("  The last three columns are the best depths at these sizes.\n\n");
    std::vector<Column> columns{{"regret, % of loss", Align::left}};
    for (const auto& study : fit.studies) columns.push_back({study.substr(0, 8)});
    columns.insert(columns.end(), {{"mean"}, {"+-"}, {"clamped"}});
    Table table(columns);
    bool first = true;
    for (const auto& regret : all_regrets(fit)) {
        add_regret(table, regret, first ? Mark::advised : Mark::none);
        first = false;
    }
    table.print();
    fmt::print(
        "  Regret: what the rule's depth lost to the best of a group, groups and then\n"
        "  studies averaged; +-: standard error of the mean over studies. Clamped: groups\n"
        "  whose sweep the rule leaves, counted at its end, which flatters.\n");
}

Json line_fit_json(const advise::LineFit& fit) {
    Json without = Json::object(), rules = Json::array();
    for (std::size_t i = 0; i < fit.studies.size(); ++i)
        without[fit.studies[i]] = constants_json(fit.without[i]);
    for (const auto& regret : all_regrets(fit)) {
        Json studies = Json::object();
        for (const auto& [study, lost] : regret.by_study) studies[study] = lost;
        rules.push_back({{"rule", regret.name},
                         {"studies", studies},
                         {"mean", regret.mean},
                         {"error", regret.error},
                         {"clamped", regret.clamped}});
    }
    return {{"constants", constants_json(fit.all)}, {"without", without}, {"regret_percent", rules}};
}

Json evidence_figure(const EvidenceList& groups) {
    report::ValleyFigure figure;
    figure.title = "Depths that cost at most 1 % of loss, by study and size";
    figure.subtitle =
        "Symbol: the best depth of the study's smooth curve. Line and band: the load line and its valley.";
    for (const auto* group : groups) {
        if (group->metric == advise::Metric::accuracy) continue;
        const GroupCurve curve = advise::curve_of_group(*group);
        figure.bars.push_back({group->study, group->name, group->size, curve.best, curve.low, curve.high});
    }
    figure.line = drawn_line();
    return report::valley_vega(figure);
}

}  // namespace plimsoll::cli

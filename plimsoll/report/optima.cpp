#include <algorithm>
#include <limits>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/report/figure_data.h"
#include "plimsoll/report/findings.h"
#include "plimsoll/report/numbers.h"
#include "plimsoll/report/statistics/optimum.h"

namespace plimsoll::report {
namespace {

// The rows of one combination of `by`: seed -> x -> values.
using Gathered = std::map<std::string, std::map<double, std::vector<double>>>;

struct OptimumColumns {
    std::size_t x = 0, y = 0, over = 0;
    std::vector<std::size_t> by;
};

Result<OptimumColumns> optimum_columns(const OptimumSpec& spec, const Selection& selection) {
    OptimumColumns columns;
    PLIMSOLL_ASSIGN(x, selection.column(spec.x, spec.place));
    PLIMSOLL_ASSIGN(y, selection.column(spec.y, spec.place));
    PLIMSOLL_ASSIGN(over, selection.column(spec.over, spec.place));
    for (const auto& name : spec.by) {
        PLIMSOLL_ASSIGN(at, selection.column(name, spec.place));
        columns.by.push_back(at);
    }
    columns.x = x;
    columns.y = y;
    columns.over = over;
    return columns;
}

SeedCurves curves_of(const Gathered& gathered) {
    SeedCurves curves;
    for (const auto& [seed, points] : gathered)
        for (const auto& [x, values] : points) curves[seed][x] = summary(values).mean;
    return curves;
}

Outcome judged_optimum(const OptimumSpec& spec, const Optimum& best) {
    if (!spec.predicted) return Outcome::no_prediction;
    if (!best.interval) return Outcome::inside_noise;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Interval reach{best.open_below ? -infinity : best.interval->low,
                         best.open_above ? infinity : best.interval->high};
    return judged(reach, {spec.predicted->first, spec.predicted->second});
}

// "1.41 (95 % interval 1.12 to 1.86, 3 seeds)".
std::string place_text(const OptimumSpec& spec, const Optimum& best) {
    if (!best.interval)
        return fmt::format("{} ({}, three are needed for an interval)", short_number(best.x),
                           best.seeds == 1 ? "one " + spec.over : counted(best.seeds, spec.over));
    return fmt::format("{} (95 % interval {}, {})", short_number(best.x), interval_text(*best.interval),
                       counted(best.seeds, spec.over));
}

// "best ratio, budget 64000".
std::string group_name(const OptimumSpec& spec, const CellKey& key) {
    std::string name = spec.name;
    for (std::size_t i = 0; i < key.size(); ++i)
        name += fmt::format(", {} {}", spec.by[i], store::cell_text(key[i]));
    return name;
}

Json details_of(const OptimumSpec& spec, const CellKey& key, const Optimum& best) {
    Json by = Json::object();
    for (std::size_t i = 0; i < key.size(); ++i) by[spec.by[i]] = store::cell_json(key[i]);
    return {{"x", spec.x},
            {"y", spec.y},
            {"best", spec.lowest ? "lowest" : "highest"},
            {"by", by},
            {"at", best.x},
            {"value", best.y},
            {"low", best.interval ? Json(best.interval->low) : Json()},
            {"high", best.interval ? Json(best.interval->high) : Json()},
            {"open_below", best.open_below},
            {"open_above", best.open_above},
            {"seeds", best.seeds},
            {"predicted", spec.predicted ? Json{spec.predicted->first, spec.predicted->second} : Json()}};
}

Judgement finding_of(const OptimumSpec& spec, const CellKey& key, const Gathered& gathered) {
    const Optimum best = best_point(curves_of(gathered), spec.lowest, spec.scale);
    Judgement finding{"optimum", group_name(spec, key), judged_optimum(spec, best)};
    finding.sentence = fmt::format("{}: measured {} is {} at {} {}", finding.name, spec.y,
                                   spec.lowest ? "lowest" : "highest", spec.x, place_text(spec, best));
    if (spec.predicted)
        finding.sentence += fmt::format(", predicted {} to {}: {}", short_number(spec.predicted->first),
                                        short_number(spec.predicted->second), name_of(finding.outcome));
    finding.sentence += ".";
    if (best.open_below || best.open_above)
        finding.notes.push_back(fmt::format("reaches the {} {} measured: the best may lie beyond",
                                            best.open_below && best.open_above ? "smallest and the largest"
                                            : best.open_below                  ? "smallest"
                                                                               : "largest",
                                            spec.x));
    finding.details = details_of(spec, key, best);
    return finding;
}

}  // namespace

Result<std::vector<Judgement>> optimum_findings(const OptimumSpec& spec, const Sources& sources) {
    PLIMSOLL_ASSIGN(selection, sources.select(spec.rows, spec.where, spec.place));
    PLIMSOLL_ASSIGN(columns, optimum_columns(spec, selection));
    std::map<CellKey, Gathered, CellKeyLess> groups;
    std::size_t without = 0;
    for (const auto& row : selection.table().rows) {
        const auto x = finite_number(row[columns.x]), y = finite_number(row[columns.y]);
        if (!x || !y || (spec.scale != Scale::linear && *x <= 0)) {
            ++without;
            continue;
        }
        CellKey key;
        for (const std::size_t at : columns.by) key.push_back(row[at]);
        groups[key][store::cell_text(row[columns.over])][*x].push_back(*y);
    }
    std::vector<Judgement> findings;
    for (const auto& [key, gathered] : groups) findings.push_back(finding_of(spec, key, gathered));
    if (findings.empty())
        findings.push_back({"optimum", spec.name, Outcome::inside_noise,
                            fmt::format("{}: no rows to find it in: no verdict possible.", spec.name),
                            Json::object(), selection.notes});
    else
        findings.front().notes.insert(findings.front().notes.begin(), selection.notes.begin(),
                                      selection.notes.end());
    if (without > 0)
        findings.front().notes.push_back(
            fmt::format("{} left out: no value of {} or {}", counted(without, "row"), spec.x, spec.y));
    return findings;
}

}  // namespace plimsoll::report

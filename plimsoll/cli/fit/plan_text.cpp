#include "plimsoll/cli/fit/plan_text.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/fit/race/race_pace.h"
#include "plimsoll/fit/race/rate_search.h"
#include "plimsoll/fit/race/run_settings.h"

namespace plimsoll::cli {
namespace {

using fit::Fitting;

double steps_of(const Fitting& fitting, const fit::DataLook& look, const fit::Candidate& candidate) {
    const double step =
        fit::flops_per_example(look, candidate) * static_cast<double>(fitting.race.plan.batch);
    return std::max(static_cast<double>(fit::least_steps), std::round(fitting.forecast.flops / step));
}

const fit::Candidate& candidate_of(const Fitting& fitting, const std::string& id) {
    return *fit::find_candidate(fitting.proposal, id);
}

std::string search_text(const Fitting& fitting) {
    if (fitting.race.plan.candidates.front().empty()) return "The learning rate is the recipe's.";
    std::vector<std::string> searches;
    for (const auto& id : fitting.race.plan.candidates.front()) {
        const auto& scout = candidate_of(fitting, id);
        const double first = fit::first_rate(scout);
        searches.push_back(
            fmt::format("{} at {:g} to {:g}", scout.label, fit::rate_at(first, -2), fit::rate_at(first, 2)));
    }
    return fmt::format("First the learning rate, by factors of 2, in runs half as long: {}.",
                       join(searches, "; "));
}

std::string inputs_text(const Fitting& fitting) {
    const auto& plan = fitting.race.plan;
    if (!fit::has_input_rung(plan)) return "";
    std::vector<std::string> labels;
    for (const auto& id : plan.candidates[fit::input_rung]) labels.push_back(candidate_of(fitting, id).label);
    return fmt::format(
        "Then how the data is cut, in runs as long, {} {} each: {}. The best of them takes the place of {} "
        "in "
        "the table.",
        fitting.forecast.input_seeds, fitting.forecast.input_seeds == 1 ? "seed" : "seeds",
        join(labels, "; "), candidate_of(fitting, plan.candidates[fit::input_rung].front()).input.name);
}

std::string table_sentence(const Fitting& fitting) {
    const auto& [proposal, race, forecast] = fitting;
    std::string text =
        fmt::format("{} of {} networks to the end, {} seeds each, {:.2e} FLOPs a run in steps of {}.",
                    forecast.table.size(), proposal.candidates.size(), forecast.seeds, forecast.flops,
                    fmt::format("{} examples", race.plan.batch));
    if (forecast.seconds > 0)
        text += fmt::format(" All of it takes about {}.", duration_text(forecast.seconds));
    return text;
}

std::string few_steps_text(const Fitting& fitting, const fit::DataLook& look) {
    double fewest = INFINITY;
    for (const auto& id : fitting.forecast.table)
        fewest = std::min(fewest, steps_of(fitting, look, candidate_of(fitting, id)));
    const auto wanted = fitting.race.plan.wanted_steps.value_or(0);
    if (fewest >= static_cast<double>(wanted)) return "";
    return wrapped(
        fmt::format("! Some runs have only {:.0f} steps; {} are wanted for a fair comparison. More "
                    "time or fewer --params would give them.",
                    fewest, wanted),
        2, 4);
}

std::string table_text(const Fitting& fitting, const fit::DataLook& look) {
    const bool timed = !fitting.race.plan.pace.empty();
    std::vector<Column> columns{{"id", Align::left}, {"network", Align::left}, {"steps"}};
    if (timed) columns.push_back({"seconds a run"});
    Table table(columns);
    for (const auto& id : fitting.forecast.table) {
        const auto& candidate = candidate_of(fitting, id);
        std::vector<std::string> cells{id, candidate.label,
                                       fmt::format("{:.0f}", steps_of(fitting, look, candidate))};
        if (timed)
            cells.push_back(
                fmt::format("{:.1f}", fitting.race.plan.start_seconds +
                                          fitting.forecast.flops * fit::pace_of(fitting.race.plan.pace, id)));
        table.add(cells);
    }
    return table.text(false, text_columns());
}

}  // namespace

std::string plan_text(const Fitting& fitting, const fit::DataLook& look) {
    const std::string inputs = inputs_text(fitting);
    std::string text = wrapped(search_text(fitting), 2) + (inputs.empty() ? "" : wrapped(inputs, 2)) +
                       wrapped(table_sentence(fitting), 2) + "\n" + table_text(fitting, look) +
                       few_steps_text(fitting, look);
    for (const auto& note : fitting.race.notes) text += wrapped("! " + note, 2, 4);
    return text + "\n";
}

}  // namespace plimsoll::cli

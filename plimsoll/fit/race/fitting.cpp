#include "plimsoll/fit/race/fitting.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/race_budget.h"
#include "plimsoll/fit/race/race_pace.h"
#include "plimsoll/fit/race/run_settings.h"

namespace plimsoll::fit {
namespace {

// The FLOPs of a whole race here: those of the request, or what all workers do in the time that is left.
double flops_here(const FitRequest& request, const RacePlan& plan, double seconds_left, int workers) {
    if (request.flops) return *request.flops;
    double sum = 0;
    for (const auto& one : plan.pace) sum += one.seconds_per_flop;
    return seconds_left * workers * static_cast<double>(plan.pace.size()) / sum;
}

// The pace of smaller networks from that of larger ones, each as the nearest depth. A step of a small network
// takes longer a FLOP, up to as long as a step of the large one; the mean of the two in the logarithm.
std::vector<Pace> reckoned(const Proposal& before, const std::vector<Pace>& pace, const Proposal& now,
                           const DataLook& look) {
    std::vector<Pace> reckoned;
    for (const auto* network : networks_of(now)) {
        const auto nearest = std::ranges::min_element(before.candidates, {}, [&](const auto& one) {
            return std::abs(real(one.depth) - real(network->depth));
        });
        const double ratio = flops_per_example(look, *nearest) / flops_per_example(look, *network);
        reckoned.push_back({network->id, pace_of(pace, nearest->id) * std::sqrt(std::max(1.0, ratio))});
    }
    return reckoned;
}

// The default size when a race has so many FLOPs.
std::int64_t usual_parameters(FitRequest request, const DataLook& look, double flops) {
    request.seconds.reset();
    request.flops = flops;
    return default_budget(request, look).parameters;
}

bool has_steps(const Fitting& fitting, const DataLook& look, const FitRequest& request) {
    const auto& [proposal, race, forecast] = fitting;
    return forecast.flops >= flops_for_steps(look, proposal, forecast.table, wanted_steps(request.on_gpu()),
                                             worthwhile_batch(request, look, proposal, forecast.table));
}

std::string size_text(std::int64_t parameters) { return human_count(static_cast<double>(parameters)); }

std::string shrunk_note(const FitRequest& request, std::int64_t before, std::int64_t now) {
    if (request.parameters > 0)
        return fmt::format(
            "{} parameters were asked for; a race of them does not fit into the budget on this machine, so "
            "networks of {} race.",
            size_text(before), size_text(now));
    return fmt::format(
        "This machine trains more slowly than was assumed, so networks of {} parameters race instead of {}.",
        size_text(now), size_text(before));
}

}  // namespace

Result<Fitting> fitting(const FitRequest& request, const DataLook& look, const lab::RunnerOptions& runner,
                        const std::function<double()>& seconds_left) {
    Fitting found;
    const auto plan = [&](const FitRequest& asked) -> Result<RaceForecast> {
        PLIMSOLL_ASSIGN(proposal, propose(asked, look));
        const Proposal before = std::exchange(found.proposal, std::move(proposal));
        const RacePlan known = std::exchange(found.race, {}).plan;
        RacePlanner planner(asked, look, found.proposal, runner, seconds_left);
        if (!known.pace.empty())
            planner.assume(reckoned(before, known.pace, found.proposal, look), known.start_seconds);
        return planner.begin(found.race);
    };
    auto forecast = plan(request);
    if (forecast.ok()) found.forecast = *forecast;
    const bool measured = request.flops || !found.race.plan.pace.empty();
    if (!measured) return forecast.error();
    if (forecast.ok() && (request.parameters > 0 || has_steps(found, look, request))) return found;
    const double left = request.seconds ? seconds_left() : 0;
    FitRequest smaller = request;
    smaller.parameters =
        usual_parameters(request, look, flops_here(request, found.race.plan, left, runner.workers));
    const std::int64_t before = found.proposal.budget;
    if (smaller.parameters >= before)
        return forecast.ok() ? Result(found) : Result<Fitting>(forecast.error());
    PLIMSOLL_ASSIGN(second, plan(smaller));
    found.forecast = second;
    found.proposal.budget_source = limited_by_machine;
    found.race.notes.push_back(shrunk_note(request, before, smaller.parameters));
    return found;
}

}  // namespace plimsoll::fit

#include "plimsoll/fit/race/fitting.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/race_budget.h"

namespace plimsoll::fit {
namespace {

// The FLOPs of a whole race here: those of the request, or what all workers do in the time that is left.
double flops_here(const FitRequest& request, const RacePlan& plan, double seconds_left, int workers) {
    if (request.flops) return *request.flops;
    double sum = 0;
    for (const auto& one : plan.pace) sum += one.seconds_per_flop;
    return seconds_left * workers * static_cast<double>(plan.pace.size()) / sum;
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
        found.proposal = std::move(proposal);
        found.race = {};
        return RacePlanner(asked, look, found.proposal, runner, seconds_left).begin(found.race);
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
    found.proposal.budget_source = "what this machine can race";
    found.race.notes.push_back(shrunk_note(request, before, smaller.parameters));
    return found;
}

}  // namespace plimsoll::fit

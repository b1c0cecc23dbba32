#include "plimsoll/fit/full_budget.h"

#include <algorithm>

#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/fit/race/scout.h"

namespace plimsoll::fit {
namespace {

constexpr std::int64_t usual_batch = 16;  // for a race that does not say

// What the request asked for, or what the race took; of one that was stopped what it would have taken.
double flops_of(const FitRequest& request, const Race& race) {
    if (request.flops) return *request.flops;
    double flops = race.flops;
    if (flops <= 0)
        for (const auto& entry : race.entries) flops += entry.flops;
    const bool stopped = !race.complete && request.seconds && race.seconds > 0;
    return stopped ? flops * std::max(1.0, *request.seconds / race.seconds) : flops;
}

}  // namespace

Result<run::RunConfig> full_budget_config(const FitRequest& request, const DataLook& look,
                                          const Proposal& proposal, const Candidate& candidate,
                                          const Race& race, double rate) {
    RunLength length;
    length.flops = flops_of(request, race);
    length.rate = rate;
    length.seed = request.seed;
    length.batch = race.plan.batch > 0 ? race.plan.batch : usual_batch;
    length.last = true;
    if (race.plan.wanted_steps) length.base = scout_of(proposal, candidate.family);
    PLIMSOLL_ASSIGN(config, run_config(request, look, candidate, length));
    config.name = "full budget of " + candidate.id;
    return config;
}

}  // namespace plimsoll::fit

#include "plimsoll/fit/decide/costs.h"

#include <algorithm>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"

namespace plimsoll::fit {
namespace {

NetworkCost cost_of(const std::string& candidate, double value, const std::vector<const RaceEntry*>& runs) {
    double seconds = 0, units = 0, flops = 0;
    for (const auto* run : runs) {
        seconds += run->seconds;
        units += run->units_seen;
        flops += run->flops;
    }
    NetworkCost cost;
    cost.candidate = candidate;
    cost.value = value;
    cost.run_seconds = seconds / real(runs.size());
    if (units > 0) cost.seconds_per_unit = seconds / units;
    if (seconds > 0) cost.flops_per_second = flops / seconds;
    return cost;
}

// Those that no other beats in value without taking longer. The costs are sorted by time.
void mark_front(std::vector<NetworkCost>& costs, bool lower_is_better) {
    const NetworkCost* best = nullptr;
    for (auto& cost : costs) {
        if (cost.seconds_per_unit <= 0) continue;
        cost.on_front =
            best == nullptr || (lower_is_better ? cost.value < best->value : cost.value > best->value);
        if (cost.on_front) best = &cost;
    }
}

}  // namespace

std::vector<NetworkCost> network_costs(const Race& race, const RungTable& table, Goal goal) {
    std::vector<NetworkCost> costs;
    for (const auto& [candidate, runs] : counted_runs(race, table.rung, goal))
        if (const auto row = table.row(candidate))
            costs.push_back(cost_of(candidate, table.mean(*row), runs));
    std::ranges::stable_sort(costs, [&](const auto& a, const auto& b) {
        if (a.seconds_per_unit != b.seconds_per_unit) return a.seconds_per_unit < b.seconds_per_unit;
        return table.lower_is_better ? a.value < b.value : a.value > b.value;
    });
    mark_front(costs, table.lower_is_better);
    return costs;
}

std::string cost_words(const std::vector<NetworkCost>& costs, const Candidate& candidate,
                       const std::string& unit) {
    const std::string flops =
        fmt::format("{} training FLOPs per {}", human_count(candidate.flops_per_unit), unit);
    const auto own = std::ranges::find(costs, candidate.id, &NetworkCost::candidate);
    if (own == costs.end() || own->seconds_per_unit <= 0) return flops;
    const auto fastest =
        std::ranges::find_if(costs, [](const auto& one) { return one.seconds_per_unit > 0; });
    const std::string beside = own == fastest
                                   ? "the fastest of the rung"
                                   : fmt::format("{:.2g} times the time of the fastest of the rung",
                                                 own->seconds_per_unit / fastest->seconds_per_unit);
    return fmt::format("{}; {} a run here, {}", flops, duration_text(own->run_seconds), beside);
}

}  // namespace plimsoll::fit

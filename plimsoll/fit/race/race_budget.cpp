#include "plimsoll/fit/race/race_budget.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plimsoll/fit/race/rate_search.h"
#include "plimsoll/fit/race/run_settings.h"

namespace plimsoll::fit {
namespace {

constexpr double growth = 3;               // of a run's length from rung to rung
constexpr std::size_t few_candidates = 4;  // fewer have no rung between the first and the last
constexpr double busy_share = 0.94;        // of the workers' time: the last run of a rung is waited for
constexpr double few_turns = 4;            // from there on the end of a rung weighs little
constexpr int halvings = 60;
constexpr double middle_rates = 2;  // the best one so far and the next lower
constexpr std::size_t least_networks = 3;
constexpr double first_rung_steps = 60;
constexpr std::int64_t least_batch = 4, most_batch_cpu = 64, most_batch_gpu = 256;

double runs_of(const RungShape& rung) { return static_cast<double>(rung.networks) * rung.runs_each; }

// How many runs a worker has one after the other when so many are shared out at once: whole ones while they
// are few, as the last of them are waited for.
double turns_of(double runs, int workers) {
    const double each = runs / workers;
    return each <= few_turns ? std::ceil(each) : each / busy_share;
}

// Of a rung: what is certain at once, then what is added for some.
double turns_of(const RungShape& rung, int workers) {
    const double certain = std::floor(rung.runs_each), networks = static_cast<double>(rung.networks);
    return turns_of(networks * certain, workers) + turns_of(networks * (rung.runs_each - certain), workers);
}

// What a rung and all later ones take: runs of any length, and their lengths summed; of one worker, or of one
// after the other when all of them are at it.
struct Cost {
    double runs = 0, lengths = 0;
};
Cost cost_from(const Purse& purse, const std::vector<RungShape>& rungs, std::size_t rung) {
    Cost cost;
    for (std::size_t r = rung; r < rungs.size(); ++r) {
        const double runs = purse.of_time ? turns_of(rungs[r], purse.workers) : runs_of(rungs[r]);
        cost.runs += runs;
        cost.lengths += runs * rungs[r].length / rungs[rung].length;
    }
    return cost;
}

std::vector<double> example_costs(const DataLook& look, const Proposal& proposal) {
    std::vector<double> costs;
    for (const auto& candidate : proposal.candidates) costs.push_back(flops_per_example(look, candidate));
    std::ranges::sort(costs);
    return costs;
}

}  // namespace

std::vector<std::string> everybody(const Proposal& proposal) {
    std::vector<std::string> ids;
    for (const auto& candidate : proposal.candidates) ids.push_back(candidate.id);
    return ids;
}

std::vector<std::string> kept_to_the_end(const Proposal& proposal) {
    std::vector<std::string> kept;
    for (const auto& candidate : proposal.candidates)
        if (candidate.is_rival() || candidate.id == proposal.favourite) kept.push_back(candidate.id);
    return kept;
}

std::vector<RungShape> rungs_of(std::size_t networks, std::size_t kept) {
    const std::size_t last = std::min(networks, kept + 2);
    const std::size_t half = std::max((networks + 1) / 2, last);
    const auto seeds = static_cast<double>(last_rung_seeds);
    const RungShape first{networks, expected_trials, 1}, end{last, seeds, growth * growth};
    if (networks < few_candidates) return {first, end};
    return {first, {half, middle_rates, growth}, end};
}

std::vector<std::string> affordable(const Proposal& proposal, const Purse& purse, double least) {
    const auto kept = kept_to_the_end(proposal);
    const auto all = everybody(proposal);
    const std::size_t fewest = std::min(all.size(), std::max(least_networks, kept.size()));
    for (std::size_t size = all.size(); size >= fewest && size > 0; --size)
        if (run_flops(purse, rungs_of(size, kept.size()), 0) >= least) return filled_up(kept, all, size);
    return {};
}

double run_flops(const Purse& purse, const std::vector<RungShape>& rungs, std::size_t rung) {
    const Cost cost = cost_from(purse, rungs, rung);
    if (!purse.of_time) return purse.left / cost.lengths;
    return (purse.left - cost.runs * purse.start_seconds) / (cost.lengths * purse.seconds_per_flop);
}

double last_done(const std::vector<double>& seconds, int workers) {
    std::vector<double> busy_until(static_cast<std::size_t>(workers));
    for (const double one : seconds) *std::ranges::min_element(busy_until) += one;
    return *std::ranges::max_element(busy_until);
}

double run_flops(const Purse& purse, const std::vector<RungShape>& rungs, std::size_t rung,
                 const std::vector<double>& paces) {
    const double later_length = rung + 1 < rungs.size() ? rungs[rung + 1].length / rungs[rung].length : 1;
    const Cost later = cost_from(purse, rungs, rung + 1);
    const auto seconds = [&](double flops) {
        std::vector<double> runs;
        for (const double pace : paces) runs.push_back(purse.start_seconds + flops * pace);
        return last_done(runs, purse.workers) + later.runs * purse.start_seconds +
               later.lengths * later_length * flops * purse.seconds_per_flop;
    };
    double low = 0, high = purse.left / *std::ranges::max_element(paces);
    for (int i = 0; i < halvings; ++i) {
        const double middle = low + (high - low) / 2;
        (seconds(middle) <= purse.left ? low : high) = middle;
    }
    return low;
}

double needed(const Purse& purse, const std::vector<RungShape>& rungs, double first_run_flops) {
    const Cost cost = cost_from(purse, rungs, 0);
    const double flops = cost.lengths * first_run_flops;
    return purse.of_time ? flops * purse.seconds_per_flop + cost.runs * purse.start_seconds : flops;
}

std::int64_t batch_for(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                       double flops) {
    const auto costs = example_costs(look, proposal);
    const double usual = flops / costs[costs.size() / 2] / first_rung_steps;
    const double safe = flops / costs.back() / static_cast<double>(least_steps);
    const std::int64_t most = request.on_gpu() ? most_batch_gpu : most_batch_cpu;
    const double wanted = std::clamp(std::min(usual, safe), double(least_batch), double(most));
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(wanted)));
}

double least_flops(const DataLook& look, const Proposal& proposal) {
    return example_costs(look, proposal).back() * static_cast<double>(least_batch * least_steps);
}

std::vector<std::string> filled_up(std::vector<std::string> chosen, const std::vector<std::string>& all,
                                   std::size_t size) {
    for (const auto& id : all)
        if (chosen.size() < size && std::ranges::find(chosen, id) == chosen.end()) chosen.push_back(id);
    return chosen;
}

}  // namespace plimsoll::fit

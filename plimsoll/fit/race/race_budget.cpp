#include "plimsoll/fit/race/race_budget.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "plimsoll/fit/race/run_settings.h"

namespace plimsoll::fit {
namespace {

constexpr int halvings = 60;
// Beyond about so many tokens a step more of them save no steps (McCandlish et al. 2018, for networks of this
// size); images are counted one by one.
constexpr double most_tokens_cpu = 4096, most_tokens_gpu = 16384;
constexpr double most_images_cpu = 64, most_images_gpu = 256;
constexpr double most_rows_cpu = 256, most_rows_gpu = 1024, steps_of_a_pass = 16;
constexpr double worthwhile_share = 0.25;  // of the largest batch, on a GPU
constexpr double spare_steps = 1.25;  // beside those that are wanted: whole powers of two, a slower network

double dearest_example(const DataLook& look, const Proposal& proposal, const std::vector<std::string>& who) {
    double most = 0;
    for (const auto& id : who) most = std::max(most, flops_per_example(look, *find_candidate(proposal, id)));
    return most;
}

double largest_batch(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                     const std::vector<std::string>& who) {
    if (look.modality == Modality::images) return request.on_gpu() ? most_images_gpu : most_images_cpu;
    if (look.modality == Modality::rows)  // a step of a small table is a part of it that noise does not fill
        return std::clamp<double>(static_cast<double>(look.size - look.held_out) / steps_of_a_pass,
                                  static_cast<double>(least_batch),
                                  request.on_gpu() ? most_rows_gpu : most_rows_cpu);
    // An example has the same bytes in every input. On a GPU the favourite's tokens count: the longest input
    // would make the batches of all others too small to fill it.
    if (request.on_gpu())
        return most_tokens_gpu /
               static_cast<double>(find_candidate(proposal, proposal.favourite)->input.tokens);
    std::int64_t longest = 1;
    for (const auto& id : who) longest = std::max(longest, find_candidate(proposal, id)->input.tokens);
    return most_tokens_cpu / static_cast<double>(longest);
}

double seconds_of(const Purse& purse, const Stage& stage, double flops) {
    std::vector<double> runs;
    for (const double pace : stage.paces) runs.push_back(purse.start_seconds + stage.length * flops * pace);
    return last_done(runs, purse.workers);
}

}  // namespace

std::vector<std::string> everybody(const Proposal& proposal) {
    std::vector<std::string> ids;
    for (const auto& candidate : proposal.candidates) ids.push_back(candidate.id);
    return ids;
}

std::vector<std::string> input_trials(const Proposal& proposal, const std::vector<std::string>& who) {
    std::vector<std::string> ids;
    if (!proposal.trials) return ids;
    std::map<std::string, std::size_t> inputs;
    for (const auto& one : proposal.trials->networks) ++inputs[one.family];
    const auto races = [&](const std::string& family) {
        return std::ranges::any_of(
            who, [&](const auto& id) { return find_candidate(proposal, id)->family == family; });
    };
    for (const auto& one : proposal.trials->networks)
        if (inputs[one.family] > 1 && races(one.family)) ids.push_back(one.id);
    return ids;
}

std::vector<std::string> always_raced(const Proposal& proposal) {
    std::vector<std::string> kept;
    for (const auto& candidate : proposal.candidates)
        if (candidate.is_rival() || candidate.id == proposal.favourite) kept.push_back(candidate.id);
    return kept;
}

std::vector<std::string> chosen(const Proposal& proposal, std::size_t networks) {
    const auto always = always_raced(proposal);
    const auto is_always = [&](const std::string& id) {
        return std::ranges::find(always, id) != always.end();
    };
    std::size_t others = networks - std::min(networks, always.size());
    std::vector<std::string> ids;
    for (const auto& id : everybody(proposal)) {
        if (!is_always(id) && others == 0) continue;
        if (!is_always(id)) --others;
        ids.push_back(id);
    }
    return ids;
}

double needed(const Purse& purse, const std::vector<Stage>& stages, double flops) {
    double sum = 0;
    for (const auto& stage : stages)
        sum += purse.of_time ? seconds_of(purse, stage, flops)
                             : flops * stage.length * static_cast<double>(stage.paces.size());
    return sum;
}

// What is needed grows with the FLOPs of a run.
double run_flops(const Purse& purse, const std::vector<Stage>& stages) {
    if (!purse.of_time) return purse.left / needed(purse, stages, 1);
    if (needed(purse, stages, 0) >= purse.left) return 0;
    double low = 0, high = 1;
    while (needed(purse, stages, high) < purse.left) high *= 2;
    for (int i = 0; i < halvings; ++i) {
        const double middle = std::midpoint(low, high);
        (needed(purse, stages, middle) <= purse.left ? low : high) = middle;
    }
    return low;
}

double last_done(const std::vector<double>& seconds, int workers) {
    std::vector<double> busy_until(static_cast<std::size_t>(workers));
    for (const double one : seconds) *std::ranges::min_element(busy_until) += one;
    return *std::ranges::max_element(busy_until);
}

namespace {

// The power of two below, but no smaller than the smallest batch.
std::int64_t as_batch(double examples) {
    const auto whole = static_cast<std::uint64_t>(std::max(1.0, examples));
    return std::max(least_batch, static_cast<std::int64_t>(std::bit_floor(whole)));
}

}  // namespace

std::int64_t batch_for(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                       const std::vector<std::string>& who, double flops) {
    const double steps = spare_steps * static_cast<double>(wanted_steps(request.on_gpu()));
    return as_batch(std::min(flops / dearest_example(look, proposal, who) / steps,
                             largest_batch(request, look, proposal, who)));
}

std::int64_t worthwhile_batch(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                              const std::vector<std::string>& who) {
    if (!request.on_gpu()) return least_batch;
    return as_batch(worthwhile_share * largest_batch(request, look, proposal, who));
}

double flops_for_steps(const DataLook& look, const Proposal& proposal, const std::vector<std::string>& who,
                       std::int64_t steps, std::int64_t batch) {
    return dearest_example(look, proposal, who) * static_cast<double>(batch * steps);
}

}  // namespace plimsoll::fit

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/request.h"

// How long the runs of a race are: a budget of seconds or FLOPs shared out over what is still to be run.
namespace plimsoll::fit {

// Who is raced: how many networks to the end, with how many seeds each, all for the same FLOPs; before them
// the trials of the inputs, with seeds of their own.
struct TableSize {
    std::size_t networks = 0;
    std::int64_t seeds = 0, input_seeds = 0;

    bool operator==(const TableSize&) const = default;
};

constexpr std::int64_t usual_seeds = 3, fewest_seeds = 2;
constexpr std::int64_t least_batch = 4;
constexpr std::size_t fewest_networks = 4;  // that tell something about depth

// How long runs before the table are beside those of the table: of the search for the rate, and of the
// inputs.
constexpr double search_length = 0.5;
constexpr std::int64_t usual_input_seeds = 2;
// The trials of the inputs take at most this share of what the search left.
constexpr double inputs_share = 0.35;
// Runs of the table's length that check the rate of the two best, one step to either side, and those that
// follow where another rate is better.
constexpr std::size_t rate_checks = 6;

// The ids of all candidates, in the proposal's order.
std::vector<std::string> everybody(const Proposal& proposal);

// The ids of the trials of the families of `who` that have several inputs.
std::vector<std::string> input_trials(const Proposal& proposal, const std::vector<std::string>& who);

// Candidates that race whatever the budget: the rivals' and theory's favourite.
std::vector<std::string> always_raced(const Proposal& proposal);

// So many candidates: those who always race first, then in the proposal's order, which is restored.
std::vector<std::string> chosen(const Proposal& proposal, std::size_t networks);

// Runs that are started together and waited for: the seconds per FLOP of each (1 where FLOPs are the budget),
// in the order in which they begin, and their length beside a run of the table.
struct Stage {
    std::vector<double> paces;
    double length = 1;
};

// What is left to spend: FLOPs, or worker-seconds at a pace.
struct Purse {
    bool of_time = false;
    double left = 0;           // FLOPs, or seconds by the clock
    int workers = 1;           // of_time only, as the next
    double start_seconds = 0;  // of a run before its first step
};

// FLOPs of a run of the table when these stages share the purse, one after the other; not positive when it is
// too small.
double run_flops(const Purse& purse, const std::vector<Stage>& stages);

// What the purse would have to hold for runs of so many FLOPs.
double needed(const Purse& purse, const std::vector<Stage>& stages, double flops);

// Seconds until the last of these runs is done, when a free worker takes the next one.
double last_done(const std::vector<double>& seconds, int workers);

// Examples of a step: the power of two that gives each of `who` so many steps or more, as far as the smallest
// batch allows; never more than data of this kind can use.
std::int64_t batch_for(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                       const std::vector<std::string>& who, double flops);

// The smallest batch that is worth racing with: on a processor the smallest there is, on a GPU, where a small
// step takes as long as a larger one, a quarter of what data of this kind can use.
std::int64_t worthwhile_batch(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                              const std::vector<std::string>& who);

// FLOPs that the most expensive of `who` needs for so many steps of so many examples.
double flops_for_steps(const DataLook& look, const Proposal& proposal, const std::vector<std::string>& who,
                       std::int64_t steps, std::int64_t batch);

}  // namespace plimsoll::fit

#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"

// How long the runs of a race are: a budget of seconds or FLOPs shared out over what is still to be run.
namespace plimsoll::fit {

// One rung as it is planned before anybody knows who is on it.
struct RungShape {
    std::size_t networks = 0;
    double runs_each = 1;  // rates, on the last rung seeds
    double length = 1;     // of a run, in runs of the first rung
};

// The ids of all candidates, in the proposal's order.
std::vector<std::string> everybody(const Proposal& proposal);

// Candidates that stay to the end whatever they come to: the rivals' and theory's favourite.
std::vector<std::string> kept_to_the_end(const Proposal& proposal);

// The rungs of a race of so many networks: half stay after the first, the two best and the `kept` who stay
// anyway reach the last; a run is three times as long as on the rung before. Fewer than four have two rungs.
std::vector<RungShape> rungs_of(std::size_t networks, std::size_t kept);

// What is left to spend: FLOPs, or worker-seconds at a pace.
struct Purse {
    bool of_time = false;
    double left = 0;              // FLOPs, or seconds by the clock
    int workers = 1;              // of_time only, as all below
    double start_seconds = 0;     // of a run before its first step
    double seconds_per_flop = 0;  // mean over those who run
};

// As many candidates as the purse pays for, with runs of `least` FLOPs at least on the first rung: those who
// stay to the end first, then in the proposal's order. Empty when not even three are paid for.
std::vector<std::string> affordable(const Proposal& proposal, const Purse& purse, double least);

constexpr std::int64_t last_rung_seeds = 3;

// FLOPs of one run of rung `rung` when it and all later ones share the purse; not positive when it is too
// small. Waiting for the last worker of a rung takes some of the time.
double run_flops(const Purse& purse, const std::vector<RungShape>& rungs, std::size_t rung);

// The same for a purse of time when it is known who runs: `paces` are the seconds per FLOP of the rung's
// runs, in the order in which they begin.
double run_flops(const Purse& purse, const std::vector<RungShape>& rungs, std::size_t rung,
                 const std::vector<double>& paces);

// Seconds until the last of these runs is done, when a free worker takes the next one.
double last_done(const std::vector<double>& seconds, int workers);

// What the purse would have to hold for runs of so many FLOPs on the first rung.
double needed(const Purse& purse, const std::vector<RungShape>& rungs, double first_run_flops);

// Examples of a step: a power of two that gives the first rung's runs of so many FLOPs about 60 steps.
std::int64_t batch_for(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                       double flops);

// FLOPs that the dearest candidate needs for the least number of steps at the smallest batch.
double least_flops(const DataLook& look, const Proposal& proposal);

// The first of `all` who are not in `chosen`, appended until it has `size`.
std::vector<std::string> filled_up(std::vector<std::string> chosen, const std::vector<std::string>& all,
                                   std::size_t size);

}  // namespace plimsoll::fit

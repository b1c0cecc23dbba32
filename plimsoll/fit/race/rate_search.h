#pragma once

#include <map>
#include <optional>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"

// The learning rate of a shape: half decades around a first guess, tried until the best is not at an end.
// Without it widths would be compared at rates that suit only some of them.
namespace plimsoll::fit {

// What came of each rate, by its half decades from the first; nothing where the run failed.
using RateTrials = std::map<int, std::optional<double>>;

// The rate so many half decades from the candidate's first, to three digits.
double rate_at(const Candidate& candidate, int half_decades);

// What to try next: three rates, then one more beyond the end that is best, five at most; empty when known.
std::vector<int> next_rates(const RateTrials& trials, bool lower_is_better);

// The best of them; nothing when all failed.
std::optional<int> best_rate(const RateTrials& trials, bool lower_is_better);

// The next lower rate: longer runs may want less than short ones.
double lower_rate(double rate);

// Runs of a search on average, for plans.
constexpr double expected_trials = 3.5;

}  // namespace plimsoll::fit

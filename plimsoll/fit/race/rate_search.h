#pragma once

#include <map>
#include <optional>
#include <vector>

// The learning rate of a family: powers of two around a first guess, tried on one small network until the
// best is not at an end. With a parameterisation whose rates transfer, that one rate serves every shape
// (docs/FIT_METHOD.md).
namespace plimsoll::fit {

// What came of each rate, by its doublings of the first; nothing where the run failed.
using RateTrials = std::map<int, std::optional<double>>;

// The rate so many doublings from `first`, to three digits.
double rate_at(double first, int doublings);

// A rate times a step, to three digits.
double stepped(double rate, double step);

// What to try next: five rates, then one more beyond the end that is best, eight at most; empty when known.
std::vector<int> next_rates(const RateTrials& trials, bool lower_is_better);

// The best of them; nothing when all failed.
std::optional<int> best_rate(const RateTrials& trials, bool lower_is_better);

// Whether the best lies between two rates that were tried.
bool is_enclosed(const RateTrials& trials, bool lower_is_better);

// Runs of a search, for plans: the five and, about half the time, one more.
constexpr int planned_trials = 6;

}  // namespace plimsoll::fit

#include "plimsoll/fit/race/rate_search.h"

#include <cmath>

namespace plimsoll::fit {
namespace {

constexpr std::size_t most_trials = 8;
constexpr int widest = 2;  // doublings to either side of the first guess, at once

double three_digits(double rate) {
    const double unit = std::pow(10, std::floor(std::log10(rate)) - 2);
    return std::round(rate / unit) * unit;
}

}  // namespace

double rate_at(double first, int doublings) { return three_digits(first * std::exp2(doublings)); }

double stepped(double rate, double step) { return three_digits(rate * step); }

std::optional<int> best_rate(const RateTrials& trials, bool lower_is_better) {
    std::optional<int> best;
    for (const auto& [rate, value] : trials) {
        if (!value) continue;
        const bool better =
            !best || (lower_is_better ? *value < *trials.at(*best) : *value > *trials.at(*best));
        if (better) best = rate;
    }
    return best;
}

std::vector<int> next_rates(const RateTrials& trials, bool lower_is_better) {
    std::vector<int> missing;
    for (int rate = -widest; rate <= widest; ++rate)
        if (!trials.contains(rate)) missing.push_back(rate);
    if (!missing.empty()) return missing;
    if (trials.size() >= most_trials) return {};
    const int lowest = trials.begin()->first, highest = trials.rbegin()->first;
    const auto best = best_rate(trials, lower_is_better);
    if (!best || *best == lowest) return {lowest - 1};  // what diverges wants less
    if (*best == highest) return {highest + 1};
    return {};
}

bool is_enclosed(const RateTrials& trials, bool lower_is_better) {
    const auto best = best_rate(trials, lower_is_better);
    return best && *best != trials.begin()->first && *best != trials.rbegin()->first;
}

}  // namespace plimsoll::fit

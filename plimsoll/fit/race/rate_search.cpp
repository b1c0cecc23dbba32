#include "plimsoll/fit/race/rate_search.h"

#include <cmath>

#include "plimsoll/fit/race/run_settings.h"

namespace plimsoll::fit {
namespace {

constexpr std::size_t most_trials = 5;

double three_digits(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
    return std::round(value / unit) * unit;
}

}  // namespace

double rate_at(const Candidate& candidate, int half_decades) {
    return three_digits(first_rate(candidate) * std::pow(10, half_decades / 2.0));
}

double lower_rate(double rate) { return three_digits(rate / std::sqrt(10)); }

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
    for (const int rate : {-1, 0, 1})
        if (!trials.contains(rate)) missing.push_back(rate);
    if (!missing.empty()) return missing;
    if (trials.size() >= most_trials) return {};
    const int lowest = trials.begin()->first, highest = trials.rbegin()->first;
    const auto best = best_rate(trials, lower_is_better);
    if (!best || *best == lowest) return {lowest - 1};  // what diverges wants less
    if (*best == highest) return {highest + 1};
    return {};
}

}  // namespace plimsoll::fit

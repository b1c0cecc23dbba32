#include "plimsoll/fit/race/rate_check.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace plimsoll::fit {
namespace {

// Of a candidate at its rate, with that seed.
std::optional<double> value_with_seed(const Race& race, const RungValue& standing, int rung,
                                      std::int64_t seed) {
    const auto found = std::ranges::find_if(race.entries, [&](const RaceEntry& entry) {
        return entry.rung == rung && entry.candidate == standing.candidate && entry.rate == standing.rate &&
               entry.seed == seed;
    });
    return found == race.entries.end() ? std::nullopt : value_of_run(race, found->run, rung);
}

}  // namespace

std::optional<double> value_of_run(const Race& race, const std::string& id, int rung) {
    const auto found = std::ranges::find_if(race.entries, [&](const RaceEntry& entry) {
        return entry.run == id && entry.rung == rung && entry.has_value();
    });
    return found == race.entries.end() ? std::nullopt : std::optional(found->value);
}

std::multimap<double, const RaceRun*> better_rates(const Race& race, const std::vector<RaceRun>& checks,
                                                   const std::vector<RungValue>& before, std::int64_t seed,
                                                   Goal goal) {
    const double sign = lower_is_better(goal) ? 1 : -1;
    std::map<std::string, std::pair<double, const RaceRun*>> found;
    for (const auto& check : checks) {
        const auto standing = std::ranges::find(before, check.candidate->id, &RungValue::candidate);
        const auto now = value_of_run(race, check.job.id, check.rung);
        const auto then = value_with_seed(race, *standing, check.rung, seed);
        if (!now || !then || sign * *now >= sign * *then) continue;
        const auto place = found.try_emplace(check.candidate->id, sign * *now, &check).first;
        if (sign * *now < place->second.first) place->second = {sign * *now, &check};
    }
    const auto ranked = std::views::values(found);
    return {ranked.begin(), ranked.end()};
}

}  // namespace plimsoll::fit

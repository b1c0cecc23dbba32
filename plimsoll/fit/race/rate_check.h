#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/fit/race/race_entries.h"

// Whether a neighbouring learning rate is better at full length.
namespace plimsoll::fit {

// What a run of a rung came to; nothing where it failed or did not end.
std::optional<double> value_of_run(const Race& race, const std::string& id, int rung);

// Of each network's checks the best, where it beats the rate of `before` with the same seed; by the value,
// the most promising first.
std::multimap<double, const RaceRun*> better_rates(const Race& race, const std::vector<RaceRun>& checks,
                                                   const std::vector<RungValue>& before, std::int64_t seed,
                                                   Goal goal);

}  // namespace plimsoll::fit

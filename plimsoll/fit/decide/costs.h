#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/propose/candidate.h"

namespace plimsoll::fit {

// What training a network took on this device, by its runs on the rung that decided.
struct NetworkCost {
    std::string candidate;
    double value = 0;             // mean over seeds
    double run_seconds = 0;       // of one run; 0: not known
    double seconds_per_unit = 0;  // of a byte, image, pair or sequence trained on
    double flops_per_second = 0;  // of the runs, as they share the device
    bool on_front = false;        // none is better and takes less time

    bool operator==(const NetworkCost&) const = default;
};

// The costs of every network of a rung, by rising seconds per unit. At equal FLOPs these are what a network
// takes of the same budget by the clock.
std::vector<NetworkCost> network_costs(const Race& race, const RungTable& table, Goal goal);

// "3.2 K training FLOPs per byte; 12 s a run here, 1.9 times the time of the fastest of the rung".
std::string cost_words(const std::vector<NetworkCost>& costs, const Candidate& candidate,
                       const std::string& unit);

}  // namespace plimsoll::fit

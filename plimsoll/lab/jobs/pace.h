#pragma once

#include <cstddef>
#include <optional>

#include "plimsoll/lab/sweep/plan.h"

namespace plimsoll::lab {

// How much a job is: its FLOPs where all jobs of the plan have them, else 1 for each.
std::vector<double> job_weights(const Plan& plan);

// How fast a sweep goes: worker-seconds per unit of weight, from what was computed here.
class Pace {
  public:
    // So much weight took one worker so long.
    void add(double weight, double seconds);
    // Seconds of one worker for so much weight; nothing before anything was computed.
    [[nodiscard]] std::optional<double> seconds(double weight) const;

  private:
    double weight_ = 0, seconds_ = 0;
};

// Seconds until `workers` have computed jobs that would take one worker so long: not less than the longest
// of them, nor than their sum shared fairly.
double time_left(const std::vector<double>& job_seconds, int workers);

}  // namespace plimsoll::lab

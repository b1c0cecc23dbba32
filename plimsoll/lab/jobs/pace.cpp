#include "plimsoll/lab/jobs/pace.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::lab {

std::vector<double> job_weights(const Plan& plan) {
    std::vector<double> weights;
    for (const Job& job : plan.jobs) weights.push_back(job.work.flops().value_or(0));
    const bool known = std::ranges::all_of(weights, [](double weight) { return weight > 0; });
    if (!known) weights.assign(plan.jobs.size(), 1);
    return weights;
}

void Pace::add(double weight, double seconds) {
    weight_ += weight;
    seconds_ += seconds;
}

std::optional<double> Pace::seconds(double weight) const {
    if (weight_ <= 0) return std::nullopt;
    return weight * seconds_ / weight_;
}

double time_left(const std::vector<double>& job_seconds, int workers) {
    if (job_seconds.empty()) return 0;
    const double sum = std::accumulate(job_seconds.begin(), job_seconds.end(), 0.0);
    return std::max(sum / workers, *std::ranges::max_element(job_seconds));
}

}  // namespace plimsoll::lab

#include "plimsoll/fit/compute_budget.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::fit {
namespace {

constexpr DevicePace cpu_pace{3e10, 20e3}, gpu_pace{6e13, 200e3};

}  // namespace

const DevicePace& pace_of(const FitRequest& request) { return request.on_gpu() ? gpu_pace : cpu_pace; }

double race_flops(const FitRequest& request) {
    if (request.flops) return *request.flops;
    return pace_of(request).flops_per_second * request.seconds.value_or(usual_seconds(request.on_gpu()));
}

std::int64_t budget_by_compute(const FitRequest& request) {
    const double chosen = std::sqrt(race_flops(request) / (6 * tokens_per_parameter * runs_in_full));
    return static_cast<std::int64_t>(std::max(pace_of(request).least_parameters, chosen));
}

}  // namespace plimsoll::fit

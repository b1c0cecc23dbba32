#include <cmath>
#include <numbers>

#include "plimsoll/run/run_config.h"
#include "plimsoll/run/trunk.h"

namespace plimsoll::run {
namespace {

// What is left of the peak's height above the end, from 1 at the start of the decay to 0.
double height(ScheduleKind kind, double progress) {
    switch (kind) {
        case ScheduleKind::constant:
            return 1;
        case ScheduleKind::linear:
        case ScheduleKind::wsd:
            return 1 - progress;
        case ScheduleKind::cosine:
            return progress == 1 ? 0 : (1 + std::cos(std::numbers::pi * progress)) / 2;
    }
    return 1;
}

// The last step at the peak.
std::int64_t end_of_peak(const RunConfig& config, std::int64_t total) {
    const bool wsd = config.schedule.kind == ScheduleKind::wsd;
    return wsd ? branching_step(config, total) : config.schedule.warmup;
}

}  // namespace

double learning_rate(const RunConfig& config, std::int64_t step, std::int64_t total) {
    PLIMSOLL_CHECK(step >= 0 && step <= total, "a step outside the run");
    const double peak = config.optimizer.lr;
    const std::int64_t warmup = config.schedule.warmup;
    if (step < warmup) return peak * (static_cast<double>(step) / static_cast<double>(warmup));
    const std::int64_t start = end_of_peak(config, total);
    if (step <= start) return peak;
    const double progress = static_cast<double>(step - start) / static_cast<double>(total - start);
    const double end = peak * config.schedule.min_lr_ratio;
    return end + (peak - end) * height(config.schedule.kind, progress);
}

}  // namespace plimsoll::run

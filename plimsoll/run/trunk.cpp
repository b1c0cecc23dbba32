#include "plimsoll/run/trunk.h"

namespace plimsoll::run {

std::int64_t branching_step(const RunConfig& config, std::int64_t total) {
    PLIMSOLL_CHECK(config.schedule.kind == ScheduleKind::wsd, "only wsd runs branch");
    return total - config.schedule.decay;
}

std::optional<RunConfig> trunk_of(const RunConfig& config) {
    if (config.schedule.kind != ScheduleKind::wsd || !config.schedule.share_trunk) return std::nullopt;
    RunConfig trunk = config;
    trunk.name = "trunk";
    trunk.schedule = {.kind = ScheduleKind::constant, .warmup = config.schedule.warmup};
    trunk.train.steps = most_steps;
    trunk.train.epochs = 0;
    return trunk;
}

bool is_trunk(const RunConfig& config) {
    return config.schedule.kind == ScheduleKind::constant && config.train.steps == most_steps;
}

}  // namespace plimsoll::run

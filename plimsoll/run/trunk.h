#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/run/run_config.h"

// Steps that runs of several lengths share. Up to the step where its decay starts, a wsd run is every other
// wsd run that differs from it in length and decay alone: batches, masks and rates depend on seeds and step.
// docs/decisions/0024-trunks.md.
namespace plimsoll::run {

// The last step that a wsd run of `total` steps shares with others: the decay follows it.
std::int64_t branching_step(const RunConfig& config, std::int64_t total);

// The run whose first branching_step() steps are those of `config`: it stays at the peak of the rate, and has
// no end of its own (most_steps). Nothing when the config does not ask for a trunk (schedule.share_trunk).
std::optional<RunConfig> trunk_of(const RunConfig& config);

// Whether a config is a trunk itself.
bool is_trunk(const RunConfig& config);

}  // namespace plimsoll::run

#pragma once

#include <memory>

#include "plimsoll/model/network.h"
#include "plimsoll/run/run_config.h"
#include "plimsoll/train/feeds/feed.h"

namespace plimsoll::train {

// "cpu", "cuda" or "cuda:1"; the error says why there is none.
Result<torch::Device> device_named(const std::string& name);

// The numbers of a run's parameters before rounding: float, or double for fp64.
torch::Dtype parameter_dtype(const run::RunConfig& config);

// How the network of a run is built.
model::BuildOptions build_options(const run::RunConfig& config, torch::Device device);

// The network of a run, or of all runs of a stack, with fresh weights.
Result<std::unique_ptr<model::Network>> build_network(const run::RunConfig& config, torch::Device device);
Result<std::unique_ptr<model::Network>> build_network(const std::vector<run::RunConfig>& stack,
                                                      torch::Device device);

// The plan of the feed of a run or of a stack, with room for `capacity` steps.
FeedPlan feed_plan(const std::vector<run::RunConfig>& stack, torch::Device device, std::int64_t capacity);

}  // namespace plimsoll::train

#pragma once

#include <filesystem>
#include <memory>

#include "plimsoll/model/network.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::train {

// The config of a run and its network with the weights of the last checkpoint.
struct TrainedRun {
    run::RunConfig config;
    std::unique_ptr<model::Network> network;
    std::int64_t step = 0;
};

// `not_found` when the run has no checkpoint yet.
Result<TrainedRun> open_trained(const std::filesystem::path& run_folder, torch::Device device);

}  // namespace plimsoll::train

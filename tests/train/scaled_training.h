#pragma once

#include <string>
#include <vector>

#include <torch/types.h>

#include "plimsoll/train/optimizer.h"
#include "plimsoll/train/run_setup.h"

// A network of model.parameterization and its optimizer, without data and folders: for laws about steps.
namespace plimsoll::train {

inline run::RunConfig scaled_config(const arch::ArchSpec& spec, run::Parameterization how,
                                    std::int64_t base_width = 0, std::int64_t base_depth = 0) {
    run::RunConfig config;
    config.model.spec = spec;
    config.model.init = "fan-in";
    config.model.parameterization = how;
    config.model.base_width = base_width;
    config.model.base_depth = base_depth;
    config.train.precision = run::Precision::fp64;
    return config;
}

inline run::RunConfig standard_config(const arch::ArchSpec& spec) {
    return scaled_config(spec, run::Parameterization::standard);
}

class ScaledTraining {
  public:
    explicit ScaledTraining(const run::RunConfig& config)
        : config_(config),
          network_(build_network(config, torch::kCPU).value()),
          flat_(std::make_unique<FlatParameters>(
              *network_, false,
              update_scales(*network_, config.optimizer.decay == run::DecayedTensors::all,
                            run::network_scale(config).tensors))),
          optimizer_({config.optimizer}, *flat_) {}

    [[nodiscard]] const model::Network& network() const { return *network_; }
    [[nodiscard]] torch::Tensor output(const model::Input& input) const {
        const at::NoGradGuard no_grad;
        return network_->forward(input, 0);
    }
    // One step towards outputs `target`, by half the mean square.
    void step(const model::Input& input, const torch::Tensor& target) {
        flat_->differentiate(0.5 * (network_->forward(input, 0) - target).square().mean(), false);
        optimizer_.step(at::full({1}, config_.optimizer.lr, at::kDouble));
    }

  private:
    run::RunConfig config_;
    std::unique_ptr<model::Network> network_;
    std::unique_ptr<FlatParameters> flat_;
    Optimizer optimizer_;
};

// The output of every layer for one input, and the network's output behind them.
inline std::vector<torch::Tensor> layers_of(const model::Network& network, model::Input input) {
    const at::NoGradGuard no_grad;
    std::vector<torch::Tensor> layers;
    input.observe = [&](const torch::Tensor& x) { layers.push_back(x.clone()); };
    layers.push_back(network.forward(input, 0));
    layers.back() = layers.back().clone();
    return layers;
}

}  // namespace plimsoll::train

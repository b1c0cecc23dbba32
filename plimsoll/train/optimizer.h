#pragma once

#include <memory>
#include <vector>

#include "plimsoll/run/run_config.h"
#include "plimsoll/train/flat_parameters.h"

namespace plimsoll::train {

// Changes flat parameters by their gradients. Every number that changes from step to step is a tensor on the
// device, so that a step can be captured in a graph and played again.
class Optimizer {
  public:
    Optimizer(const run::OptimizerSettings& settings, FlatParameters& parameters);

    // One update with the learning rate `rate` (a scalar on the device); returns the norm of the gradient
    // before it was clipped, a scalar on the device.
    torch::Tensor step(const torch::Tensor& rate);

    // What has to be kept to go on exactly: flat vectors and the count of steps.
    [[nodiscard]] std::vector<model::NamedTensor> state() const;

  private:
    void fused_adamw(const torch::Tensor& gradient, const torch::Tensor& norm, const torch::Tensor& rate);
    void adamw_on_cpu(const torch::Tensor& gradient, const torch::Tensor& norm, const torch::Tensor& rate);
    torch::Tensor clipped(const torch::Tensor& gradient, const torch::Tensor& norm) const;
    void decay(const torch::Tensor& rate);
    void adam(const torch::Tensor& gradient, const torch::Tensor& rate);
    void sgd(const torch::Tensor& gradient, const torch::Tensor& rate);

    run::OptimizerSettings settings_;
    FlatParameters& parameters_;
    torch::Tensor first_, second_;  // (P): averages of the gradient and of its square, or momentum
    torch::Tensor steps_;           // scalar double: updates made
};

}  // namespace plimsoll::train

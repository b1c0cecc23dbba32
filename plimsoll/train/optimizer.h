#pragma once

#include <memory>
#include <vector>

#include "plimsoll/run/run_config.h"
#include "plimsoll/train/flat_adamw.h"
#include "plimsoll/train/flat_parameters.h"

namespace plimsoll::train {

// Changes the flat parameters of a stack by their gradients, each run by its own settings. Every number that
// changes from step to step is a tensor on the device, so that a step can be captured in a graph and played
// again.
class Optimizer {
  public:
    // Settings of one kind for each run.
    Optimizer(std::vector<run::OptimizerSettings> settings, FlatParameters& parameters);

    // Which runs the next steps update, one flag for each, at first all; the others keep everything.
    void set_active(std::vector<bool> active);

    // One update with learning rates `rates` (K) on the device. Returns the norms of the gradients before
    // they were clipped, (K) on the device.
    torch::Tensor step(const torch::Tensor& rates);

    // What has to be kept of a run to go on exactly: flat vectors and the count of steps.
    [[nodiscard]] std::vector<model::NamedTensor> state(std::int64_t run) const;

  private:
    // The numbers of one run, all of them views.
    struct Row {
        const run::OptimizerSettings& settings;
        torch::Tensor values, gradient, first, second;  // (P); second is undefined for sgd
        torch::Tensor steps, norm, rate;                // scalars
        const std::vector<FlatSegment>& segments;
    };
    [[nodiscard]] Row row(std::int64_t run, const torch::Tensor& gradients, const torch::Tensor& norms,
                          const torch::Tensor& rates) const;
    static void update(const Row& row);
    static void adamw_on_cpu(const Row& row);
    static void decay(const Row& row);
    static torch::Tensor with_decay(const Row& row, const torch::Tensor& gradient);
    static void adam(const Row& row, const torch::Tensor& gradient);
    static void adam(const Row& row, const torch::Tensor& gradient, const FlatSegment& part);
    static void sgd(const Row& row, const torch::Tensor& gradient);

    std::vector<run::OptimizerSettings> settings_;
    FlatParameters& parameters_;
    torch::Tensor first_, second_;  // (K, P): averages of the gradient and of its square, or momentum
    torch::Tensor steps_;           // (K) double: updates made
    torch::Tensor counted_;         // (K) double: 1 for runs that are updated
    std::vector<bool> active_;
    std::unique_ptr<FlatAdamW> on_gpu_;
};

}  // namespace plimsoll::train

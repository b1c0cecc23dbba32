#pragma once

#include <memory>
#include <vector>

#include "plimsoll/run/run_config.h"
#include "plimsoll/train/flat_parameters.h"

namespace plimsoll::train {

// What an update of AdamW changes beside the parameters: all (K, P), and steps (K).
struct AdamWMemory {
    torch::Tensor first, second, steps;
};

// AdamW on all runs of a stack by one kernel of a GPU, which also writes the rounded copy. cuda/ has it;
// no_cuda/ never makes one.
class FlatAdamW {
  public:
    virtual ~FlatAdamW() = default;
    // Sets which runs change, one flag for each; before a step is recorded, not inside.
    virtual void set_active(const std::vector<bool>& active) = 0;
    // One update by rates (K) and the norms (K) of the gradients, float; memory.steps counts it already.
    virtual void step(FlatParameters& parameters, const AdamWMemory& memory, const torch::Tensor& rates,
                      const torch::Tensor& norms) = 0;
};

// Null where there is no such kernel for these settings and parameters.
std::unique_ptr<FlatAdamW> flat_adamw(const std::vector<run::OptimizerSettings>& settings,
                                      const FlatParameters& parameters);

}  // namespace plimsoll::train

#pragma once

#include <cstdint>
#include <limits>

#include <torch/types.h>

#include "plimsoll/model/network.h"

namespace plimsoll::model {

// The dropout of one forward pass: places are visited in the order of the pass and draw from a generator for
// each run, so that a run's masks depend on its seed alone. On the CPU the generators are the pass's own. On
// CUDA there is one for all runs, the device's default one, which the constructor seeds; a graph cannot be
// captured over that, so the capturing code passes `seeded_outside` and calls seed_dropout() before each
// replay.
class Dropout {
  public:
    // Rate 0 or no seeds: nothing is dropped.
    Dropout(double rate, const DropoutSeeds& seeds, torch::Device device);

    // Entries of x (K B, ...) are zero with probability `rate`, the others grow by 1 / (1 - rate).
    at::Tensor operator()(const at::Tensor& x);

  private:
    double rate_;
    std::vector<at::Generator> generators_;  // CPU only
};

// The generator of this device is the caller's business.
constexpr std::uint64_t seeded_outside = std::numeric_limits<std::uint64_t>::max();

// Seeds the default generator of a CUDA device as Dropout's constructor does.
void seed_dropout(torch::Device device, const DropoutSeeds& seeds);

}  // namespace plimsoll::model

#pragma once

#include <cstdint>
#include <limits>

#include <torch/types.h>

namespace plimsoll::model {

// The dropout of one forward pass: places are visited in the order of the pass and draw from one generator,
// so that the masks depend on the seed alone. On the CPU the generator is the pass's own. On CUDA it is the
// device's default one, which the constructor seeds; a graph cannot be captured over that, so whoever
// captures passes `seeded_outside` and calls seed_dropout() before each replay.
class Dropout {
  public:
    // Rate 0 or seed 0: nothing is dropped.
    Dropout(double rate, std::uint64_t seed, torch::Device device);

    // Entries are zero with probability `rate`, the others grow by 1 / (1 - rate).
    at::Tensor operator()(const at::Tensor& x);

  private:
    double rate_;
    at::Generator generator_;  // CPU only
};

// The generator of this device is the caller's business.
constexpr std::uint64_t seeded_outside = std::numeric_limits<std::uint64_t>::max();

// Seeds the default generator of a CUDA device as Dropout's constructor does.
void seed_dropout(torch::Device device, std::uint64_t seed);

}  // namespace plimsoll::model

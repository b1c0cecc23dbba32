#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plimsoll {

// One block of Philox 4x32-10: four words that depend on counter and key alone.
std::array<std::uint32_t, 4> philox_block(std::array<std::uint32_t, 4> counter,
                                          std::array<std::uint32_t, 2> key);

// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011): draw k of stream (seed, name) is a pure
// function of the three, so that streams for weights, data order, dropout and permutations never disturb one
// another.
class RandomStream {
  public:
    RandomStream(std::uint64_t seed, std::string_view name);

    // 64 uniform bits; advances the counter.
    std::uint64_t next();
    // Uniform in [0, bound) without bias; bound >= 1.
    std::uint64_t below(std::uint64_t bound);
    // Uniform in [0, 1) with 53 bits.
    double uniform();
    // Continues at draw `index`, as if that many 64-bit draws had been made.
    void seek(std::uint64_t index);

  private:
    std::uint64_t key_;
    std::uint64_t stream_;
    std::uint64_t index_ = 0;
};

}  // namespace plimsoll

#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <torch/types.h>

// What differs between devices; cuda/ has it for CUDA builds, no_cuda/ for the others.
namespace plimsoll::train {

// Work on the device that is recorded once and then played: one launch instead of hundreds.
class DeviceGraph {
  public:
    virtual ~DeviceGraph() = default;
    virtual void play() = 0;
};

// Runs `before` (on the host) and `work` a few times, whose effects stay, and then records `work`; null where
// there is nothing to record on, and then nothing was run. Whatever `work` reads and writes must keep its
// place.
std::unique_ptr<DeviceGraph> record(torch::Device device, int rehearsals, const std::function<void()>& before,
                                    const std::function<void()>& work);

// Returns when the device has done what it was given.
void wait_for(torch::Device device);

// The most bytes that torch had in use on a GPU since forget_peak(); on the CPU the largest resident size of
// this process so far, the program itself included.
std::uint64_t peak_bytes(torch::Device device);
void forget_peak(torch::Device device);

}  // namespace plimsoll::train

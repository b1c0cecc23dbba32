#pragma once

#include <memory>
#include <stdexcept>

#include <torch/types.h>

#include "plimsoll/train/processes/process_place.h"

// What carries numbers between processes: c10d, with Gloo (gloo/, or no_gloo/ where its headers are missing)
// and NCCL (cuda/, no_cuda/). Processes is what the others use.
namespace plimsoll::train {

// Another process is gone, or the way to it. Thrown inside train/torch, caught in train().
class LostProcess : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Operations that all processes do together, in the same order; they throw LostProcess.
class Wire {
  public:
    virtual ~Wire() = default;
    // Adds `tensor` up over the processes, in place; the result has the same bits in all of them.
    virtual void sum(const torch::Tensor& tensor) = 0;
    // Gives all processes the values that process `rank` has.
    virtual void copy_from(int rank, const torch::Tensor& tensor) = 0;
    // A wire between GPUs that each belong to one process; null where there is none. To be called by all.
    virtual std::unique_ptr<Wire> between_gpus(torch::Device device) = 0;
};

// Waits for all processes of `place` and connects them; for tensors on the host. Throws LostProcess.
std::unique_ptr<Wire> connect(const ProcessRank& place);

}  // namespace plimsoll::train

#pragma once

#include "plimsoll/train/processes/c10d_compat.h"

// cuda/ has it where NCCL's header is, no_cuda/ where not.
namespace plimsoll::train {

// The GPU in this machine, told apart from all others; empty where NCCL is not built in.
std::string gpu_identity(torch::Device device);

// NCCL between processes that each have a GPU of their own.
std::unique_ptr<Wire> nccl_wire(const StorePointer& store, const ProcessRank& place, torch::Device device);

}  // namespace plimsoll::train

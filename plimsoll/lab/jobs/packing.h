#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plimsoll/lab/sweep/plan.h"

// Which jobs train together as one program (a stack). Decided by configs and the names of devices alone,
// never by what is measured, so the same sweep is packed in the same way everywhere.
namespace plimsoll::lab {

struct PackingOptions {
    std::vector<std::string> devices{"cpu"};  // that the workers take in turn
    int workers = 1;
    bool stack = true;  // false: every job alone
};

// Bytes that one run of a stack takes on its device, about:
//   20 parameters + activations of a batch + 12 batch tokens vocabulary
// 20: weight, gradient, Adam's two moments and a copy, in fp32. Activations are arch::count's, in the run's
// precision, without scores (attention is fused). 12: logits, their softmax and its gradient in fp32.
double stack_bytes(const run::RunConfig& config);

// The most runs of this config in a stack: on a GPU 32, and 48 GiB by stack_bytes; on a CPU 4 of small steps
// (1.5e8 training FLOPs), which leave a core waiting for the next operation, and 1 of others.
std::size_t most_on_gpu(const run::RunConfig& config);
std::size_t most_on_cpu(const run::RunConfig& config);

// The most on any of the devices, as a stack may come to any of them.
std::size_t most_in_stack(const std::vector<std::string>& devices, const run::RunConfig& config);

// Stacks that can be at work at once without sharing a device; on a CPU every worker has cores of its own.
std::size_t lanes(const PackingOptions& options);

// The jobs `indices` of a plan as stacks: the same run::stack_key and length within a stack, no more than
// fit, each job once, in the order of the plan. A group is shared out evenly, and over more stacks when fewer
// than there are workers on a CPU, or devices, would result.
std::vector<std::vector<std::size_t>> pack(const Plan& plan, const std::vector<std::size_t>& indices,
                                           const PackingOptions& options);

}  // namespace plimsoll::lab

#pragma once

#include <vector>

#include "plimsoll/run/run_config.h"

// The multipliers of model.parameterization inside the weights: stock classes know none.
namespace plimsoll::exporter {

// For each tensor of arch::tensors(spec) what multiplies its numbers so that the network without multipliers
// computes the same; the spec fits a stock class. Exact: every multiplier stands beside a matrix or a norm.
std::vector<double> folded_multipliers(const run::RunConfig& config);

}  // namespace plimsoll::exporter

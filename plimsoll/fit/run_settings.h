#pragma once

#include <cstdint>

#include "plimsoll/base/result.h"
#include "plimsoll/fit/candidate.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/train/run_config.h"

// How a candidate is trained: the same for all but the network, its input, its rate and its steps.
namespace plimsoll::fit {

struct RunLength {
    double flops = 0;  // of training; the steps follow from it
    double rate = 0;   // learning rate at the peak
    std::int64_t seed = 1;
    bool last = false;  // of the last rung: evaluated on the way, checkpoints kept
};

// The run of a candidate; an error when so few FLOPs pay for less than the least number of steps.
Result<train::RunConfig> run_config(const FitRequest& request, const DataLook& look,
                                    const Candidate& candidate, const RunLength& length);

// Bytes, tokens, images, pairs or sequences that a step of the candidate trains on.
double units_per_step(const DataLook& look, const Candidate& candidate);

// Training FLOPs of a step.
double flops_per_step(const DataLook& look, const Candidate& candidate);

// Where the search for a rate begins: a fixed rate times a power of the width (muP: inversely, for Adam).
double first_rate(const Candidate& candidate);

}  // namespace plimsoll::fit

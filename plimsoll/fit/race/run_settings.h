#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/run/run_config.h"

// How a candidate is trained: the same for all but the network, its input, its rate and its steps.
namespace plimsoll::fit {

constexpr std::int64_t least_steps = 20;  // below that a run says nothing about its network

struct RunLength {
    double flops = 0;        // of training, as arch counts them; the steps follow from it
    double rate = 0;         // learning rate at the peak
    std::int64_t batch = 0;  // examples of a step
    std::int64_t seed = 1;
    bool last = false;           // of the last rung: evaluated on the way and oftener saved
    std::int64_t evaluated = 0;  // examples of an evaluation, the same for all who are compared; 0: all
    // The shape whose rate this is (scout.h); null: the rate is the candidate's own, as races of 0.1.0 had
    // it.
    const Candidate* base = nullptr;
};

// Examples of an evaluation of runs with so many FLOPs, the same for each of the candidates `who`: all
// evaluations together cost the dearest of them `evaluation_share` of its training, unless that is too few to
// say anything. 0: the whole held-out part.
std::int64_t evaluated_examples(const DataLook& look, const Proposal& proposal,
                                const std::vector<std::string>& who, double flops, bool last);

// The run of a candidate, with the nearest number of steps, `least_steps` at least.
Result<run::RunConfig> run_config(const FitRequest& request, const DataLook& look, const Candidate& candidate,
                                  const RunLength& length);

// Bytes, tokens, images, pairs or sequences in one training example of the candidate.
double units_per_example(const DataLook& look, const Candidate& candidate);

// Training FLOPs of one example.
double flops_per_example(const DataLook& look, const Candidate& candidate);

// The settings of the request's recipe; nothing when fit trains in its own way.
Result<std::optional<run::RunConfig>> recipe_of(const FitRequest& request);

// Where the search for a rate begins: inversely by the width, as muP has it for Adam.
double first_rate(const Candidate& candidate);

// What evaluating costs of a run's training, at most.
constexpr double evaluation_share = 0.2;

}  // namespace plimsoll::fit

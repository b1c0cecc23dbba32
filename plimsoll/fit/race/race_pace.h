#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/lab/jobs/runner.h"

// How fast the candidates train here, first from a few steps of two of them, then from the race itself.
namespace plimsoll::fit {

struct MeasuredPace {
    double start_seconds = 0;  // of a run before its first step
    std::vector<Pace> pace;    // of every candidate and trial
};

// Examples of a step for a first measurement: on a GPU, where small steps take as long as larger ones, the
// largest that data of this kind can use.
std::int64_t usual_batch(const FitRequest& request, const DataLook& look, const Proposal& proposal);

// Whether a pace measured with one batch says little about another.
bool far_apart(std::int64_t batch, std::int64_t other);

// A few steps of so many examples of the shallowest and the deepest candidate, by all workers at once and, on
// a GPU, as stacks of a network's seeds; the others by their depth between the two.
Result<MeasuredPace> measure_pace(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                                  std::int64_t batch, const lab::RunnerOptions& runner);

// Takes the pace of every candidate that finished runs on a rung from them, evaluations included, and changes
// that of the others by the mean ratio.
void update_pace(std::vector<Pace>& pace, const Race& race, int rung);

// The pace of the networks of the proposal that was settled on other inputs: that of the nearest depth
// before, by the ratio of the trials of the two inputs.
std::vector<Pace> settled_pace(const Proposal& before, const std::vector<Pace>& pace,
                               const Proposal& settled);

// Seconds per FLOP of one candidate; it is among them.
double pace_of(const std::vector<Pace>& pace, const std::string& candidate);

}  // namespace plimsoll::fit

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "plimsoll/rank/constructions/random_network.h"
#include "plimsoll/rank/constructions/score_source.h"

namespace plimsoll::rank {

// One evaluation that goes into an entry: the column sample scaled, the value weighted (both balanced).
struct Evaluation {
    double scale = 1, weight = 1;
};

// The evaluations whose sum is what has degree `grade` in the columns' side of a polynomial of degree
// `degree` there: interpolation at the scalars 0 .. degree, so that p must exceed the degree.
std::vector<Evaluation> graded_evaluations(const BalancedField& field, std::size_t degree, std::size_t grade);

// Entry (s, t): the sum of the evaluations on row sample s and column sample t.
std::unique_ptr<ScoreSource> sampled_scores(const BalancedField& field,
                                            std::shared_ptr<const PairKernel> kernel,
                                            std::pair<SideSamples, SideSamples> samples,
                                            std::vector<Evaluation> evaluations);

// Entry (s, t): the literal network on row sample s joined with column sample t.
std::unique_ptr<ScoreSource> literal_scores(std::shared_ptr<const RandomNetwork> network, const Sides& sides,
                                            OutputIndex output, std::uint64_t seed);

}  // namespace plimsoll::rank

#pragma once

#include "plimsoll/model/network.h"
#include "plimsoll/train/evaluation.h"
#include "plimsoll/train/feeds/feed.h"

namespace plimsoll::train {

// Mean cross entropy of the counted targets of each of K runs, (K), or the mean square of the errors where
// targets are numbers; computed in float at least.
torch::Tensor losses_of(const torch::Tensor& output, const torch::Tensor& targets, std::int64_t runs);

// Every run of the network on the whole validation split, or on `batches` of its batches, evenly spread over
// it, when that is not 0.
std::vector<Evaluation> evaluate_on(const model::Network& network, const Feed& feed, std::int64_t batches);

// Whether the output has the shape that the targets need, with a place for each of `limit` targets; the error
// says what is missing in the spec.
Status check_output(const torch::Tensor& output, const torch::Tensor& targets, std::int64_t limit);

}  // namespace plimsoll::train

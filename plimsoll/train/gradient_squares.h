#pragma once

#include <vector>

#include "plimsoll/model/network.h"
#include "plimsoll/train/feeds/feed.h"
#include "plimsoll/train/noise_scale.h"

namespace plimsoll::train {

// Into how many parts a batch that is trained in `parts` parts is cut to measure its noise: the fewest from
// four on that are a multiple of those, or single examples.
std::int64_t noise_parts(std::int64_t batch, std::int64_t parts);

// The gradients of every run of the network on the batch of step `step`, without dropout. Reads the weights
// and chooses that step in the feed, and changes nothing that training computes.
std::vector<GradientSquares> gradient_squares(const model::Network& network, Feed& feed, std::int64_t step);

}  // namespace plimsoll::train

#pragma once

#include <memory>

#include "plimsoll/train/feeds/feed.h"

namespace plimsoll::train {

// Labelled examples on the device; the tensors that are defined are what the network reads.
struct LabelledTensors {
    torch::Tensor tokens;    // (N, T) int32
    torch::Tensor segments;  // (N, T) uint8
    torch::Tensor padding;   // (N, T) bool
    torch::Tensor pixels;    // (N, C, H, W) uint8
    torch::Tensor values;    // (N, ...) float
    torch::Tensor labels;    // (N) int64
};

// The shape of an image as the network reads it: (C, H, W), (H, W) of the only colour, or (C H W).
enum class PixelForm { planes, matrix, vector };

// How images become numbers: (pixel - mean) / deviation, each (C) in pixels' units.
struct PixelScale {
    torch::Tensor mean, deviation;  // (1, C, 1, 1) float
    PixelForm form = PixelForm::planes;
};

// Examples in a new order every epoch.
std::unique_ptr<Feed> labelled_feed(LabelledTensors train, LabelledTensors validation, PixelScale scale,
                                    const FeedRequest& request);

}  // namespace plimsoll::train

#pragma once

#include <memory>

#include "plimsoll/train/feeds/feed_data.h"

namespace plimsoll::train {

// The shape of an example as the network reads it: images as (C, H, W), (H, W) of the only colour, or (C H
// W); matrices as they are, or as vectors.
enum class ExampleForm { planes, matrix, vector };
ExampleForm form_for(const arch::ArchSpec& spec);

// Examples in a new order every epoch.
std::unique_ptr<Feed> labelled_feed(const LabelledData& data, ExampleForm form, const FeedRequest& request);

}  // namespace plimsoll::train

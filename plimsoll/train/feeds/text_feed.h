#pragma once

#include <memory>

#include "plimsoll/train/feeds/feed_data.h"

namespace plimsoll::train {

// Random windows of `context` tokens; the targets are the tokens after them.
Result<std::unique_ptr<Feed>> text_feed(const TextData& text, std::int64_t context,
                                        const FeedRequest& request);

}  // namespace plimsoll::train

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/train/feeds/feed.h"

namespace plimsoll::train {

// A text as ids, with the part kept for validation.
struct TextTokens {
    std::vector<std::uint32_t> train, validation;  // train is empty for an evaluation only
    std::vector<double> bytes;                     // of each id of the vocabulary
};

// Random windows of `context` tokens; the targets are the tokens after them.
Result<std::unique_ptr<Feed>> text_feed(const TextTokens& tokens, std::int64_t context,
                                        const FeedRequest& request);

}  // namespace plimsoll::train

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/data/dataset.h"
#include "plimsoll/run/splits.h"
#include "plimsoll/train/feeds/feed.h"

// The feeds of the kinds of sets; make_feed() chooses among them.
namespace plimsoll::train {

using FeedResult = Result<std::unique_ptr<Feed>>;

// What a feed holds of its set; for an evaluation there is no training part.
struct FeedParts {
    run::SetPart train, held_out;
};
Result<FeedParts> feed_parts(const std::vector<std::string>& names, const run::RunConfig& config,
                             const FeedRequest& request);

// Whether the network has a row for each of `needed` ids.
Status check_vocabulary(const arch::ArchSpec& spec, std::size_t needed);

FeedResult feed_of(const data::TextFiles& files, const run::RunConfig& config, const FeedRequest& request);
FeedResult feed_of(const data::Tokens& tokens, const run::RunConfig& config, const FeedRequest& request);
FeedResult feed_of(const data::SentencePairs& pairs, const run::RunConfig& config,
                   const FeedRequest& request);
FeedResult feed_of(const data::LabelledSequences& set, const run::RunConfig& config,
                   const FeedRequest& request);
FeedResult feed_of(const data::LabelledMatrices& set, const run::RunConfig& config,
                   const FeedRequest& request);
// `own` is the run's set, whose training images say how all are scaled.
FeedResult feed_of(const data::Images& images, const data::Images& own, const run::RunConfig& config,
                   const FeedRequest& request);

}  // namespace plimsoll::train

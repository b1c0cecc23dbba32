#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/data/dataset.h"
#include "plimsoll/data/load.h"
#include "plimsoll/run/splits.h"
#include "plimsoll/train/feeds/feed_data.h"

// The data of the kinds of sets, on the host; make_feed() chooses among them.
namespace plimsoll::train {

// Where a set is and how it will be read; not for synthetic ones.
Result<data::FoundData> find_set(const run::DataSettings& settings);

// What a feed holds of its set; for an evaluation there is no training part.
struct FeedParts {
    run::SetPart train, held_out;
};
// labelled: a set without splits holds out a share of each class; in_order: its end.
enum class Examples { in_order, labelled };
Result<FeedParts> feed_parts(const std::vector<std::string>& names, const run::RunConfig& config,
                             const FeedRequest& request, Examples examples = Examples::in_order);

// Whether the network has a row for each of `needed` ids.
Status check_vocabulary(const arch::ArchSpec& spec, std::size_t needed);

// The same data, of which `vocabulary` ids must have rows in the network.
FeedDataResult with_vocabulary(FeedDataResult data, std::size_t vocabulary);

// Next-token prediction is no task for a network that sees the token it should predict.
Status check_causal(const arch::ArchSpec& spec);

FeedDataResult data_of(const data::TextFiles& files, const run::RunConfig& config,
                       const FeedRequest& request);
FeedDataResult data_of(const data::Tokens& tokens, const run::RunConfig& config, const FeedRequest& request);
FeedDataResult data_of(const data::SentencePairs& pairs, const run::RunConfig& config,
                       const FeedRequest& request);
FeedDataResult data_of(const data::LabelledSequences& set, const run::RunConfig& config,
                       const FeedRequest& request);
FeedDataResult data_of(const data::LabelledMatrices& set, const run::RunConfig& config,
                       const FeedRequest& request);
FeedDataResult data_of(const data::Table& table, const run::RunConfig& config, const FeedRequest& request);
// `own` is the run's set, whose training images say how all are scaled.
FeedDataResult data_of(const data::Images& images, const data::Images& own, const run::RunConfig& config,
                       const FeedRequest& request);

}  // namespace plimsoll::train

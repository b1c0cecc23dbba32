#include "plimsoll/train/feeds/feed_data.h"

#include "plimsoll/train/feeds/labelled_feed.h"
#include "plimsoll/train/feeds/text_feed.h"

namespace plimsoll::train {
namespace {

// visit(tensor) for all tensors of the data.
template <class Data, class Visit>
void for_tensors(Data& data, const Visit& visit) {
    if (auto* text = std::get_if<TextData>(&data.set)) {
        for (auto* tensor : {&text->train, &text->validation, &text->bytes}) visit(*tensor);
        return;
    }
    auto& labelled = std::get<LabelledData>(data.set);
    for (auto* part : {&labelled.train, &labelled.validation}) {
        for (auto* tensor :
             {&part->tokens, &part->segments, &part->padding, &part->pixels, &part->values, &part->labels})
            visit(*tensor);
    }
    for (auto* tensor : {&labelled.scale.mean, &labelled.scale.deviation}) visit(*tensor);
}

}  // namespace

std::uint64_t FeedData::size_in_bytes() const {
    std::uint64_t bytes = 0;
    for_tensors(*this, [&](const torch::Tensor& tensor) { bytes += tensor.defined() ? tensor.nbytes() : 0; });
    return bytes;
}

FeedData moved_to(FeedData data, torch::Device device) {
    for_tensors(data, [&](torch::Tensor& tensor) {
        if (tensor.defined()) tensor = tensor.to(device);
    });
    return data;
}

Result<std::unique_ptr<Feed>> feed_from(const FeedData& data, const run::RunConfig& config,
                                        const FeedRequest& request) {
    if (const auto* text = std::get_if<TextData>(&data.set)) {
        PLIMSOLL_ASSIGN(feed, text_feed(*text, run::context_length(config), request));
        feed->set_evaluated(data.evaluated);
        return feed;
    }
    auto feed = labelled_feed(std::get<LabelledData>(data.set), form_for(config.model.spec), request);
    feed->set_evaluated(data.evaluated);
    feed->set_table(data.table);
    return feed;
}

}  // namespace plimsoll::train

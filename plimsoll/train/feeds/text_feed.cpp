#include "plimsoll/train/feeds/text_feed.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"

namespace plimsoll::train {
namespace {

// A window of the validation text: which tokens, and which of its targets were not counted before.
struct Window {
    std::int64_t start, first_counted;
};

// Every token but the first is counted once: windows `stride` apart, the last moved back so that it ends with
// the text.
std::vector<Window> windows_of(std::int64_t tokens, std::int64_t context, std::int64_t stride) {
    std::vector<Window> windows;
    std::int64_t counted = 1;  // tokens that have been targets, or are the first
    for (std::int64_t start = 0; counted < tokens; start += stride) {
        const std::int64_t from = std::min(start, tokens - 1 - context);
        windows.push_back({from, counted - 1 - from});
        counted = from + context + 1;
    }
    return windows;
}

class TextFeed final : public Feed {
  public:
    TextFeed(const TextData& text, std::int64_t context, const FeedRequest& request)
        : Feed(request.plan),
          context_(context),
          validation_(text.validation),
          train_(text.train.numel() == 0 ? validation_ : text.train),
          offsets_(at::arange(context + 1, at::TensorOptions().dtype(at::kLong).device(request.plan.device))),
          bytes_(text.bytes),
          windows_(windows_of(validation_.numel(), context, request.stride > 0 ? request.stride : context)) {
        for (const std::uint64_t seed : request.plan.seeds) streams_.emplace_back(seed, "data/windows");
    }

    [[nodiscard]] std::int64_t evaluation_batches() const override {
        return (static_cast<std::int64_t>(windows_.size()) + plan().batch - 1) / plan().batch;
    }
    [[nodiscard]] Batch evaluation_batch(std::int64_t number) const override {
        const auto first = static_cast<std::size_t>(number * plan().batch);
        const std::size_t count = std::min(static_cast<std::size_t>(plan().batch), windows_.size() - first);
        std::vector<std::int64_t> starts, counted;
        for (std::size_t i = first; i < first + count; ++i) {
            starts.push_back(windows_[i].start);
            counted.push_back(windows_[i].first_counted);
        }
        Batch batch = cut(validation_, at::tensor(starts, at::kLong).to(plan().device));
        const torch::Tensor from = at::tensor(counted, at::kLong).to(plan().device).unsqueeze(1);
        batch.targets =
            batch.targets.masked_fill(offsets_.narrow(0, 0, context_).unsqueeze(0).lt(from), no_target);
        return batch;
    }
    [[nodiscard]] std::int64_t epoch_examples() const override {
        return std::max<std::int64_t>(1, (train_.numel() - 1) / context_);
    }
    [[nodiscard]] std::int64_t target_limit() const override {
        return std::max(train_.max().item<std::int64_t>(), validation_.max().item<std::int64_t>()) + 1;
    }
    [[nodiscard]] torch::Tensor token_bytes() const override { return bytes_; }

  protected:
    [[nodiscard]] std::int64_t example(std::size_t run, std::int64_t number) override {
        RandomStream& stream = streams_[run];
        stream.seek(static_cast<std::uint64_t>(number));
        return static_cast<std::int64_t>(stream.uniform() * static_cast<double>(train_.numel() - context_));
    }
    [[nodiscard]] Batch gather(const torch::Tensor& examples, const torch::Tensor&) const override {
        return cut(train_, examples);
    }

  private:
    // Windows of context + 1 tokens from `starts` (B) on.
    [[nodiscard]] Batch cut(const torch::Tensor& text, const torch::Tensor& starts) const {
        const torch::Tensor places = starts.unsqueeze(1) + offsets_;  // (B, T + 1)
        const torch::Tensor tokens =
            text.index_select(0, places.flatten()).view(places.sizes()).to(at::kLong);
        Batch batch;
        batch.input.tokens = tokens.narrow(1, 0, context_).contiguous();
        batch.targets = tokens.narrow(1, 1, context_).contiguous();
        return batch;
    }

    std::int64_t context_;
    std::vector<RandomStream> streams_;
    torch::Tensor validation_, train_;  // (tokens) int32
    torch::Tensor offsets_;             // (T + 1) int64: 0, 1, ...
    torch::Tensor bytes_;               // (V) double
    std::vector<Window> windows_;
};

Status long_enough(const torch::Tensor& ids, std::int64_t context, std::string_view which) {
    if (ids.numel() > context) return {};
    return bad_input("data", fmt::format("the {} text has {} tokens, and one example needs {}", which,
                                         ids.numel(), context + 1));
}

}  // namespace

Result<std::unique_ptr<Feed>> text_feed(const TextData& text, std::int64_t context,
                                        const FeedRequest& request) {
    const bool only = request.evaluation_only;
    if (!only) PLIMSOLL_RETURN_IF_ERROR(long_enough(text.train, context, "training"));
    if (request.stride < 0 || request.stride > context)
        return bad_input("stride",
                         fmt::format("must be from 1 to the context {}, got {}", context, request.stride));
    PLIMSOLL_RETURN_IF_ERROR(long_enough(text.validation, context, only ? "evaluated" : "validation"));
    return std::unique_ptr<Feed>(std::make_unique<TextFeed>(text, context, request));
}

}  // namespace plimsoll::train

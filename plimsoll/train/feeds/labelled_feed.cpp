#include "plimsoll/train/feeds/labelled_feed.h"

#include <algorithm>

#include <ATen/ATen.h>

namespace plimsoll::train {
namespace {

torch::Tensor chosen(const torch::Tensor& from, const torch::Tensor& examples) {
    return from.defined() ? from.index_select(0, examples) : torch::Tensor();
}

// Images (B, C, H, W) shifted and mirrored as `changes` (B, 3) say; what comes in from outside is zero.
torch::Tensor changed(const torch::Tensor& images, const torch::Tensor& changes) {
    const std::int64_t height = images.size(2), width = images.size(3);
    const auto options = changes.options();
    const auto column = [&](std::int64_t which) { return changes.select(1, which).view({-1, 1, 1}); };
    const torch::Tensor row = at::arange(height, options).view({1, -1, 1}) + column(0);  // (B, H, 1)
    const torch::Tensor straight = at::arange(width, options).view({1, 1, -1});
    const torch::Tensor mirrored = at::where(column(2).gt(0), width - 1 - straight, straight);
    const torch::Tensor col = mirrored + column(1);  // (B, 1, W)
    const torch::Tensor inside =
        row.ge(0).logical_and(row.lt(height)).logical_and(col.ge(0)).logical_and(col.lt(width));  // (B, H, W)
    const torch::Tensor place = row.clamp(0, height - 1) * width + col.clamp(0, width - 1);
    const torch::Tensor moved = images.flatten(2).gather(
        2, place.flatten(1).unsqueeze(1).expand({images.size(0), images.size(1), height * width}));
    return moved.view(images.sizes()) * inside.unsqueeze(1);
}

class LabelledFeed final : public Feed {
  public:
    LabelledFeed(const LabelledData& data, ExampleForm form, const FeedRequest& request)
        : Feed(request.plan),
          train_(data.train),
          validation_(data.validation),
          scale_(data.scale),
          form_(form) {
        for (const std::uint64_t seed : request.plan.seeds) orders_.emplace_back(train_.labels.numel(), seed);
    }

    [[nodiscard]] std::int64_t evaluation_batches() const override {
        return (validation_.labels.numel() + plan().batch - 1) / plan().batch;
    }
    [[nodiscard]] Batch evaluation_batch(std::int64_t number) const override {
        const std::int64_t first = number * plan().batch;
        const std::int64_t end = std::min(first + plan().batch, validation_.labels.numel());
        return take(validation_, at::arange(first, end, validation_.labels.options().dtype(at::kLong)), {});
    }
    [[nodiscard]] std::int64_t epoch_examples() const override { return train_.labels.numel(); }
    [[nodiscard]] std::int64_t target_limit() const override {
        if (at::isFloatingType(train_.labels.scalar_type())) return 1;  // a number has one output
        return at::max(train_.labels.max(), validation_.labels.max()).item<std::int64_t>() + 1;
    }

  protected:
    [[nodiscard]] std::int64_t example(std::size_t run, std::int64_t number) override {
        return orders_[run].at(number);
    }
    [[nodiscard]] Batch gather(const torch::Tensor& examples, const torch::Tensor& changes) const override {
        return take(train_, examples, plan().crop > 0 || plan().flip ? changes : torch::Tensor());
    }

  private:
    [[nodiscard]] Batch take(const LabelledTensors& from, const torch::Tensor& examples,
                             const torch::Tensor& changes) const {
        Batch batch;
        batch.targets = chosen(from.labels, examples);
        const torch::Tensor tokens = chosen(from.tokens, examples),
                            segments = chosen(from.segments, examples);
        if (tokens.defined()) batch.input.tokens = tokens.to(at::kLong);
        if (segments.defined()) batch.input.segments = segments.to(at::kLong);
        batch.input.padding = chosen(from.padding, examples);
        const torch::Tensor pixels = chosen(from.pixels, examples), values = chosen(from.values, examples);
        if (values.defined())
            batch.input.values = (form_ == ExampleForm::vector ? values.flatten(1) : values).to(plan().dtype);
        if (pixels.defined()) batch.input.values = scaled(pixels, changes);
        return batch;
    }
    // Scaled first, so that what comes in from outside is the mean.
    [[nodiscard]] torch::Tensor scaled(const torch::Tensor& pixels, const torch::Tensor& changes) const {
        torch::Tensor result = (pixels.to(at::kFloat) - scale_.mean) / scale_.deviation;
        if (changes.defined()) result = changed(result, changes);
        if (form_ == ExampleForm::vector) result = result.flatten(1);
        if (form_ == ExampleForm::matrix) result = result.squeeze(1);
        return result.to(plan().dtype);
    }

    LabelledTensors train_, validation_;
    PixelScale scale_;
    ExampleForm form_;
    std::vector<EpochOrder> orders_;
};

}  // namespace

ExampleForm form_for(const arch::ArchSpec& spec) {
    const run::InputKind input = run::input_kind(spec);
    return input == run::InputKind::vector   ? ExampleForm::vector
           : input == run::InputKind::matrix ? ExampleForm::matrix
                                             : ExampleForm::planes;
}

std::unique_ptr<Feed> labelled_feed(const LabelledData& data, ExampleForm form, const FeedRequest& request) {
    return std::make_unique<LabelledFeed>(data, form, request);
}

}  // namespace plimsoll::train

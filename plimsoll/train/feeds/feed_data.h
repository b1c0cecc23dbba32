#pragma once

#include <memory>
#include <string>
#include <variant>

#include "plimsoll/run/config_fit.h"
#include "plimsoll/run/table_encoding.h"
#include "plimsoll/train/feeds/feed.h"

// A data set on a device, before it is cut into batches: all feeds of the same data can share it.
namespace plimsoll::train {

// A text as ids, with the part kept for validation.
struct TextData {
    torch::Tensor train, validation;  // (tokens) int32; train is empty for an evaluation only
    torch::Tensor bytes;              // (V) double: of each id of the vocabulary; empty when unknown
};

// Labelled examples; the tensors that are defined are what the network reads.
struct LabelledTensors {
    torch::Tensor tokens;    // (N, T) int32
    torch::Tensor segments;  // (N, T) uint8
    torch::Tensor padding;   // (N, T) bool
    torch::Tensor pixels;    // (N, C, H, W) uint8
    torch::Tensor values;    // (N, ...) float
    torch::Tensor labels;    // (N) int64 classes, or (N) float numbers
};

// How images become numbers: (pixel - mean) / deviation, in pixels' units; undefined for other examples.
struct PixelScale {
    torch::Tensor mean, deviation;  // (1, C, 1, 1) float
};

struct LabelledData {
    LabelledTensors train, validation;
    PixelScale scale;
};

struct FeedData {
    std::variant<TextData, LabelledData> set;
    run::ExampleKind examples = run::ExampleKind::text;
    std::size_t vocabulary = 0;  // ids that the network must have rows for; 0: it reads none
    std::string evaluated;       // what the validation part is, for people
    std::shared_ptr<const run::TableEncoding> table = nullptr;  // how its rows were read; of tables only

    // Of all tensors.
    [[nodiscard]] std::uint64_t size_in_bytes() const;
};
using FeedDataResult = Result<FeedData>;

// The data with all tensors on the device.
FeedData moved_to(FeedData data, torch::Device device);

// The feed that cuts `data` into batches; the error says what does not fit the network of the config.
Result<std::unique_ptr<Feed>> feed_from(const FeedData& data, const run::RunConfig& config,
                                        const FeedRequest& request);

}  // namespace plimsoll::train

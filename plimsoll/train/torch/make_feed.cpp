#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/data/load.h"
#include "plimsoll/data/synthetic.h"
#include "plimsoll/train/torch/labelled_feed.h"
#include "plimsoll/train/torch/text_feed.h"
#include "plimsoll/train/torch/tokenizer.h"

namespace plimsoll::train {
namespace {

using data::Dataset;

Result<Dataset> load(const DataSettings& settings) {
    if (data::is_synthetic(settings.name)) {
        PLIMSOLL_ASSIGN(made, data::make_synthetic(settings.name));
        return std::move(made.dataset);
    }
    data::DataRequest request{.target = settings.name};
    if (settings.kind != "auto") {
        request.kind = data::kind_named(settings.kind);
        if (!request.kind) return bad_input("data.kind", fmt::format("no kind '{}'", settings.kind));
    }
    if (const char* folder = std::getenv("PLIMSOLL_DATA")) request.data_folder = folder;
    PLIMSOLL_ASSIGN(found, data::find_data(request));
    return data::load_data(found, request);
}

// The vocabulary of the network's token table, or nothing when it has none.
std::optional<std::int64_t> vocabulary_of(const arch::ArchSpec& spec) {
    if (const auto* transformer = std::get_if<arch::TransformerSpec>(&spec)) return transformer->vocab;
    if (const auto* mixer = std::get_if<arch::MixerSpec>(&spec)) return mixer->vocab;
    if (const auto* attention = std::get_if<arch::AttentionSpec>(&spec)) return attention->vocab;
    return std::nullopt;
}

Status check_vocabulary(const arch::ArchSpec& spec, std::size_t needed) {
    const auto vocabulary = vocabulary_of(spec);
    if (vocabulary && *vocabulary >= static_cast<std::int64_t>(needed)) return {};
    return bad_input("model.spec", fmt::format("vocab must be at least {}, the ids of the data, got {}",
                                               needed, vocabulary.value_or(0)));
}

std::vector<std::uint32_t> part(const std::vector<std::uint32_t>& all, double from, double to) {
    const auto at = [&](double share) {
        return all.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size()));
    };
    return {at(from), to >= 1 ? all.end() : at(to)};
}

// The last part of the tokens is for validation.
TextTokens split_text(const std::vector<std::uint32_t>& ids, double fraction, std::vector<double> bytes) {
    return {part(ids, 0, 1 - fraction), part(ids, 1 - fraction, 1), std::move(bytes)};
}

Result<std::unique_ptr<Feed>> from_text(const data::TextFiles& files, const RunConfig& config,
                                        const FeedRequest& request) {
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, tokenizer.size()));
    std::vector<std::uint32_t> ids;
    for (const auto& file : files.files) {
        const auto bytes = file.bytes.view();
        const auto some = tokenizer.encode({bytes.data(), bytes.size()});
        ids.insert(ids.end(), some.begin(), some.end());
    }
    const auto tokens = split_text(ids, config.data.validation_fraction, tokenizer.bytes());
    return text_feed(tokens, context_length(config), request);
}

Result<std::unique_ptr<Feed>> from_tokens(const data::Tokens& tokens, const RunConfig& config,
                                          const FeedRequest& request) {
    std::vector<std::uint32_t> ids(tokens.count());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = tokens[i];
    const std::size_t needed = ids.empty() ? 0 : std::size_t{*std::ranges::max_element(ids)} + 1;
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, needed));
    std::vector<double> bytes;  // unknown without the tokenizer
    if (config.data.tokenizer != "bytes") {
        PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
        bytes = tokenizer.bytes();
    }
    return text_feed(split_text(ids, config.data.validation_fraction, std::move(bytes)),
                     context_length(config), request);
}

torch::Tensor labels_tensor(const std::vector<std::uint16_t>& labels) {
    const torch::Tensor result = at::empty({static_cast<std::int64_t>(labels.size())}, at::kLong);
    std::ranges::copy(labels, result.data_ptr<std::int64_t>());
    return result;
}

LabelledTensors rows(const LabelledTensors& all, std::int64_t from, std::int64_t count) {
    const auto narrow = [&](const torch::Tensor& tensor) {
        return tensor.defined() ? tensor.narrow(0, from, count) : tensor;
    };
    return {narrow(all.tokens), narrow(all.segments), narrow(all.padding),
            narrow(all.pixels), narrow(all.values),   narrow(all.labels)};
}

struct Splits {
    LabelledTensors train, validation;
};

// The last `count` examples are for validation.
Splits keep_last(const LabelledTensors& all, std::int64_t count) {
    const std::int64_t total = all.labels.numel();
    return {rows(all, 0, total - count), rows(all, total - count, count)};
}

std::int64_t validation_count(const LabelledTensors& all, const DataSettings& settings) {
    const auto total = static_cast<double>(all.labels.numel());
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(total * settings.validation_fraction));
}

Result<std::unique_ptr<Feed>> from_splits(Splits splits, PixelScale scale, const RunConfig& config,
                                          const FeedRequest& request) {
    const std::int64_t limit = config.data.examples;
    if (limit > 0) splits.train = rows(splits.train, 0, std::min(limit, splits.train.labels.numel()));
    if (splits.train.labels.numel() == 0) return bad_input("data", "there is no example to train on");
    if (splits.validation.labels.numel() == 0) return bad_input("data", "there is no example to validate on");
    return labelled_feed(std::move(splits.train), std::move(splits.validation), std::move(scale), request);
}

Result<std::unique_ptr<Feed>> from_sequences(const data::LabelledSequences& set, const RunConfig& config,
                                             const FeedRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, set.vocabulary));
    const auto count = static_cast<std::int64_t>(set.labels.size());
    LabelledTensors all{.labels = labels_tensor(set.labels)};
    all.tokens = at::empty({count, static_cast<std::int64_t>(set.length)}, at::kInt);
    std::ranges::copy(set.tokens, all.tokens.data_ptr<std::int32_t>());
    const auto test = static_cast<std::int64_t>(set.test_count);
    return from_splits(keep_last(all, test > 0 ? test : validation_count(all, config.data)), {}, config,
                       request);
}

Result<std::unique_ptr<Feed>> from_matrices(const data::LabelledMatrices& set, const RunConfig& config,
                                            const FeedRequest& request) {
    const auto count = static_cast<std::int64_t>(set.labels.size());
    LabelledTensors all{.labels = labels_tensor(set.labels)};
    all.values = at::empty({count, static_cast<std::int64_t>(set.rows), static_cast<std::int64_t>(set.cols)},
                           at::kFloat);
    std::ranges::copy(set.values, all.values.data_ptr<float>());
    if (input_kind(config.model.spec) == InputKind::vector) all.values = all.values.flatten(1);
    const auto test = static_cast<std::int64_t>(set.test_count);
    return from_splits(keep_last(all, test > 0 ? test : validation_count(all, config.data)), {}, config,
                       request);
}

LabelledTensors image_tensors(const data::ImageSplit& split, const data::ImageShape& shape) {
    const auto count = static_cast<std::int64_t>(split.count());
    LabelledTensors all{.labels = labels_tensor(split.labels)};
    all.pixels = at::empty({count, static_cast<std::int64_t>(shape.channels),
                            static_cast<std::int64_t>(shape.height), static_cast<std::int64_t>(shape.width)},
                           at::kByte);
    auto* place = all.pixels.data_ptr<std::uint8_t>();
    for (std::size_t i = 0; i < split.count(); ++i) {
        place = std::ranges::copy(split.pixels(i, shape), place).out;
    }
    return all;
}

PixelScale scale_of(const torch::Tensor& pixels, const DataSettings& settings, bool flat) {
    const std::int64_t channels = pixels.size(1);
    PixelScale scale{at::zeros({1, channels, 1, 1}), at::full({1, channels, 1, 1}, 255.0), flat};
    if (settings.normalize == Normalization::none) return scale;
    for (std::int64_t c = 0; c < channels; ++c) {
        const torch::Tensor plane = pixels.select(1, c).to(at::kFloat);
        scale.mean.select(1, c).fill_(plane.mean());
        scale.deviation.select(1, c).fill_(plane.std().clamp_min(1e-3));
    }
    return scale;
}

const data::ImageSplit* split_named(const data::Images& images, std::string_view name) {
    const auto found = std::ranges::find(images.splits, name, &data::ImageSplit::name);
    return found == images.splits.end() ? nullptr : &*found;
}

Result<Splits> image_splits(const data::Images& images, const DataSettings& settings) {
    const data::ImageSplit* train = split_named(images, "train");
    if (train == nullptr) train = &images.splits.front();
    if (train->labels.empty())
        return bad_input("data", fmt::format("the split '{}' has no labels", train->name));
    const bool own = settings.validation != "auto";
    const data::ImageSplit* test = split_named(images, own ? settings.validation : "test");
    if (own && test == nullptr) {
        return bad_input("data.validation", fmt::format("there is no split '{}'", settings.validation));
    }
    const LabelledTensors all = image_tensors(*train, images.shape);
    if (test != nullptr && test != train) return Splits{all, image_tensors(*test, images.shape)};
    return keep_last(all, validation_count(all, settings));
}

Result<std::unique_ptr<Feed>> from_images(const data::Images& images, const RunConfig& config,
                                          const FeedRequest& request) {
    PLIMSOLL_ASSIGN(splits, image_splits(images, config.data));
    const bool flat = input_kind(config.model.spec) == InputKind::vector;
    PixelScale scale = scale_of(splits.train.pixels, config.data, flat);
    return from_splits(std::move(splits), std::move(scale), config, request);
}

// "first separator second", cut at the context, with segments and padding.
LabelledTensors pair_tensors(const data::SentencePairs& pairs, const Tokenizer& tokenizer,
                             std::int64_t context) {
    const auto count = static_cast<std::int64_t>(pairs.labels.size());
    LabelledTensors all{.labels = labels_tensor(pairs.labels)};
    all.tokens = at::zeros({count, context}, at::kInt);
    all.segments = at::zeros({count, context}, at::kByte);
    all.padding = at::ones({count, context}, at::kBool);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::size_t>(i);
        std::vector<std::uint32_t> ids = tokenizer.encode(pairs.first[index]);
        ids.push_back(tokenizer.separator());
        const std::size_t second = ids.size();
        const auto rest = tokenizer.encode(pairs.second[index]);
        ids.insert(ids.end(), rest.begin(), rest.end());
        for (std::size_t t = 0; t < std::min(ids.size(), static_cast<std::size_t>(context)); ++t) {
            const auto place = static_cast<std::size_t>(i * context) + t;
            all.tokens.data_ptr<std::int32_t>()[place] = static_cast<std::int32_t>(ids[t]);
            all.segments.data_ptr<std::uint8_t>()[place] = t >= second ? 1 : 0;
            all.padding.data_ptr<bool>()[place] = false;
        }
    }
    return all;
}

Result<std::unique_ptr<Feed>> from_pairs(const data::SentencePairs& pairs, const RunConfig& config,
                                         const FeedRequest& request) {
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(
        config.model.spec, std::max<std::size_t>(tokenizer.size(), tokenizer.separator() + std::size_t{1})));
    const LabelledTensors all = pair_tensors(pairs, tokenizer, context_length(config));
    return from_splits(keep_last(all, validation_count(all, config.data)), {}, config, request);
}

// What the set cannot follow is refused, never passed over.
Status check_settings(const data::Dataset& dataset, const DataSettings& settings) {
    const bool images = std::holds_alternative<data::Images>(dataset);
    const bool text =
        std::holds_alternative<data::TextFiles>(dataset) || std::holds_alternative<data::Tokens>(dataset);
    if (!images && settings.validation != "auto") {
        return bad_input("data.validation",
                         fmt::format("only images have splits by name, got '{}'; auto is the "
                                     "set's own split or its last part",
                                     settings.validation));
    }
    if (text && settings.examples > 0) {
        return bad_input("data.examples",
                         "a text has no examples to count; train.steps says how much is read");
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<Feed>> make_feed(const RunConfig& config, const FeedRequest& request) {
    PLIMSOLL_ASSIGN(dataset, load(config.data));
    PLIMSOLL_RETURN_IF_ERROR(check_settings(dataset, config.data));
    const auto make = [&](const auto& set) -> Result<std::unique_ptr<Feed>> {
        using Set = std::decay_t<decltype(set)>;
        if constexpr (std::is_same_v<Set, data::TextFiles>) return from_text(set, config, request);
        if constexpr (std::is_same_v<Set, data::Tokens>) return from_tokens(set, config, request);
        if constexpr (std::is_same_v<Set, data::Images>) return from_images(set, config, request);
        if constexpr (std::is_same_v<Set, data::SentencePairs>) return from_pairs(set, config, request);
        if constexpr (std::is_same_v<Set, data::LabelledSequences>)
            return from_sequences(set, config, request);
        if constexpr (std::is_same_v<Set, data::LabelledMatrices>) return from_matrices(set, config, request);
    };
    return std::visit(make, dataset);
}

}  // namespace plimsoll::train

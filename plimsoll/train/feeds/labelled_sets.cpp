#include <algorithm>

#include <ATen/ATen.h>

#include "plimsoll/train/feeds/set_feeds.h"
#include "plimsoll/train/feeds/tokenizer.h"

namespace plimsoll::train {
namespace {

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

LabelledTensors chosen_rows(const LabelledTensors& all, const std::vector<std::int64_t>& which) {
    const torch::Tensor index = at::tensor(which, at::kLong);
    const auto select = [&](const torch::Tensor& tensor) {
        return tensor.defined() ? tensor.index_select(0, index) : tensor;
    };
    return {select(all.tokens), select(all.segments), select(all.padding),
            select(all.pixels), select(all.values),   select(all.labels)};
}

using Labels = std::vector<std::uint16_t>;

Labels labels_in(const LabelledTensors& all) {
    const auto* labels = all.labels.data_ptr<std::int64_t>();
    Labels result;
    for (std::int64_t i = 0; i < all.labels.numel(); ++i)
        result.push_back(static_cast<std::uint16_t>(labels[i]));
    return result;
}

LabelledTensors cut(const LabelledTensors& all, run::Cut cut, const run::DataSettings& settings) {
    if (cut == run::Cut::whole) return all;
    const auto which = run::rows_of(labels_in(all), cut, settings);
    return chosen_rows(all, {which.begin(), which.end()});
}

// The rows of a set whose example i is in split split_of[i].
LabelledTensors labelled_part(const LabelledTensors& all, const std::vector<std::uint16_t>& split_of,
                              const run::SetPart& part, const run::DataSettings& settings) {
    std::vector<std::int64_t> which;
    for (std::size_t i = 0; i < split_of.size(); ++i)
        if (std::ranges::find(part.splits, split_of[i]) != part.splits.end())
            which.push_back(static_cast<std::int64_t>(i));
    return cut(chosen_rows(all, which), part.cut, settings);
}

struct Splits {
    LabelledTensors train, validation;
};

// The end of a set whose classes come one after the other lacks most of them.
Status check_classes(const Splits& splits, const FeedParts& parts, const std::vector<std::string>& names) {
    if (parts.held_out.cut != run::Cut::end) return {};
    return run::check_held_out(labels_in(splits.train), labels_in(splits.validation), names);
}

// The data of two parts; what is evaluated only has no training part.
FeedDataResult from_splits(Splits splits, PixelScale scale, const FeedParts& parts,
                           const run::RunConfig& config, const FeedRequest& request) {
    if (splits.validation.labels.numel() == 0) return bad_input("data", "there is no example to validate on");
    if (request.evaluation_only) splits.train = splits.validation;
    const std::int64_t limit = config.data.examples;
    if (limit > 0) splits.train = rows(splits.train, 0, std::min(limit, splits.train.labels.numel()));
    if (request.split == "train") splits.validation = splits.train;
    if (splits.train.labels.numel() == 0) return bad_input("data", "there is no example to train on");
    return FeedData{
        .set = LabelledData{std::move(splits.train), std::move(splits.validation), std::move(scale)},
        .evaluated = parts.held_out.name};
}

FeedDataResult from_rows(const LabelledTensors& all, const std::vector<std::uint16_t>& split_of,
                         const std::vector<std::string>& names, const run::RunConfig& config,
                         const FeedRequest& request, Examples examples) {
    PLIMSOLL_ASSIGN(parts, feed_parts(names, config, request, examples));
    Splits splits{labelled_part(all, split_of, parts.train, config.data),
                  labelled_part(all, split_of, parts.held_out, config.data)};
    if (examples == Examples::labelled) PLIMSOLL_RETURN_IF_ERROR(check_classes(splits, parts, {}));
    return from_splits(std::move(splits), {}, parts, config, request);
}

// The last `test` of `count` examples are the test split; without any there are no splits.
FeedDataResult from_made(const LabelledTensors& all, std::size_t test, const run::RunConfig& config,
                         const FeedRequest& request) {
    const auto count = static_cast<std::size_t>(all.labels.numel());
    std::vector<std::uint16_t> split_of(count, 0);
    std::fill(split_of.end() - static_cast<std::ptrdiff_t>(test), split_of.end(), std::uint16_t{1});
    const std::vector<std::string> two{"train", "test"}, one{"all"};
    // Made at random, so that its end is as good as any part.
    return from_rows(all, split_of, test > 0 ? two : one, config, request, Examples::in_order);
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

PixelScale scale_of(const torch::Tensor& pixels, const run::DataSettings& settings) {
    const std::int64_t channels = pixels.size(1);
    PixelScale scale{at::zeros({1, channels, 1, 1}), at::full({1, channels, 1, 1}, 255.0)};
    if (settings.normalize == run::Normalization::none) return scale;
    for (std::int64_t c = 0; c < channels; ++c) {
        const torch::Tensor plane = pixels.select(1, c).to(at::kFloat);
        scale.mean.select(1, c).fill_(plane.mean());
        scale.deviation.select(1, c).fill_(plane.std().clamp_min(1e-3));
    }
    return scale;
}

// Those with a label.
std::vector<const data::ImageSplit*> labelled_splits(const data::Images& images) {
    std::vector<const data::ImageSplit*> labelled;
    for (const auto& split : images.splits)
        if (!split.labels.empty()) labelled.push_back(&split);
    return labelled;
}

// The images of a part of splits.
LabelledTensors labelled_part(const std::vector<const data::ImageSplit*>& splits,
                              const data::ImageShape& shape, const run::SetPart& part,
                              const run::DataSettings& settings) {
    if (part.splits.empty()) return {.labels = at::empty({0}, at::kLong)};
    std::vector<torch::Tensor> pixels, labels;
    for (const std::size_t i : part.splits) {
        const LabelledTensors one = image_tensors(*splits[i], shape);
        pixels.push_back(one.pixels);
        labels.push_back(one.labels);
    }
    LabelledTensors all{.labels = labels.size() == 1 ? labels[0] : at::cat(labels)};
    all.pixels = pixels.size() == 1 ? pixels[0] : at::cat(pixels);
    return cut(all, part.cut, settings);
}

std::vector<std::string> split_names(const std::vector<const data::ImageSplit*>& splits) {
    std::vector<std::string> names;
    for (const auto* split : splits) names.push_back(split->name);
    return names;
}

// The pixels a run trains on: they say how every image is scaled, whatever is evaluated.
Result<torch::Tensor> training_pixels(const data::Images& images, const run::DataSettings& settings) {
    const auto splits = labelled_splits(images);
    PLIMSOLL_ASSIGN(parts, run::labelled_parts_of(split_names(splits), settings));
    return labelled_part(splits, images.shape, parts.train, settings).pixels;
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

}  // namespace

FeedDataResult data_of(const data::LabelledSequences& set, const run::RunConfig& config,
                       const FeedRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, set.vocabulary));
    const auto count = static_cast<std::int64_t>(set.labels.size());
    LabelledTensors all{.labels = labels_tensor(set.labels)};
    all.tokens = at::empty({count, static_cast<std::int64_t>(set.length)}, at::kInt);
    std::ranges::copy(set.tokens, all.tokens.data_ptr<std::int32_t>());
    return with_vocabulary(from_made(all, set.test_count, config, request), set.vocabulary);
}

FeedDataResult data_of(const data::LabelledMatrices& set, const run::RunConfig& config,
                       const FeedRequest& request) {
    const auto count = static_cast<std::int64_t>(set.labels.size());
    LabelledTensors all{.labels = labels_tensor(set.labels)};
    all.values = at::empty({count, static_cast<std::int64_t>(set.rows), static_cast<std::int64_t>(set.cols)},
                           at::kFloat);
    std::ranges::copy(set.values, all.values.data_ptr<float>());
    return from_made(all, set.test_count, config, request);
}

FeedDataResult data_of(const data::Images& images, const data::Images& own, const run::RunConfig& config,
                       const FeedRequest& request) {
    const auto splits = labelled_splits(images);
    if (splits.empty()) return bad_input("data", "no image has a label");
    PLIMSOLL_ASSIGN(parts, feed_parts(split_names(splits), config, request, Examples::labelled));
    Splits chosen{labelled_part(splits, images.shape, parts.train, config.data),
                  labelled_part(splits, images.shape, parts.held_out, config.data)};
    PLIMSOLL_RETURN_IF_ERROR(check_classes(chosen, parts, images.class_names));
    const run::DataSettings& own_settings = request.other_set ? *request.other_set : config.data;
    torch::Tensor seen = chosen.train.pixels;
    if (request.evaluation_only) {
        PLIMSOLL_ASSIGN(trained_on, training_pixels(own, own_settings));
        seen = trained_on;
    }
    return from_splits(std::move(chosen), scale_of(seen, own_settings), parts, config, request);
}

FeedDataResult data_of(const data::SentencePairs& pairs, const run::RunConfig& config,
                       const FeedRequest& request) {
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
    const auto needed = std::max<std::size_t>(tokenizer.size(), tokenizer.separator() + std::size_t{1});
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, needed));
    const LabelledTensors all = pair_tensors(pairs, tokenizer, run::context_length(config));
    const std::vector<std::uint16_t> one_split(pairs.labels.size(), 0);
    const bool split = !pairs.split_of.empty();
    return with_vocabulary(from_rows(all, split ? pairs.split_of : one_split,
                                     split ? pairs.split_names : std::vector<std::string>{"all"}, config,
                                     request, Examples::labelled),
                           needed);
}

}  // namespace plimsoll::train

#include "plimsoll/probe/torch/examples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/model/frozen.h"
#include "plimsoll/rank/constructions/samples.h"
#include "plimsoll/run/config_fit.h"
#include "plimsoll/train/feeds/feed.h"
#include "plimsoll/train/run_setup.h"

namespace plimsoll::probe {
namespace {

using Sizes = std::vector<std::int64_t>;

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

ExampleShape by_position(Sizes sizes, std::int64_t vocab) {
    const rank::SplitShape split{true, 1, size_of(sizes[0])};
    return {split, std::move(sizes), vocab, {}};
}

ExampleShape by_entry(std::int64_t rows, std::int64_t cols) {
    return {{false, size_of(rows), size_of(cols)}, {rows, cols}, 0, {}};
}

ExampleShape by_patch(const arch::ImageInput& image) {
    return {{true, 1, size_of(image.patches())},
            {image.image_channels, image.image, image.image_width},
            0,
            image};
}

struct Shaper {
    std::int64_t positions;  // 0: nobody said

    ExampleShape operator()(const arch::AttentionSpec& s) const {
        if (s.embedding == arch::InputEmbedding::vocab) return by_position({positions}, s.vocab);
        const bool conv = s.embedding == arch::InputEmbedding::conv;
        return by_position({positions, conv ? s.vocab : s.width}, 0);
    }
    ExampleShape operator()(const arch::TransformerSpec& s) const {
        if (s.image.used()) return by_patch(s.image);
        return s.vocab > 0 ? by_position({positions}, s.vocab) : by_position({positions, s.width}, 0);
    }
    ExampleShape operator()(const arch::MixerSpec& s) const {
        if (s.vocab > 0) return by_position({s.tokens}, s.vocab);
        return s.image.used() ? by_patch(s.image) : by_entry(s.tokens, s.channels);
    }
    template <class Spec>
    ExampleShape operator()(const Spec& s) const {
        if constexpr (requires { s.rows; }) {
            return by_entry(s.rows, s.cols);
        } else if constexpr (requires { s.net.image; }) {
            return by_patch(s.net.image);
        } else {
            ExampleShape shape = by_entry(s.net.inputs > 0 ? s.net.inputs : s.net.width, 1);
            shape.sizes.pop_back();  // flat
            return shape;
        }
    }
};

// Whether the number of positions is left open by the spec.
bool leaves_positions_open(const arch::ArchSpec& spec) {
    const auto* transformer = std::get_if<arch::TransformerSpec>(&spec);
    return std::holds_alternative<arch::AttentionSpec>(spec) ||
           (transformer != nullptr && !transformer->image.used());
}

Status check_positions(const arch::ArchSpec& spec, std::optional<std::int64_t> positions) {
    const bool open = leaves_positions_open(spec);
    if (open && !positions) {
        return bad_input("positions",
                         fmt::format("missing; {} needs a number of positions", arch::family_name(spec)));
    }
    if (!open && positions) {
        return bad_input("positions", fmt::format("only attention and transformers on text or vectors have "
                                                  "positions to choose; {} has its own size",
                                                  arch::family_name(spec)));
    }
    if (positions && *positions < 2)
        return bad_input("positions", fmt::format("must be at least 2, got {}", *positions));
    return {};
}

// One normal number takes two draws (Box and Muller).
torch::Tensor normal(const Sizes& sizes, RandomStream& stream) {
    const torch::Tensor values = at::empty(sizes, at::kDouble);
    for (std::int64_t k = 0; k < values.numel(); ++k) {
        const double radius = std::sqrt(-2 * std::log1p(-stream.uniform()));
        values.data_ptr<double>()[k] = radius * std::cos(2 * std::numbers::pi * stream.uniform());
    }
    return values;
}

Sizes with_count(std::int64_t count, const Sizes& sizes) {
    Sizes result{count};
    result.insert(result.end(), sizes.begin(), sizes.end());
    return result;
}

torch::Tensor pick(const torch::Tensor& rows, const torch::Tensor& cols, const torch::Tensor& mask) {
    if (!rows.defined()) return {};
    return at::where(mask, rows.unsqueeze(1), cols.unsqueeze(0)).flatten(0, 1);
}

template <class Change>
model::Input changed(const model::Input& input, Change change) {
    const auto each = [&](const torch::Tensor& tensor) { return tensor.defined() ? change(tensor) : tensor; };
    model::Input result;
    result.tokens = each(input.tokens);
    result.segments = each(input.segments);
    result.padding = each(input.padding);
    result.values = each(input.values);
    return result;
}

// The first examples of the validation split.
Result<model::Input> data_input(const OpenSubject& subject, const InputSettings& settings, std::int64_t count,
                                torch::Device device) {
    run::RunConfig config = subject.config;
    config.data.name = settings.data;
    if (!subject.is_run) config.data.validation_fraction = 0.5;
    config.train.batch = count;
    config.optimizer.accumulate = 1;
    if (settings.positions) config.data.context = *settings.positions;
    if (const auto examples = run::known_examples(config.data))
        PLIMSOLL_RETURN_IF_ERROR(run::check_fits(config.model.spec, *examples));
    train::FeedRequest request{.plan = train::feed_plan({config}, device, 1)};
    request.plan.dtype = torch::kDouble;
    PLIMSOLL_ASSIGN(feed, train::make_feed(config, request));
    return feed->evaluation_batch(0).input;
}

Result<Examples> data_examples(const OpenSubject& subject, const InputSettings& settings, std::int64_t count,
                               torch::Device device) {
    PLIMSOLL_ASSIGN(input, data_input(subject, settings, count, device));
    const arch::ArchSpec& spec = subject.config.model.spec;
    PLIMSOLL_RETURN_IF_ERROR(model::check_input(spec, input));
    if (count_of(input) < 2) return bad_input("data", "has fewer than two examples to look at");
    std::optional<std::int64_t> positions;
    if (leaves_positions_open(spec))
        positions = input.tokens.defined() ? input.tokens.size(1) : input.values.size(1);
    PLIMSOLL_ASSIGN(shape, example_shape(spec, positions));
    return Examples{input, shape,
                    fmt::format("the first {} validation examples of {}", count_of(input), settings.data)};
}

}  // namespace

Result<ExampleShape> example_shape(const arch::ArchSpec& spec, std::optional<std::int64_t> positions) {
    const auto* mlp = std::get_if<arch::MlpSpec>(&spec);
    if (mlp != nullptr && !mlp->categories.empty())
        return unsupported("mlp",
                           "reads categories; this measurement needs inputs that are only numbers or tokens");
    PLIMSOLL_RETURN_IF_ERROR(check_positions(spec, positions));
    return std::visit(Shaper{positions.value_or(0)}, spec);
}

Result<Examples> draw_examples(const OpenSubject& subject, const InputSettings& settings, std::int64_t count,
                               torch::Device device) {
    if (!settings.data.empty()) return data_examples(subject, settings, count, device);
    const arch::ArchSpec& spec = subject.config.model.spec;
    std::optional<std::int64_t> positions = settings.positions;
    if (!positions && subject.is_run && leaves_positions_open(spec))
        positions = run::context_length(subject.config);
    PLIMSOLL_ASSIGN(shape, example_shape(spec, positions));
    Examples examples{
        random_input(shape, count, settings.seed, "probe/rows"), shape,
        fmt::format("random {}, seed {}", shape.vocab > 0 ? "tokens" : "normal numbers", settings.seed)};
    PLIMSOLL_RETURN_IF_ERROR(model::check_input(spec, examples.input));
    examples.input = on_device(examples.input, device);
    return examples;
}

model::Input random_input(const ExampleShape& shape, std::int64_t count, std::uint64_t seed,
                          const std::string& name) {
    RandomStream stream(seed, name);
    const Sizes sizes = with_count(count, shape.sizes);
    model::Input input;
    if (shape.vocab == 0) {
        input.values = normal(sizes, stream);
        return input;
    }
    input.tokens = at::empty(sizes, at::kLong);
    for (std::int64_t k = 0; k < input.tokens.numel(); ++k) {
        input.tokens.data_ptr<std::int64_t>()[k] =
            static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(shape.vocab)));
    }
    return input;
}

torch::Tensor distinct_strings(const ExampleShape& shape, const std::vector<bool>& side, std::int64_t count,
                               std::uint64_t seed, const std::string& name) {
    constexpr std::size_t most = std::size_t{1} << 40;  // beyond, random strings differ by themselves
    const auto items = static_cast<std::size_t>(std::count(side.begin(), side.end(), true));
    const std::size_t all = rank::strings_up_to(size_of(shape.vocab), items, most);
    if (all > most) return random_input(shape, count, seed, name).tokens;
    RandomStream stream(seed, name);
    const auto chosen = model::random_cells(static_cast<std::int64_t>(all),
                                            std::min(count, static_cast<std::int64_t>(all)), stream);
    const torch::Tensor tokens = at::zeros(with_count(std::ssize(chosen), shape.sizes), at::kLong);
    auto* out = tokens.data_ptr<std::int64_t>();
    for (std::int64_t code : chosen) {
        for (std::size_t t = 0; t < side.size(); ++t, ++out) {
            if (!side[t]) continue;
            *out = code % shape.vocab;
            code /= shape.vocab;
        }
    }
    return tokens;
}

torch::Tensor side_mask(const ExampleShape& shape, const std::vector<bool>& left) {
    const torch::Tensor items = at::empty({std::ssize(left)}, at::kBool);
    for (std::size_t k = 0; k < left.size(); ++k) items.data_ptr<bool>()[k] = left[k];
    if (shape.image.used()) {
        const arch::ImageInput& image = shape.image;
        return items.view({image.image / image.patch, image.image_width / image.patch_width})
            .repeat_interleave(image.patch, 0)
            .repeat_interleave(image.patch_width, 1)
            .unsqueeze(0)
            .expand(shape.sizes);
    }
    if (!shape.split.by_position) return items.view(shape.sizes);
    return shape.sizes.size() == 1 ? items : items.unsqueeze(1).expand(shape.sizes);
}

model::Input joined(const model::Input& rows, const model::Input& cols, const torch::Tensor& mask) {
    model::Input result;
    result.tokens = pick(rows.tokens, cols.tokens, mask);
    result.segments = pick(rows.segments, cols.segments, mask);
    result.padding = pick(rows.padding, cols.padding, mask);
    result.values = pick(rows.values, cols.values, mask);
    return result;
}

model::Input part_of(const model::Input& input, std::int64_t first, std::int64_t count) {
    return changed(input, [&](const torch::Tensor& tensor) { return tensor.narrow(0, first, count); });
}

std::int64_t count_of(const model::Input& input) {
    return input.tokens.defined() ? input.tokens.size(0) : input.values.size(0);
}

model::Input on_device(const model::Input& input, torch::Device device) {
    return changed(input, [&](const torch::Tensor& tensor) { return tensor.to(device); });
}

}  // namespace plimsoll::probe

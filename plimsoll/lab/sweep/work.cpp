#include "plimsoll/lab/sweep/work.h"

#include <algorithm>
#include <array>

#include "plimsoll/arch/count.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/data/synthetic/synthetic_settings.h"
#include "plimsoll/run/config_fit.h"

namespace plimsoll::lab {
namespace {

struct KnownSet {
    std::string_view name;
    std::int64_t training_images;
};

// Of the official sets of data's catalogue; tests/lab/work_test.cpp has them from the sizes of their files
// too, but for SVHN's, which are packed.
constexpr std::array known_sets{KnownSet{"cifar10", 50'000}, KnownSet{"cifar100", 50'000},
                                KnownSet{"svhn", 73'257},    KnownSet{"stl10", 5'000},
                                KnownSet{"mnist", 60'000},   KnownSet{"fashion-mnist", 60'000}};

std::int64_t without_last_part(std::int64_t all, double fraction) {
    const auto part = static_cast<std::int64_t>(static_cast<double>(all) * fraction);
    return all - std::max<std::int64_t>(1, part);
}

std::int64_t at_most(std::int64_t limit, std::int64_t examples) {
    return limit > 0 ? std::min(limit, examples) : examples;
}

std::optional<std::int64_t> images_of(const run::DataSettings& data) {
    for (const auto& set : known_sets) {
        if (set.name != data.name) continue;
        const bool cut =
            data.validation == "train";  // then the last part of the training images is kept back
        return at_most(data.examples, cut ? without_last_part(set.training_images, data.validation_fraction)
                                          : set.training_images);
    }
    return std::nullopt;
}

std::optional<data::SyntheticSettings> synthetic_settings(std::string_view name) {
    static const std::vector<data::SyntheticKind> kinds =
        data::synthetic_kinds();  // the settings point at it
    const std::string_view text = name.substr(name.find(':') + 1);
    const auto kind =
        std::ranges::find(kinds, text.substr(0, text.find_first_of("=,")), &data::SyntheticKind::name);
    if (kind == kinds.end()) return std::nullopt;
    const auto settings = data::SyntheticSettings::parse(text, *kind);
    return settings.ok() ? std::optional(*settings) : std::nullopt;
}

// Windows of the text before its last part.
std::optional<std::int64_t> windows_of(std::int64_t bytes, const run::RunConfig& config) {
    const std::int64_t context = run::context_length(config);
    if (config.data.tokenizer != "bytes" || context < 1) return std::nullopt;
    const auto training =
        static_cast<std::int64_t>((1 - config.data.validation_fraction) * static_cast<double>(bytes));
    return std::max<std::int64_t>(1, (training - 1) / context);
}

constexpr std::uint64_t most_examples = std::uint64_t{1} << 40;

std::optional<std::int64_t> text_examples(const data::SyntheticSettings& settings,
                                          const run::RunConfig& config) {
    const auto bytes = settings.count("bytes", 1, most_examples);
    return bytes.ok() ? windows_of(static_cast<std::int64_t>(*bytes), config) : std::nullopt;
}

// Without examples of its own for testing a set keeps its last part back.
std::optional<std::int64_t> labelled_examples(const data::SyntheticSettings& settings,
                                              const run::DataSettings& data) {
    const auto count = settings.count("count", 1, most_examples);
    const auto test = settings.count("test", 0, most_examples);
    if (!count.ok() || !test.ok()) return std::nullopt;
    const auto all = static_cast<std::int64_t>(*count);
    return at_most(data.examples, *test > 0 ? all : without_last_part(all, data.validation_fraction));
}

std::optional<std::int64_t> made_examples(const run::RunConfig& config) {
    const auto settings = synthetic_settings(config.data.name);
    if (!settings) return std::nullopt;
    if (config.data.name.starts_with("synthetic:shuffled"))
        return std::nullopt;  // its length depends on its words
    const bool text = run::known_examples(config.data) == run::ExampleKind::text;
    return text ? text_examples(*settings, config) : labelled_examples(*settings, config.data);
}

Result<double> flops_of_example(const run::RunConfig& config) {
    arch::CountOptions options;
    const bool by_context = std::holds_alternative<arch::TransformerSpec>(config.model.spec) ||
                            std::holds_alternative<arch::AttentionSpec>(config.model.spec);
    if (by_context) options.context = config.data.context;
    PLIMSOLL_ASSIGN(report, arch::count(config.model.spec, options));
    const bool per_token = report.unit.starts_with("token");
    return report.training_flops.real() * (per_token ? static_cast<double>(report.tokens) : 1);
}

}  // namespace

std::optional<std::int64_t> epoch_examples(const run::RunConfig& config) {
    if (data::is_synthetic(config.data.name)) return made_examples(config);
    return images_of(config.data);
}

Result<Work> work_of(const run::RunConfig& config) {
    PLIMSOLL_ASSIGN(flops, flops_of_example(config));
    Work work{flops * static_cast<double>(config.train.batch), std::nullopt};
    const auto examples = epoch_examples(config);
    if (config.train.steps == 0 && !examples) return work;
    const std::int64_t epoch = std::max<std::int64_t>(1, examples.value_or(1) / config.train.batch);
    PLIMSOLL_ASSIGN(steps, run::total_steps(config, epoch));
    work.steps = steps;
    return work;
}

}  // namespace plimsoll::lab

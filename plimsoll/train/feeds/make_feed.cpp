#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/load.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/run/config_fit.h"
#include "plimsoll/run/data_request.h"
#include "plimsoll/train/feeds/data_cache.h"
#include "plimsoll/train/feeds/set_feeds.h"

namespace plimsoll::train {
namespace {

using data::Dataset;

Result<Dataset> load(const run::DataSettings& settings) {
    if (data::is_synthetic(settings.name)) {
        PLIMSOLL_ASSIGN(made, data::make_synthetic(settings.name));
        return std::move(made.dataset);
    }
    PLIMSOLL_ASSIGN(request, run::data_request(settings));
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

run::ExampleKind examples_of(const Dataset& set) {
    if (std::holds_alternative<data::Images>(set)) return run::ExampleKind::images;
    if (std::holds_alternative<data::LabelledMatrices>(set)) return run::ExampleKind::matrices;
    if (std::holds_alternative<data::Table>(set)) return run::ExampleKind::rows;
    const bool text =
        std::holds_alternative<data::TextFiles>(set) || std::holds_alternative<data::SentencePairs>(set);
    return text ? run::ExampleKind::text : run::ExampleKind::tokens;
}

// What the set cannot follow is refused, never passed over.
Status check_settings(const Dataset& dataset, const run::DataSettings& settings, const FeedRequest& request) {
    const bool text =
        std::holds_alternative<data::TextFiles>(dataset) || std::holds_alternative<data::Tokens>(dataset);
    if (text && settings.examples > 0) {
        return bad_input("data.examples",
                         "a text has no examples to count; train.steps says how much is read");
    }
    if (!text && request.stride != 0) return bad_input("stride", "is for text");
    return {};
}

// The names of a set's labels; none where labels are plain numbers.
std::vector<std::string> label_names(const Dataset& set) {
    if (const auto* images = std::get_if<data::Images>(&set)) return images->class_names;
    if (const auto* pairs = std::get_if<data::SentencePairs>(&set)) return pairs->label_names;
    return {};
}

using Labels = std::vector<std::uint16_t>;

// Labels of another set by the numbers that the run's own set gives to their names.
Status relabel(Labels& labels, const std::vector<std::string>& names, const std::vector<std::string>& known) {
    for (auto& label : labels) {
        const auto found = std::ranges::find(known, names[label]);
        if (found == known.end())
            return bad_input("data", fmt::format("the label '{}' is not one of the run's: {}", names[label],
                                                 join(known, ", ")));
        label = static_cast<std::uint16_t>(found - known.begin());
    }
    return {};
}

Status relabel(Dataset& other, const Dataset& own) {
    if (other.index() != own.index()) return bad_input("data", "is another kind of set than the run's");
    const auto names = label_names(other), known = label_names(own);
    if (auto* pairs = std::get_if<data::SentencePairs>(&other)) return relabel(pairs->labels, names, known);
    for (auto& split : std::get<data::Images>(other).splits)
        PLIMSOLL_RETURN_IF_ERROR(relabel(split.labels, names, known));
    return {};
}

}  // namespace

Status check_vocabulary(const arch::ArchSpec& spec, std::size_t needed) {
    const auto vocabulary = vocabulary_of(spec);
    if (vocabulary && *vocabulary >= static_cast<std::int64_t>(needed)) return {};
    return bad_input("model.spec", fmt::format("vocab must be at least {}, the ids of the data, got {}",
                                               needed, vocabulary.value_or(0)));
}

Result<FeedParts> feed_parts(const std::vector<std::string>& names, const run::RunConfig& config,
                             const FeedRequest& request, Examples examples) {
    PLIMSOLL_ASSIGN(own, examples == Examples::labelled ? run::labelled_parts_of(names, config.data)
                                                        : run::parts_of(names, config.data));
    if (!request.evaluation_only) return FeedParts{own.train, own.held_out};
    const bool whole =
        request.other_set && own.held_out.cut != run::Cut::whole;  // nothing of it was trained on
    const std::string_view wanted = !request.split.empty() ? std::string_view(request.split)
                                    : whole                ? std::string_view("all")
                                                           : std::string_view();
    if (wanted.empty()) return FeedParts{{}, own.held_out};
    PLIMSOLL_ASSIGN(part, run::part_named(names, own, wanted));
    return FeedParts{{}, std::move(part)};
}

FeedDataResult with_vocabulary(FeedDataResult data, std::size_t vocabulary) {
    if (!data.ok()) return data;
    FeedData known = std::move(data).value();
    known.vocabulary = vocabulary;
    return known;
}

Result<data::FoundData> find_set(const run::DataSettings& settings) {
    PLIMSOLL_ASSIGN(request, run::data_request(settings));
    return data::find_data(request);
}

namespace {

FeedDataResult read_data(const run::RunConfig& config, const FeedRequest& request) {
    PLIMSOLL_ASSIGN(set, load(config.data));
    PLIMSOLL_RETURN_IF_ERROR(check_settings(set, config.data, request));
    PLIMSOLL_RETURN_IF_ERROR(run::check_fits(config.model.spec, examples_of(set)));
    std::optional<Dataset> own;
    if (request.other_set && !label_names(set).empty()) {
        PLIMSOLL_ASSIGN(loaded, load(*request.other_set));
        PLIMSOLL_RETURN_IF_ERROR(relabel(set, loaded));
        own = std::move(loaded);
    }
    const auto make = [&](const auto& some) -> FeedDataResult {
        if constexpr (std::is_same_v<std::decay_t<decltype(some)>, data::Images>) {
            return data_of(some, own ? std::get<data::Images>(*own) : some, config, request);
        } else {
            return data_of(some, config, request);
        }
    };
    PLIMSOLL_ASSIGN(made, std::visit(make, set));
    made.examples = examples_of(set);
    return moved_to(std::move(made), request.plan.device);
}

// What reading the data checks: it may have been read for another network.
Status check_fits(const arch::ArchSpec& spec, const FeedData& data) {
    PLIMSOLL_RETURN_IF_ERROR(run::check_fits(spec, data.examples));
    if (data.table) PLIMSOLL_RETURN_IF_ERROR(run::check_fits(spec, *data.table));
    if (data.vocabulary > 0) PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(spec, data.vocabulary));
    return std::holds_alternative<TextData>(data.set) ? check_causal(spec) : Status();
}

}  // namespace

Result<std::unique_ptr<Feed>> make_feed(const run::RunConfig& config, const FeedRequest& request) {
    if (request.cache == nullptr || request.evaluation_only) {
        PLIMSOLL_ASSIGN(data, read_data(config, request));
        return feed_from(data, config, request);
    }
    PLIMSOLL_ASSIGN(key, data_key(config, request.plan.device));
    PLIMSOLL_ASSIGN(data, request.cache->find(key, [&] { return read_data(config, request); }));
    PLIMSOLL_RETURN_IF_ERROR(check_fits(config.model.spec, *data));
    return feed_from(*data, config, request);
}

}  // namespace plimsoll::train

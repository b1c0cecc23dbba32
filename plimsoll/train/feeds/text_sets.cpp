#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/train/feeds/set_feeds.h"
#include "plimsoll/train/feeds/text_feed.h"
#include "plimsoll/train/feeds/tokenizer.h"

namespace plimsoll::train {
namespace {

// Next-token prediction is no task for a network that sees the token it should predict.
Status check_causal(const arch::ArchSpec& spec) {
    const auto* transformer = std::get_if<arch::TransformerSpec>(&spec);
    const auto* mixer = std::get_if<arch::MixerSpec>(&spec);
    if (transformer != nullptr && transformer->stack == arch::Stack::decoder) return {};
    if (mixer != nullptr && mixer->causal) return {};
    return bad_input("model.spec",
                     fmt::format("{} as given sees the tokens that it should predict; a text wants "
                                 "a transformer with stack=decoder or a mixer with causal=on",
                                 arch::family_name(spec)));
}

using Ids = std::vector<std::uint32_t>;

// The tokens of a part, the splits one after the other.
Ids text_part(const std::vector<Ids>& splits, const run::SetPart& part, double fraction) {
    Ids ids;
    for (const std::size_t i : part.splits) ids.insert(ids.end(), splits[i].begin(), splits[i].end());
    const auto at = static_cast<std::ptrdiff_t>(run::last_tokens_begin(ids.size(), fraction));
    if (part.cut == run::Cut::without_end) ids.resize(static_cast<std::size_t>(at));
    if (part.cut == run::Cut::end) ids.erase(ids.begin(), ids.begin() + at);
    return ids;
}

FeedResult from_ids(const std::vector<Ids>& splits, const std::vector<std::string>& names,
                    std::vector<double> bytes, const run::RunConfig& config, const FeedRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_causal(config.model.spec));
    PLIMSOLL_ASSIGN(parts, feed_parts(names, config, request));
    const double fraction = config.data.validation_fraction;
    TextTokens tokens{text_part(splits, parts.train, fraction), text_part(splits, parts.held_out, fraction),
                      std::move(bytes)};
    PLIMSOLL_ASSIGN(feed, text_feed(tokens, run::context_length(config), request));
    feed->set_evaluated(parts.held_out.name);
    return feed;
}

std::vector<std::string> file_names(const data::TextFiles& files) {
    std::vector<std::string> names;
    for (const auto& file : files.files) names.push_back(file.name);
    return names;
}

}  // namespace

FeedResult feed_of(const data::TextFiles& files, const run::RunConfig& config, const FeedRequest& request) {
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, tokenizer.size()));
    const auto names = run::text_splits(file_names(files));
    std::vector<Ids> splits(names.size());
    for (std::size_t i = 0; i < files.files.size(); ++i) {
        const auto bytes = files.files[i].bytes.view();
        const auto some = tokenizer.encode({bytes.data(), bytes.size()});
        Ids& ids = splits[std::min(i, splits.size() - 1)];
        ids.insert(ids.end(), some.begin(), some.end());
    }
    return from_ids(splits, names, tokenizer.bytes(), config, request);
}

FeedResult feed_of(const data::Tokens& tokens, const run::RunConfig& config, const FeedRequest& request) {
    Ids ids(tokens.count());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = tokens[i];
    const std::size_t needed = ids.empty() ? 0 : std::size_t{*std::ranges::max_element(ids)} + 1;
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, needed));
    std::vector<double> bytes;  // unknown without the tokenizer
    if (config.data.tokenizer != "bytes") {
        PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
        bytes = tokenizer.bytes();
    }
    return from_ids({std::move(ids)}, {"all"}, std::move(bytes), config, request);
}

}  // namespace plimsoll::train

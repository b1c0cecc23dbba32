#include <algorithm>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/train/feeds/set_feeds.h"
#include "plimsoll/train/feeds/tokenizer.h"

namespace plimsoll::train {
namespace {

using Ids = std::vector<std::uint32_t>;

}  // namespace

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

namespace {

// The tokens of a part, the splits one after the other.
Ids text_part(const std::vector<Ids>& splits, const run::SetPart& part, double fraction) {
    Ids ids;
    for (const std::size_t i : part.splits) ids.insert(ids.end(), splits[i].begin(), splits[i].end());
    const auto at = static_cast<std::ptrdiff_t>(run::last_tokens_begin(ids.size(), fraction));
    if (part.cut == run::Cut::without_end) ids.resize(static_cast<std::size_t>(at));
    if (part.cut == run::Cut::end) ids.erase(ids.begin(), ids.begin() + at);
    return ids;
}

torch::Tensor ids_tensor(const Ids& ids) {
    const torch::Tensor result = at::empty({static_cast<std::int64_t>(ids.size())}, at::kInt);
    std::ranges::copy(ids, reinterpret_cast<std::uint32_t*>(result.data_ptr<std::int32_t>()));
    return result;
}

FeedDataResult from_ids(const std::vector<Ids>& splits, const std::vector<std::string>& names,
                        const std::vector<double>& bytes, const run::RunConfig& config,
                        const FeedRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_causal(config.model.spec));
    PLIMSOLL_ASSIGN(parts, feed_parts(names, config, request));
    const double fraction = config.data.validation_fraction;
    return FeedData{.set = TextData{ids_tensor(text_part(splits, parts.train, fraction)),
                                    ids_tensor(text_part(splits, parts.held_out, fraction)),
                                    at::tensor(bytes, at::kDouble)},
                    .evaluated = parts.held_out.name};
}

std::vector<std::string> file_names(const data::TextFiles& files) {
    std::vector<std::string> names;
    for (const auto& file : files.files) names.push_back(file.name);
    return names;
}

}  // namespace

FeedDataResult data_of(const data::TextFiles& files, const run::RunConfig& config,
                       const FeedRequest& request) {
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
    return with_vocabulary(from_ids(splits, names, tokenizer.bytes(), config, request), tokenizer.size());
}

FeedDataResult data_of(const data::Tokens& tokens, const run::RunConfig& config, const FeedRequest& request) {
    Ids ids(tokens.count());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = tokens[i];
    const std::size_t needed = ids.empty() ? 0 : std::size_t{*std::ranges::max_element(ids)} + 1;
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, needed));
    std::vector<double> bytes;  // unknown without the tokenizer
    if (config.data.tokenizer != "bytes") {
        PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
        bytes = tokenizer.bytes();
    }
    return with_vocabulary(from_ids({std::move(ids)}, {"all"}, bytes, config, request), needed);
}

}  // namespace plimsoll::train

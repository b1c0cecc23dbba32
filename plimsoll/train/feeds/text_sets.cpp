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

std::vector<std::uint64_t> file_sizes(const data::TextFiles& files) {
    std::vector<std::uint64_t> sizes;
    for (const auto& file : files.files) sizes.push_back(file.bytes.size());
    return sizes;
}

std::vector<std::string> file_names(const data::TextFiles& files) {
    std::vector<std::string> names;
    for (const auto& file : files.files) names.push_back(file.name);
    return names;
}

// The ids of each split; without splits all of them.
std::vector<Ids> id_splits(const data::Tokens& tokens, std::vector<std::string>& names) {
    std::vector<data::TokenSplit> parts = tokens.splits;
    if (parts.empty()) parts.push_back({"all", tokens.count()});
    std::vector<Ids> splits;
    std::size_t first = 0;
    for (const auto& part : parts) {
        names.push_back(part.name);
        Ids& ids = splits.emplace_back(part.count);
        for (std::size_t i = 0; i < part.count; ++i) ids[i] = tokens[first + i];
        first += part.count;
    }
    return splits;
}

}  // namespace

FeedDataResult data_of(const data::TextFiles& files, const run::RunConfig& config,
                       const FeedRequest& request) {
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, tokenizer.size()));
    const auto names = run::text_splits(file_names(files), file_sizes(files), config.data);
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
    std::vector<std::string> names;
    const std::vector<Ids> splits = id_splits(tokens, names);
    std::size_t needed = 0;
    for (const Ids& ids : splits)
        if (!ids.empty()) needed = std::max(needed, std::size_t{*std::ranges::max_element(ids)} + 1);
    PLIMSOLL_RETURN_IF_ERROR(check_vocabulary(config.model.spec, needed));
    std::vector<double> bytes;  // unknown without the tokenizer
    if (config.data.tokenizer != "bytes") {
        PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
        bytes = tokenizer.bytes();
    }
    return with_vocabulary(from_ids(splits, names, bytes, config, request), needed);
}

}  // namespace plimsoll::train

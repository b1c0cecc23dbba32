#include "plimsoll/cli/tokenize/tokenize_text.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/bpe/unicode_class.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t longest_shown = 8;

bool is_special(const bpe::BpeModel& model, std::uint32_t id) {
    return std::ranges::find(model.specials, id, &bpe::SpecialToken::id) != model.specials.end();
}

// The ids of the longest tokens, special ones left out; of equals the smaller id first.
std::vector<std::uint32_t> longest_tokens(const bpe::BpeModel& model) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < model.tokens.size(); ++id) {
        if (!model.tokens[id].empty() && !is_special(model, id)) ids.push_back(id);
    }
    std::ranges::stable_sort(ids, std::greater(), [&](std::uint32_t id) { return model.tokens[id].size(); });
    ids.resize(std::min(ids.size(), longest_shown));
    return ids;
}

// How many different tokens the text uses.
std::uint64_t used_tokens(const TokenizedText& text) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(text.uses, [](std::uint64_t uses) { return uses > 0; }));
}

double bytes_per_token(const TokenizedText& text) {
    return text.encoded.tokens == 0
               ? 0
               : static_cast<double>(text.encoded.bytes) / static_cast<double>(text.encoded.tokens);
}

double coverage(const bpe::BpeModel& model, const TokenizedText& text) {
    return static_cast<double>(used_tokens(text)) / static_cast<double>(model.size());
}

void print_text(const bpe::BpeModel& model, const TokenizedText& text) {
    fmt::print("\n{}\n", plimsoll::printable(text.file));
    fmt::print("  {} bytes, {} tokens: {:.4g} bytes per token\n", text.encoded.bytes, text.encoded.tokens,
               bytes_per_token(text));
    fmt::print("  uses {} of {} tokens ({:.1f} %)\n", used_tokens(text), model.size(),
               100 * coverage(model, text));
}

Json text_json(const bpe::BpeModel& model, const TokenizedText& text) {
    return {{"file", text.file},
            {"bytes", text.encoded.bytes},
            {"tokens", text.encoded.tokens},
            {"bytes_per_token", bytes_per_token(text)},
            {"tokens_used", used_tokens(text)},
            {"coverage", coverage(model, text)}};
}

}  // namespace

void print_trained(const bpe::TrainedBpe& trained, const std::string& file) {
    const bpe::BpeModel& model = trained.model;
    fmt::print("{}: {} tokens (special {}, bytes 256, merges {})\n", plimsoll::printable(file), model.size(),
               model.specials.size(), model.merges.size());
    fmt::print("from {} words, {} of them distinct; pre-tokens {}, Unicode {}\n", trained.words,
               trained.distinct_words, name_of(model.pretokenizer), bpe::unicode_version());
}

void print_tokenizer(const bpe::BpeModel& model, const std::optional<TokenizedText>& text) {
    fmt::print("byte-level BPE: {} tokens (special {}, merges {}), ids below {}\n", model.size(),
               model.specials.size(), model.merges.size(), model.tokens.size());
    fmt::print("pre-tokens {}, letters and numbers by Unicode {}\n", name_of(model.pretokenizer),
               bpe::unicode_version());
    for (const bpe::SpecialToken& special : model.specials)
        fmt::print("special {}  {}\n", special.id, plimsoll::printable(special.text));
    Table table({{"id"}, {"bytes"}, {"longest tokens", Align::left}});
    for (const std::uint32_t id : longest_tokens(model)) {
        table.add({std::to_string(id), std::to_string(model.tokens[id].size()),
                   "'" + plimsoll::printable(model.tokens[id], 50) + "'"});
    }
    fmt::print("\n");
    table.print();
    if (text) print_text(model, *text);
}

Json tokenizer_info_json(const bpe::BpeModel& model, const std::optional<TokenizedText>& text) {
    Json specials = Json::object(), longest = Json::array();
    for (const bpe::SpecialToken& special : model.specials) specials[special.text] = special.id;
    for (const std::uint32_t id : longest_tokens(model))
        longest.push_back({{"id", id},
                           {"bytes", model.tokens[id].size()},
                           {"text", plimsoll::printable(model.tokens[id])}});
    return {{"tokens", model.size()},
            {"ids_below", model.tokens.size()},
            {"merges", model.merges.size()},
            {"special", specials},
            {"pretokenizer", name_of(model.pretokenizer)},
            {"unicode", bpe::unicode_version()},
            {"longest", longest},
            {"text", text ? text_json(model, *text) : Json()}};
}

}  // namespace plimsoll::cli

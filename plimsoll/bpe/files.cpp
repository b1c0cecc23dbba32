#include "plimsoll/bpe/files.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::bpe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file_bytes = 100'000'000;

const Json& member(const Json& object, std::string_view key) {
    static const Json absent;
    if (!object.is_object()) return absent;
    const auto found = object.find(key);
    return found == object.end() ? absent : *found;
}

bool is_text(const Json& value, std::string_view text) {
    return value.is_string() && value.get_ref<const std::string&>() == text;
}
bool is_true(const Json& value) { return value.is_boolean() && value.get<bool>(); }

Json byte_level(bool use_regex) {
    return {
        {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", use_regex}};
}

Json pre_tokenizer_json(Pretokenizer pretokenizer) {
    if (pretokenizer != Pretokenizer::cl100k) return byte_level(pretokenizer == Pretokenizer::gpt2);
    const Json split{{"type", "Split"},
                     {"pattern", {{"Regex", pattern_of(pretokenizer)}}},
                     {"behavior", "Isolated"},
                     {"invert", false}};
    return {{"type", "Sequence"}, {"pretokenizers", Json::array({split, byte_level(false)})}};
}

// The ByteLevel stage: with its own pattern it is GPT-2's, without it takes what comes.
std::optional<Pretokenizer> read_byte_level(const Json& stage) {
    if (!is_text(member(stage, "type"), "ByteLevel") || is_true(member(stage, "add_prefix_space")))
        return std::nullopt;
    const Json& regex = member(stage, "use_regex");
    return regex.is_null() || is_true(regex) ? Pretokenizer::gpt2 : Pretokenizer::none;
}

// Split by a pattern we know, then ByteLevel without one.
std::optional<Pretokenizer> read_sequence(const Json& stages) {
    if (!stages.is_array() || stages.size() != 2 || !is_text(member(stages[0], "type"), "Split"))
        return std::nullopt;
    const Json& pattern = member(member(stages[0], "pattern"), "Regex");
    if (!is_text(member(stages[0], "behavior"), "Isolated") || is_true(member(stages[0], "invert")))
        return std::nullopt;
    if (read_byte_level(stages[1]) != Pretokenizer::none) return std::nullopt;
    for (const auto known : {Pretokenizer::gpt2, Pretokenizer::cl100k}) {
        if (is_text(pattern, pattern_of(known))) return known;
    }
    return std::nullopt;
}

Result<Pretokenizer> read_pre_tokenizer(const Json& stage, const std::string& where) {
    const auto found = is_text(member(stage, "type"), "Sequence")
                           ? read_sequence(member(stage, "pretokenizers"))
                           : read_byte_level(stage);
    if (found) return *found;
    return unsupported(where, fmt::format("pre_tokenizer must be ByteLevel without a prefix space, alone or "
                                          "behind a Split by the pattern of gpt2 or cl100k; it is {}",
                                          printable(stage.dump(-1, ' ', true), 100)));
}

// Settings of the model that would give other ids than merges alone.
Status check_settings(const formats::TokenizerJson& json, const std::string& where) {
    for (const auto* key : {"dropout", "byte_fallback"}) {
        const Json& value = member(json.model_settings, key);
        const bool off = value.is_null() || value == false || value == 0;
        if (!off) return unsupported(where, fmt::format("model.{} must be off for a byte-level BPE", key));
    }
    if (!json.continuing_subword_prefix.empty() || !json.end_of_word_suffix.empty())
        return unsupported(where,
                           "a byte-level BPE has no continuing_subword_prefix and no end_of_word_suffix");
    if (!member(json.stages, "normalizer").is_null())
        return unsupported(where, "has a normalizer, so that decoding could not give the bytes back");
    return {};
}

Status read_specials(BpeModel& model, const formats::TokenizerJson& json, const std::string& where) {
    for (const formats::AddedToken& token : json.added_tokens) {
        if (token.single_word || token.lstrip || token.rstrip) {
            return unsupported(where,
                               fmt::format("added token '{}' absorbs white space or matches only whole words",
                                           printable(token.content)));
        }
        if (token.content.empty()) return bad_input(where, "an added token is empty");
        model.specials.push_back({token.id, token.content});
        model.tokens[token.id] = token.content;
    }
    return {};
}

// The vocabulary as bytes; added tokens stand in it as they are.
Status read_tokens(BpeModel& model, const formats::TokenizerJson& json, const std::string& where) {
    const std::size_t tokens = json.vocab.size() + json.added_tokens.size();
    if (!ids_are_dense(json.rows(), tokens))
        return unsupported(where, fmt::format("has ids up to {} for {} tokens", json.rows() - 1, tokens));
    model.tokens.resize(json.rows());
    PLIMSOLL_RETURN_IF_ERROR(read_specials(model, json, where));
    for (const formats::VocabEntry& entry : json.vocab) {
        if (!model.tokens[entry.id].empty()) continue;
        const auto bytes = bytes_of_text(entry.token);
        if (!bytes.ok()) return unsupported(where, bytes.error().message);
        if (bytes->empty()) return bad_input(where, fmt::format("token {} is empty", entry.id));
        model.tokens[entry.id] = *bytes;
    }
    return {};
}

Status check_merges(const BpeModel& model, const std::string& where) {
    for (const BpeMerge& merge : model.merges) {
        if (model.tokens[merge.left] + model.tokens[merge.right] != model.tokens[merge.result])
            return bad_input(where, fmt::format("merge {} does not give the bytes of its token", merge.rank));
    }
    return {};
}

// GPT-2's two files, by the names they go under.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> vocab_and_merges{
    {{"vocab.json", "merges.txt"}, {"encoder.json", "vocab.bpe"}, {"gpt2_encoder.json", "gpt2_vocab.bpe"}}};

// Lines "left right" behind a first line "#version: 0.2".
Json merges_of_text(std::string_view text) {
    Json merges = Json::array();
    for (const std::string& line : split(text, '\n')) {
        if (!line.empty() && !(merges.empty() && line.starts_with("#version"))) merges.push_back(line);
    }
    return merges;
}

Result<BpeModel> read_vocab_and_merges(const fs::path& vocab_file, const fs::path& merges_file) {
    PLIMSOLL_ASSIGN(vocab, read_json(vocab_file));
    PLIMSOLL_ASSIGN(merges, read_text(merges_file, max_file_bytes));
    Json added = Json::array();
    const Json& end = member(vocab, "<|endoftext|>");
    if (end.is_number()) added.push_back({{"id", end}, {"content", "<|endoftext|>"}, {"special", true}});
    const Json whole{{"added_tokens", added},
                     {"pre_tokenizer", byte_level(true)},
                     {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", merges_of_text(merges)}}}};
    PLIMSOLL_ASSIGN(json, formats::parse_tokenizer_json(whole.dump(), vocab_file.string()));
    return bpe_of_json(json, vocab_file.string());
}

Result<BpeModel> read_folder(const fs::path& folder) {
    std::error_code ignored;
    if (fs::exists(folder / "tokenizer.json", ignored)) return read_bpe(folder / "tokenizer.json");
    for (const auto& [vocab, merges] : vocab_and_merges) {
        if (fs::exists(folder / vocab, ignored) && fs::exists(folder / merges, ignored))
            return read_vocab_and_merges(folder / vocab, folder / merges);
    }
    return not_found(folder.string(),
                     "has no tokenizer.json, and no vocab.json with merges.txt, nor "
                     "encoder.json with vocab.bpe");
}

}  // namespace

Result<BpeModel> bpe_of_json(const formats::TokenizerJson& json, std::string_view where) {
    const std::string place(where);
    if (json.kind != formats::TokenizerKind::bpe)
        return unsupported(place, fmt::format("is a {}, not a BPE", name_of(json.kind)));
    PLIMSOLL_RETURN_IF_ERROR(check_settings(json, place));
    PLIMSOLL_ASSIGN(pretokenizer, read_pre_tokenizer(member(json.stages, "pre_tokenizer"), place));
    BpeModel model{.pretokenizer = pretokenizer};
    model.whole_pieces_first = is_true(member(json.model_settings, "ignore_merges"));
    PLIMSOLL_RETURN_IF_ERROR(read_tokens(model, json, place));
    for (const formats::Merge& merge : json.merges) {
        const auto rank = static_cast<std::uint32_t>(model.merges.size());
        model.merges.push_back({merge.left, merge.right, merge.result, rank});
    }
    PLIMSOLL_RETURN_IF_ERROR(check_merges(model, place));
    const auto bytes = model.byte_ids();
    if (!bytes.ok()) return unsupported(place, bytes.error().message);
    return model;
}

formats::TokenizerJson json_of_bpe(const BpeModel& model) {
    formats::TokenizerJson json;
    for (const SpecialToken& special : model.specials) {
        json.added_tokens.push_back(
            {.id = special.id, .content = special.text, .normalized = false, .special = true});
    }
    for (std::uint32_t id = 0; id < model.tokens.size(); ++id) {
        const bool special = std::ranges::find(model.specials, id, &SpecialToken::id) != model.specials.end();
        if (model.tokens[id].empty()) continue;
        json.vocab.push_back({id, special ? model.tokens[id] : byte_text(model.tokens[id])});
    }
    for (const BpeMerge& merge : model.merges) json.merges.push_back({merge.left, merge.right, merge.result});
    json.model_settings = {{"dropout", nullptr},
                           {"unk_token", nullptr},
                           {"fuse_unk", false},
                           {"byte_fallback", false},
                           {"ignore_merges", model.whole_pieces_first}};
    json.stages = {{"version", "1.0"},
                   {"truncation", nullptr},
                   {"padding", nullptr},
                   {"normalizer", nullptr},
                   {"pre_tokenizer", pre_tokenizer_json(model.pretokenizer)},
                   {"post_processor", nullptr},
                   {"decoder", byte_level(true)}};
    return json;
}

Status write_bpe(const fs::path& path, const BpeModel& model) {
    return formats::write_tokenizer_json(path, json_of_bpe(model));
}

Result<BpeModel> read_bpe(const fs::path& path, const RankFileFacts& facts) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return read_folder(path);
    PLIMSOLL_ASSIGN(text, read_text(path, max_file_bytes));
    if (!trim(text).starts_with('{')) return bpe_of_ranks(text, facts, path.string());
    PLIMSOLL_ASSIGN(json, formats::parse_tokenizer_json(text, path.string()));
    return bpe_of_json(json, path.string());
}

}  // namespace plimsoll::bpe

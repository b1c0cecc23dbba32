#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"

namespace plimsoll::formats {

enum class TokenizerKind { bpe, word_piece, word_level, unigram };

// The name in the file: "BPE", "WordPiece", "WordLevel", "Unigram".
std::string_view name_of(TokenizerKind kind);

struct VocabEntry {
    std::uint32_t id = 0;
    std::string token;

    bool operator==(const VocabEntry&) const = default;
};

// Two neighbouring tokens become one; earlier merges go first. Ids of vocabulary entries.
struct Merge {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t result = 0;

    bool operator==(const Merge&) const = default;
};

struct AddedToken {
    std::uint32_t id = 0;
    std::string content;
    bool single_word = false;
    bool lstrip = false;
    bool rstrip = false;
    bool normalized = true;
    bool special = false;

    bool operator==(const AddedToken&) const = default;
};

// A Hugging Face tokenizer.json. Vocabulary, merges and added tokens are checked; the stages around the model
// and the model's lesser settings are kept as the JSON they are.
struct TokenizerJson {
    TokenizerKind kind = TokenizerKind::bpe;
    std::vector<VocabEntry> vocab;  // by id; ids are unique but may leave gaps
    std::vector<Merge> merges;      // BPE only
    std::vector<AddedToken> added_tokens;
    std::string continuing_subword_prefix;  // stripped from the right token when two merge; "" for none
    std::string end_of_word_suffix;
    Json model_settings = Json::object();  // every other member of "model"
    Json stages = Json::object();          // every other member of the file: normalizer, pre_tokenizer ...

    // One more than the largest id of vocabulary and added tokens: the rows of an embedding.
    [[nodiscard]] std::uint64_t rows() const;

    bool operator==(const TokenizerJson&) const = default;
};

// Reads the text of a tokenizer.json; `unsupported` for a model type other than the four.
Result<TokenizerJson> parse_tokenizer_json(std::string_view text, std::string_view where);

// The text of a BPE tokenizer, merges as pairs; `unsupported` for the other kinds. Refuses what
// parse_tokenizer_json() would refuse.
Result<std::string> tokenizer_json_text(const TokenizerJson& tokenizer);

// Writes that text; readers see the old file or the new, never a part.
Status write_tokenizer_json(const std::filesystem::path& path, const TokenizerJson& tokenizer);

}  // namespace plimsoll::formats

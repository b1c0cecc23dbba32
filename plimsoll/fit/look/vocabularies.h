#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/bpe/encode.h"

namespace plimsoll::fit {

// A text in pieces, none of which a token crosses.
using TextPieces = std::vector<std::string_view>;

std::uint64_t bytes_of(const TextPieces& pieces);

// The sizes of BPE vocabularies worth trying (500, 1000, 2000, ... 32000): a token is met 100 times on
// average at 3 bytes a token, and the table takes at most half of the parameters of a network of 6 layers.
std::vector<std::int64_t> vocabulary_ladder(std::uint64_t training_bytes, std::int64_t parameters);

// Trains vocabularies on one text and keeps them as FOLDER/bpe-SIZE.json; what is there is not trained again.
class VocabularyTrainer {
  public:
    VocabularyTrainer(std::filesystem::path folder, TextPieces training);
    ~VocabularyTrainer();
    VocabularyTrainer(const VocabularyTrainer&) = delete;
    VocabularyTrainer& operator=(const VocabularyTrainer&) = delete;

    [[nodiscard]] std::filesystem::path path_of(std::int64_t vocab) const;
    // `bad_input` at "vocab" when the text has too few pairs for so many tokens.
    Result<bpe::BpeEncoder> get(std::int64_t vocab);

  private:
    Status write_text();
    Status train(std::int64_t vocab);
    std::filesystem::path folder_, text_;
    TextPieces training_;
    bool written_ = false;
};

// A text as tokens: how many, of how many bytes, and how often each id.
struct TokenCount {
    std::uint64_t tokens = 0, bytes = 0;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> lengths;  // tokens of each piece
};
TokenCount count_tokens(const bpe::BpeEncoder& encoder, const TextPieces& pieces, std::uint64_t most_bytes);

// The same for bytes as tokens.
TokenCount count_bytes(const TextPieces& pieces);

}  // namespace plimsoll::fit

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/bpe/model.h"
#include "plimsoll/formats/tokenizer_json.h"

namespace plimsoll::bpe {

// What a file of ranks does not say.
struct RankFileFacts {
    Pretokenizer pretokenizer = Pretokenizer::cl100k;
    std::vector<SpecialToken> specials = {};
};

// Reads a tokenizer.json, a folder with one, a folder with GPT-2's vocabulary and merges (vocab.json and
// merges.txt, encoder.json and vocab.bpe), or a file of tiktoken ranks; what it is, its content says.
Result<BpeModel> read_bpe(const std::filesystem::path& path, const RankFileFacts& facts = {});

// The tokenizer of a tokenizer.json; `unsupported` names the stage that would change bytes or is not known.
Result<BpeModel> bpe_of_json(const formats::TokenizerJson& json, std::string_view where);

// The other way: what Hugging Face tokenizers reads and gives the same ids with.
formats::TokenizerJson json_of_bpe(const BpeModel& model);

// Writes that as a tokenizer.json; readers see the old file or the new, never a part.
Status write_bpe(const std::filesystem::path& path, const BpeModel& model);

// Lines "base64(token) rank"; the rank is the id. Special tokens are not in such a file.
std::string rank_text(const BpeModel& model);

// The tokenizer of such lines: two neighbours merge when together they are a token.
Result<BpeModel> bpe_of_ranks(std::string_view text, const RankFileFacts& facts, std::string_view where);

}  // namespace plimsoll::bpe

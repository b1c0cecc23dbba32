#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/bpe/stream.h"
#include "plimsoll/bpe/train.h"

namespace plimsoll::cli {

// What a tokenizer does to a text.
struct TokenizedText {
    std::string file;
    bpe::Encoded encoded;
    std::vector<std::uint64_t> uses;  // of each id
};

// Prints what was learned and where it is.
void print_trained(const bpe::TrainedBpe& trained, const std::string& file);

// A tokenizer, and what it does to a text if there is one.
void print_tokenizer(const bpe::BpeModel& model, const std::optional<TokenizedText>& text);
Json tokenizer_info_json(const bpe::BpeModel& model, const std::optional<TokenizedText>& text);

}  // namespace plimsoll::cli

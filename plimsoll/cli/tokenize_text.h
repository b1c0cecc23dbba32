#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/data/bpe_stream.h"
#include "plimsoll/data/bpe_train.h"

namespace plimsoll::cli {

// What a tokenizer does to a text.
struct TokenizedText {
    std::string file;
    data::Encoded encoded;
    std::vector<std::uint64_t> uses;  // of each id
};

// Prints what was learned and where it is.
void print_trained(const data::TrainedBpe& trained, const std::string& file);

// A tokenizer, and what it does to a text if there is one.
void print_tokenizer(const data::BpeModel& model, const std::optional<TokenizedText>& text);
Json tokenizer_info_json(const data::BpeModel& model, const std::optional<TokenizedText>& text);

}  // namespace plimsoll::cli

#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll::cli {

// What `tokenize` was asked on the command line, as texts.
struct TokenizeFlags {
    std::string tokenizer, out, input;
    std::vector<std::string> files, specials;
    std::string vocab, pretokenizer, unit = "file", format = "json", min_frequency = "1";
    std::string threads = "0", max_memory = "2G";
    bool no_special = false, specials_as_text = false, allow_smaller = false, json = false;
};

// The four things `tokenize` does; each prints its answer and returns the exit code.
Result<int> tokenize_train(const TokenizeFlags& flags);
Result<int> tokenize_encode(const TokenizeFlags& flags);
Result<int> tokenize_decode(const TokenizeFlags& flags);
Result<int> tokenize_info(const TokenizeFlags& flags);

}  // namespace plimsoll::cli

#pragma once

#include <filesystem>

#include "plimsoll/base/files.h"
#include "plimsoll/formats/tokenizer_json.h"

namespace plimsoll::testing {

// The tokenizer in a file, as read_bpe() of bpe reads it.
inline Result<formats::TokenizerJson> read_tokenizer_json(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path, 100'000'000));
    return formats::parse_tokenizer_json(text, path.string());
}

}  // namespace plimsoll::testing

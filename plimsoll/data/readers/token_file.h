#pragma once

#include <filesystem>
#include <optional>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

enum class TokenWidth { bits16 = 2, bits32 = 4 };  // the value is the bytes of an id

// Token ids in a file. Files with llm.c's header of 256 words (20240520: 16 bits, 20240801: 32 bits) say
// their width themselves; other files are nothing but little-endian ids and the width must be asked for, or
// follows from the vocabulary (16 bits up to 65536). Ids at or above `vocabulary`, where it is not 0, are
// refused.
struct TokenOptions {
    std::optional<TokenWidth> width;
    std::uint64_t vocabulary = 0;
};
Result<Tokens> parse_tokens(const LoadedFile& file, const TokenOptions& tokens);
// The same in a file, a .npy array of whole numbers, or a folder with train.bin and val.bin, valid.bin,
// validation.bin or test.bin (nanoGPT's layout), which are its splits.
Result<Tokens> load_tokens(const std::filesystem::path& path, const TokenOptions& tokens,
                           const LoadOptions& options);

}  // namespace plimsoll::data

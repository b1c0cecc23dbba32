#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/bpe/pretokenize.h"

namespace plimsoll::bpe {

// Two neighbouring tokens become one; the pair of the lowest rank goes first, the leftmost of equals.
struct BpeMerge {
    std::uint32_t left = 0, right = 0, result = 0, rank = 0;
    bool operator==(const BpeMerge&) const = default;
};

// A text that is one token wherever it stands.
struct SpecialToken {
    std::uint32_t id = 0;
    std::string text;
    bool operator==(const SpecialToken&) const = default;
};

// A byte-level BPE tokenizer: every byte sequence is a sequence of its tokens.
struct BpeModel {
    Pretokenizer pretokenizer = Pretokenizer::gpt2;
    std::vector<std::string> tokens;  // the bytes of each id; empty for an id that does not exist
    std::vector<BpeMerge> merges;     // by rank
    std::vector<SpecialToken> specials;
    bool whole_pieces_first = false;  // a piece that is a token is that token, whatever the merges say

    // Tokens that exist, special ones included.
    [[nodiscard]] std::size_t size() const;
    // The id of each byte; an error names the first byte without a token.
    [[nodiscard]] Result<std::array<std::uint32_t, 256>> byte_ids() const;

    bool operator==(const BpeModel&) const = default;
};

// Whether a table by id is worth its memory: a file may give its one token the id 16,777,215.
constexpr bool ids_are_dense(std::uint64_t ids_below, std::uint64_t tokens) {
    return ids_below <= 1024 + 64 * tokens;
}

// GPT-2's way to write bytes as printable characters: each byte has one, in UTF-8.
std::string byte_text(std::string_view bytes);

// The bytes of such a text; `bad_input` for a text with any other character.
Result<std::string> bytes_of_text(std::string_view text);

// The bytes in the order of their printable characters: the order of ids in a trained vocabulary.
const std::array<unsigned char, 256>& alphabet_order();

}  // namespace plimsoll::bpe

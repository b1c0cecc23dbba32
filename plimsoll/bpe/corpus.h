#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "plimsoll/bpe/pairs.h"
#include "plimsoll/bpe/words.h"

namespace plimsoll::bpe {

// The distinct words as tokens, in one row of cells, one for each byte: a token's id is in the cell of its
// first byte, and from its last byte one finds the first. So both neighbours of a token are found at once,
// and no cell ever moves.
class BpeCorpus {
  public:
    static constexpr std::uint32_t none = 0x7fffffffU;  // between two words
    static constexpr std::uint64_t most_cells = 0xffffffffU;

    // Cells that the words need, and the bytes of memory for them.
    static std::uint64_t cells_of(const WordCounts& words);
    static std::uint64_t memory_for(std::uint64_t cells) { return cells * sizeof(Cell); }

    [[nodiscard]] std::uint64_t memory() const { return memory_for(cells_.size()); }

    // Words of two bytes and more, each byte as its id.
    BpeCorpus(const WordCounts& words, const std::array<std::uint32_t, 256>& byte_ids);

    // All pairs with their places in ascending order.
    void collect_pairs(PairTable& pairs, PlaceArena& arena) const;

    // The token that begins at `place`, or `none`.
    [[nodiscard]] std::uint32_t at(std::uint32_t place) const { return cells_[place].token; }
    // The token that ends before `place` with its own place, or `none`.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> before(std::uint32_t place) const {
        const std::uint32_t cell = cells_[place - 1].token;
        if ((cell & back) == 0) return {cell, place - 1};
        const std::uint32_t first = place - (cell & ~back);
        return {cells_[first].token, first};
    }
    [[nodiscard]] std::int64_t count_at(std::uint32_t place) const { return counts_[cells_[place].word]; }
    // The token at `place` and the next one, of these lengths in bytes, become `token`.
    void join(std::uint32_t place, std::uint32_t left_bytes, std::uint32_t right_bytes, std::uint32_t token) {
        cells_[place + left_bytes].token = back;  // no longer the start of anything
        cells_[place].token = token;
        cells_[place + left_bytes + right_bytes - 1].token = back | (left_bytes + right_bytes);
    }
    void prefetch(std::uint32_t place) const { __builtin_prefetch(&cells_[place - 1]); }

  private:
    static constexpr std::uint32_t back = 0x80000000U;
    struct Cell {
        std::uint32_t token, word;
    };
    std::vector<Cell> cells_;
    std::vector<std::int64_t> counts_;
};

}  // namespace plimsoll::bpe

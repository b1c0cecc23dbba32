#include "plimsoll/bpe/corpus.h"

namespace plimsoll::bpe {
namespace {

// Each pair of neighbours as (left id, right id, place, count of its word).
template <class Cells, class Visit>
void for_each_pair(const Cells& cells, std::uint32_t none, const Visit& visit) {
    for (std::uint32_t place = 0; place + 1 < cells.size(); ++place) {
        if (cells[place].token != none && cells[place + 1].token != none)
            visit(pair_key(cells[place].token, cells[place + 1].token), place, cells[place].word);
    }
}

}  // namespace

std::uint64_t BpeCorpus::cells_of(const WordCounts& words) {
    std::uint64_t cells = 1;
    words.for_each(
        [&](std::string_view word, std::uint64_t) { cells += word.size() < 2 ? 0 : word.size() + 1; });
    return cells;
}

BpeCorpus::BpeCorpus(const WordCounts& words, const std::array<std::uint32_t, 256>& byte_ids) {
    cells_.reserve(cells_of(words));
    cells_.push_back({none, 0});
    words.for_each([&](std::string_view word, std::uint64_t count) {
        if (word.size() < 2) return;
        const auto number = static_cast<std::uint32_t>(counts_.size());
        counts_.push_back(static_cast<std::int64_t>(count));
        for (const char byte : word) cells_.push_back({byte_ids[static_cast<unsigned char>(byte)], number});
        cells_.push_back({none, 0});
    });
}

void BpeCorpus::collect_pairs(PairTable& pairs, PlaceArena& arena) const {
    for_each_pair(cells_, none, [&](std::uint64_t key, std::uint32_t, std::uint32_t word) {
        PairPositions& pair = pairs[key];
        pair.count += counts_[word];
        ++pair.size;
    });
    for_each_pair(cells_, none, [&](std::uint64_t key, std::uint32_t place, std::uint32_t) {
        PairPositions& pair = pairs[key];
        if (pair.places == nullptr) {
            pair.places = arena.take(pair.size);
            pair.size = 0;
        }
        const_cast<std::uint32_t*>(pair.places)[pair.size++] = place;
    });
}

}  // namespace plimsoll::bpe

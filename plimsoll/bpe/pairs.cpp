#include "plimsoll/bpe/pairs.h"

#include <algorithm>

namespace plimsoll::bpe {
namespace {

constexpr std::size_t block_places = std::size_t{1} << 18U;

}  // namespace

PairPositions& PairTable::slot_of(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = spread(key) & mask;; at = (at + 1) & mask) {
        if (slots_[at].key == key || slots_[at].key == UINT64_MAX) return slots_[at];
    }
}

void PairTable::grow() {
    std::vector<PairPositions> old(2 * slots_.size());
    old.swap(slots_);
    for (const PairPositions& pair : old) {
        if (pair.key != UINT64_MAX) slot_of(pair.key) = pair;
    }
}

PairPositions& PairTable::operator[](std::uint64_t key) {
    PairPositions* pair = &slot_of(key);
    if (pair->key == key) return *pair;
    if (3 * (size_ + 1) > 2 * slots_.size()) {
        grow();
        pair = &slot_of(key);
    }
    ++size_;
    pair->key = key;
    return *pair;
}

std::uint32_t* PlaceArena::take(std::size_t count) {
    if (count > left_) {
        left_ = std::max(count, block_places);
        blocks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(left_));
        bytes_ += left_ * sizeof(std::uint32_t);
    }
    left_ -= count;
    return blocks_.back().get() + left_;
}

}  // namespace plimsoll::bpe

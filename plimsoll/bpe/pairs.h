#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <vector>

namespace plimsoll::bpe {

// A pair of neighbouring tokens as one number, in the order of (left, right).
constexpr std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << 32U | right;
}
constexpr std::uint32_t left_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32U); }
constexpr std::uint32_t right_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// The bits of a key mixed, so that neighbouring keys begin their search in a hash table far apart.
constexpr std::size_t spread(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15U;
    return key ^ key >> 32U;
}

// How often a pair occurs, and where it did when it arose (some of those places are gone since).
struct PairPositions {
    std::uint64_t key = UINT64_MAX;  // a free slot
    std::int64_t count = 0;
    const std::uint32_t* places = nullptr;
    std::uint32_t size = 0;
    [[nodiscard]] std::span<const std::uint32_t> all() const { return {places, size}; }
};

// Pairs by key: open addressing.
class PairTable {
  public:
    PairTable() : slots_(std::size_t{1} << 16U) {}
    // The pair, made when it is new; invalid after the next call.
    PairPositions& operator[](std::uint64_t key);
    [[nodiscard]] std::uint64_t memory() const { return slots_.size() * sizeof(PairPositions); }
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const PairPositions& pair : slots_) {
            if (pair.key != UINT64_MAX) visit(pair);
        }
    }

  private:
    PairPositions& slot_of(std::uint64_t key);
    void grow();

    std::vector<PairPositions> slots_;
    std::size_t size_ = 0;
};

// Memory for lists of places, freed all at once.
class PlaceArena {
  public:
    std::uint32_t* take(std::size_t count);
    [[nodiscard]] std::uint64_t memory() const { return bytes_; }

  private:
    std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
    std::size_t left_ = 0;
    std::uint64_t bytes_ = 0;
};

// The most frequent pair, among equals the smaller key. A count may be out of date: too large, never too
// small.
class PairQueue {
  public:
    struct Item {
        std::int64_t count = 0;
        std::uint64_t key = 0;
        bool operator<(const Item& other) const {
            return count != other.count ? count < other.count : key > other.key;
        }
    };
    void push(Item item) { items_.push(item); }
    [[nodiscard]] bool empty() const { return items_.empty(); }
    Item pop() {
        const Item top = items_.top();
        items_.pop();
        return top;
    }
    [[nodiscard]] std::uint64_t memory() const { return items_.size() * sizeof(Item); }

  private:
    std::priority_queue<Item> items_;
};

}  // namespace plimsoll::bpe

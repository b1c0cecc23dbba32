#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll::rank {

// What a partition divides: the positions of attention, or the entries of a mixer's rows x cols input.
struct SplitShape {
    bool by_position = false;
    std::size_t rows = 1, cols = 1;  // attention: 1 x positions

    [[nodiscard]] std::size_t items() const { return rows * cols; }
    // "position" or "entry"
    [[nodiscard]] const char* item() const { return by_position ? "position" : "entry"; }
    [[nodiscard]] const char* plural() const { return by_position ? "positions" : "entries"; }

    bool operator==(const SplitShape&) const = default;
};

// Which items belong to side A; the others belong to side B.
struct Partition {
    std::string name;
    std::vector<bool> left;  // by position, or by entry, row-major

    // How many items side A holds.
    [[nodiscard]] std::size_t left_count() const;
    // The items of side A, rising.
    [[nodiscard]] std::vector<std::size_t> left_items() const;
};

// `all` is refused beyond this many partitions; so is random:K.
inline constexpr std::uint64_t max_partitions = 10'000;

// The partitions a word stands for: half (the first half in A), interleaved (every other one), for mixers
// rows and columns (their first half), random:K (K balanced ones from the seed), all (every balanced one up
// to exchanging the sides, which leaves the rank as it is).
Result<std::vector<Partition>> parse_partitions(std::string_view word, const SplitShape& shape,
                                                std::uint64_t seed);

// The partition whose side A is listed, "0,1,2" (counted from 0).
Result<Partition> partition_with_left(std::string_view list, const SplitShape& shape);

// How many partitions `all` stands for: binom(n, n/2) / 2; saturates at 2^63.
std::uint64_t balanced_partitions(std::size_t items);

}  // namespace plimsoll::rank

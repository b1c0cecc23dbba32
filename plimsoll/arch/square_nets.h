#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll::arch {

// The permutations pi_o, pi_e, pi_r of a permuted square mixer (NAVON-PERM).
enum class Permutations { none, random, given };

// The square mixer (NAVON-D3.2): odd layers square W X, even layers square X W, X is rows x cols.
struct SquareMixerSpec {
    std::int64_t rows = 1;
    std::int64_t cols = 1;
    std::int64_t depth = 1;
    std::vector<std::int64_t> residual;  // 1-based layers that add their input, sorted, distinct
    Permutations permutations = Permutations::none;
    std::uint64_t permutation_seed = 0;  // of the random permutations
    std::vector<std::int64_t> odd, even,
        skip;  // given: images of entries 0..rows*cols-1, row-major; empty means identity

    bool operator==(const SquareMixerSpec&) const = default;
};

// The fully connected net with squares (NAVON-D3.1): X (rows x cols) becomes (W X)^2, plus X in the residual
// layers.
struct SquareMlpSpec {
    std::int64_t rows = 1;
    std::int64_t cols = 1;
    std::int64_t depth = 1;
    std::vector<std::int64_t> residual;  // 1-based layers that add their input, sorted, distinct

    bool operator==(const SquareMlpSpec&) const = default;
};

}  // namespace plimsoll::arch

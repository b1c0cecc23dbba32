#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/arch/parts.h"

namespace plimsoll::arch {

// What the nets on a flat vector have in common.
struct FlatNet {
    std::int64_t depth = 1;
    std::int64_t width = 1;
    std::int64_t inputs = 0;   // numbers that a dense layer maps to width; 0: the input has width numbers
    std::int64_t classes = 0;  // outputs of a last dense layer; 0: none
    Activation activation = Activation::relu;
    Norm norm = Norm::none;
    bool norm_bias = true;
    bool skip = false;  // skip connections around every layer
    bool bias = false;

    bool operator==(const FlatNet&) const = default;
};

enum class PkPermutations {
    none,         // J_1 = J_2 = identity
    commutation,  // J_1 = identity, J_2 = the commutation matrix: with blocks=C+S this is the s-mixer
    random,       // drawn once from the seed, different in every layer
};

// Permuted Kronecker layers x -> phi(J_2 (I_k (x) W) J_1 x) (HAYASE-PK); W is (width/k) x (width/k).
struct PkSpec {
    FlatNet net;
    std::vector<std::int64_t> blocks;  // k of layer 1, 2, ..., repeated over the depth
    PkPermutations permutations = PkPermutations::random;
    std::uint64_t permutation_seed = 0;

    bool operator==(const PkSpec&) const = default;
};

// k of layer `layer` (from 1).
inline std::int64_t pk_blocks(const PkSpec& spec, std::int64_t layer) {
    return spec.blocks[static_cast<std::size_t>((layer - 1) % std::ssize(spec.blocks))];
}

// Wide sparse MLP with a static random mask (SW-MLP); only the connections are parameters.
struct SwMlpSpec {
    FlatNet net;
    std::int64_t hidden = 0;       // 0: one width x width matrix per layer, else W2 phi(W1 x)
    std::int64_t connections = 1;  // non-zeros of every matrix
    std::uint64_t mask_seed = 0;

    bool operator==(const SwMlpSpec&) const = default;
};

// MLP of Monarch matrices: two block-diagonal factors with a permutation between them.
struct MonarchSpec {
    FlatNet net;
    std::int64_t hidden = 0;         // 0: one matrix per layer, else W2 phi(W1 x)
    std::int64_t blocks = 4;         // of the first factor
    std::int64_t second_blocks = 4;  // of the second factor
    bool tied_blocks = false;        // all blocks of a factor are one matrix (HAYASE-MONARCH)

    bool operator==(const MonarchSpec&) const = default;
};

// Dense MLP for the rows of a table: numbers through a matrix and categories through tables of embeddings add
// up to x, then `depth` layers x + W2 phi(W1 norm(x)).
struct MlpSpec {
    FlatNet net;
    std::int64_t hidden = 0;               // 0: one matrix per layer, phi(W x)
    std::vector<std::int64_t> categories;  // rows of the table of each column of categories

    // Rows of all tables.
    [[nodiscard]] std::int64_t table_rows() const {
        std::int64_t sum = 0;
        for (const auto count : categories) sum += count;
        return sum;
    }
    bool operator==(const MlpSpec&) const = default;
};

}  // namespace plimsoll::arch

#pragma once

#include <cstdint>

#include "plimsoll/nets/kronecker.h"

namespace plimsoll::testing {

// `blocks` pairs of token mixing and channel mixing on vec(X), X (tokens, channels), without expansion.
inline nets::KroneckerNetSpec paired_mixer(std::int64_t tokens, std::int64_t channels, std::int64_t blocks,
                                           nets::Shuffle token_mixing, nets::Shuffle channel_mixing) {
    nets::KroneckerNetSpec spec;
    for (std::int64_t b = 0; b < blocks; ++b) {
        spec.layers.push_back({.copies = channels, .size = tokens, .shuffle = token_mixing});
        spec.layers.push_back({.copies = tokens, .size = channels, .shuffle = channel_mixing});
    }
    return spec;
}

// The usual mixer (s-mixer): `blocks` such pairs.
inline nets::KroneckerNetSpec simple_mixer(std::int64_t tokens, std::int64_t channels, std::int64_t blocks) {
    return paired_mixer(tokens, channels, blocks, nets::Shuffle::none, nets::Shuffle::conjugated);
}

// The same layers between random permutations (rp-mixer).
inline nets::KroneckerNetSpec random_mixer(std::int64_t tokens, std::int64_t channels, std::int64_t blocks,
                                           std::uint64_t permutation_seed) {
    auto spec = paired_mixer(tokens, channels, blocks, nets::Shuffle::random, nets::Shuffle::random);
    spec.permutation_seed = permutation_seed;
    return spec;
}

// The layer's wide sparse matrix J_2 (I_k kron W) J_1: (k out, k in).
template <nets::Ring R>
nets::MatrixOver<R> wide_matrix(const R& ring, const nets::KroneckerLayer<typename R::Element>& layer) {
    const auto blocks = nets::kronecker(ring, nets::identity(ring, layer.copies), layer.weight);
    return product(ring, nets::permutation_matrix(ring, layer.after), blocks,
                   nets::permutation_matrix(ring, layer.before));
}

}  // namespace plimsoll::testing

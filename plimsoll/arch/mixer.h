#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/arch/parts.h"

namespace plimsoll::arch {

// MLP-Mixer on X (tokens x channels): a token-mixing and a channel-mixing step per block. Families `mixer`,
// `rp-mixer` (some blocks permuted) and `s-mixer` (simple).
struct MixerSpec {
    bool simple = false;  // s-mixer: phi(W X), phi(X V), one matrix per direction
    std::int64_t depth = 1;
    std::int64_t tokens = 1;
    std::int64_t channels = 1;
    std::int64_t token_hidden = 0;       // 0 when simple
    std::int64_t channel_hidden = 0;     // 0 when simple
    std::vector<std::int64_t> permuted;  // 1-based blocks with frozen random permutations (HAYASE-PK), sorted
    std::uint64_t permutation_seed = 0;  // of those permutations
    Activation activation = Activation::gelu;
    Norm norm = Norm::layer;
    bool norm_bias = true;
    bool final_norm = true;
    bool skip = true;  // skip connections around both steps
    bool bias = true;
    bool causal = false;  // token mixing reads earlier tokens only; stored dense, masked
    ImageInput image;
    std::int64_t vocab = 0;    // token table; 0: none
    std::int64_t classes = 0;  // linear classifier on the mean token; 0: none
    bool vocab_head = false;   // next-token head
    bool tied = false;         // the next-token head is the token table

    bool operator==(const MixerSpec&) const = default;
};

// m = S * C, the width of the mixer as a wide sparse MLP (HAYASE-WIDTH).
inline std::int64_t effective_width(const MixerSpec& spec) { return spec.tokens * spec.channels; }

}  // namespace plimsoll::arch

#pragma once

#include <cstdint>
#include <optional>

namespace plimsoll::arch {

// How tokens become vectors of the analysed networks (WIES-EMB-VOCAB, WIES-EMB-CONV).
enum class InputEmbedding {
    none,   // the input vectors themselves, as in Levine et al.
    vocab,  // rows of a table of `vocab` tokens
    conv,   // non-overlapping patches of `vocab` numbers each, mapped linearly
};

// Positional vectors added to the input of the analysed networks.
enum class Positions {
    none,    // no positional term
    ranked,  // a positional matrix of rank `position_rank`
    free,    // every position has its own free vector
};

// The analysed linear attention (LEVINE-LAYER, WIES-LAYER): no softmax, norm or feed-forward.
struct AttentionSpec {
    std::int64_t depth = 1;
    std::int64_t width = 1;
    std::int64_t heads = 1;
    std::int64_t head_dim = 1;  // free: heads * head_dim may differ from width
    InputEmbedding embedding = InputEmbedding::none;
    std::int64_t vocab = 0;           // tokens (vocab) or numbers per patch (conv); 0 when embedding is none
    std::int64_t embedding_rank = 1;  // r <= min(width, vocab); width when embedding is none
    Positions positions = Positions::none;
    std::int64_t position_rank = 0;  // r_e; 0 unless positions are ranked
    std::int64_t context = 1024;     // positions of the positional matrix
    bool residual = false;

    bool operator==(const AttentionSpec&) const = default;
};

}  // namespace plimsoll::arch

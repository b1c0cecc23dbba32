#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "plimsoll/verify/attention_cases.h"

namespace plimsoll::verify {

// Attention behind an embedding of rank r, the first half of the positions on side A.
struct EmbeddingCase {
    std::int64_t depth = 2, width = 1, heads = 1, positions = 8;
    std::int64_t rank = 1;           // r
    std::int64_t position_rank = 0;  // r_e; 0: no positions, -1: a free vector per position
    bool tokens = false;             // one-hot inputs; otherwise any numbers
    std::int64_t vocab = 0;          // of tokens

    // r_e, min(d, N) for free positions.
    [[nodiscard]] std::int64_t positional_rank() const;
    // Positional directions outside the embedding's, within one side: e = min(r_e, d - r), all generic.
    [[nodiscard]] std::int64_t outside() const;
    [[nodiscard]] std::string name() const;
    [[nodiscard]] RankCase question() const;
};

// The embeddings every claim about them is tested against, smallest first.
std::vector<EmbeddingCase> embedding_cases(Effort effort);

using EmbeddingBound = std::function<std::optional<theory::Integer>(const EmbeddingCase&)>;
std::vector<Trial> embedding_trials(const std::vector<EmbeddingCase>& cases, Comparison compare,
                                    const EmbeddingBound& bound);
// The same on the cases of the effort that is asked for.
std::function<std::vector<Trial>(Effort)> on_embeddings(Comparison compare, EmbeddingBound bound);

}  // namespace plimsoll::verify

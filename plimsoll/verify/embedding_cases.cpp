#include "plimsoll/verify/embedding_cases.h"

#include <algorithm>
#include <iterator>

#include "plimsoll/base/format.h"

namespace plimsoll::verify {
namespace {

const std::vector<EmbeddingCase> small_embedding_cases = {
    {.width = 4, .positions = 4, .rank = 2, .tokens = true, .vocab = 2},
    {.width = 6, .rank = 1},
    {.width = 6, .rank = 1, .position_rank = 1},
    {.width = 6, .rank = 1, .position_rank = -1},
    {.width = 4, .rank = 3, .tokens = true, .vocab = 3},
    {.width = 6, .rank = 2},
    {.width = 4, .heads = 2, .rank = 2},
    {.width = 4, .rank = 2, .tokens = true, .vocab = 4},
    {.width = 4, .rank = 4, .tokens = true, .vocab = 4},
    {.width = 6, .rank = 2, .position_rank = 1},
    {.width = 6, .rank = 3},
    {.width = 6, .rank = 3, .position_rank = 1},
    {.width = 6, .rank = 2, .position_rank = -1},
    {.width = 6, .rank = 4},
    {.width = 6, .rank = 4, .position_rank = 1},
    {.width = 6, .rank = 3, .position_rank = -1},
    {.depth = 3, .width = 4, .rank = 1},
    {.depth = 3, .width = 4, .rank = 1, .position_rank = 1},
    {.depth = 3, .width = 4, .rank = 2},
    {.depth = 3, .width = 2, .rank = 2, .tokens = true, .vocab = 2},
    {.width = 6, .rank = 5},
    {.width = 6, .heads = 2, .rank = 4},
    {.width = 8, .positions = 4, .rank = 7},
    {.width = 8, .heads = 2, .positions = 4, .rank = 6},
    {.width = 6, .positions = 4, .rank = 5, .tokens = true, .vocab = 5},
    {.width = 6, .positions = 4, .rank = 6, .tokens = true, .vocab = 6},
    {.width = 8, .heads = 2, .positions = 4, .rank = 7, .tokens = true, .vocab = 8},
    {.depth = 3, .width = 6, .positions = 4, .rank = 5, .tokens = true, .vocab = 9},
    {.depth = 3, .width = 6, .positions = 4, .rank = 6, .tokens = true, .vocab = 6},
    {.depth = 3, .width = 8, .positions = 4, .rank = 8, .tokens = true, .vocab = 8},
    {.depth = 4, .width = 6, .positions = 4, .rank = 6, .tokens = true, .vocab = 6},
    {.width = 4, .rank = 2, .position_rank = 1, .tokens = true, .vocab = 2},
    {.width = 4, .positions = 6, .rank = 2, .position_rank = 1, .tokens = true, .vocab = 3},
    {.width = 4, .positions = 6, .rank = 2, .position_rank = 1, .tokens = true, .vocab = 4},
    {.width = 4, .positions = 6, .rank = 2, .position_rank = 2, .tokens = true, .vocab = 3},
    {.width = 4, .positions = 6, .rank = 3, .position_rank = 1, .tokens = true, .vocab = 3},
    {.width = 4, .positions = 6, .rank = 3, .position_rank = 2, .tokens = true, .vocab = 4},
    {.width = 6, .positions = 6, .rank = 3, .position_rank = 1, .tokens = true, .vocab = 5},
    {.width = 4, .positions = 6, .rank = 2, .position_rank = -1, .tokens = true, .vocab = 3},
    {.depth = 3, .width = 4, .rank = 1, .position_rank = 1, .tokens = true, .vocab = 3},
    {.width = 4, .positions = 10, .rank = 2, .position_rank = 1, .tokens = true, .vocab = 2},
    {.width = 4, .positions = 10, .rank = 2, .position_rank = 2, .tokens = true, .vocab = 2},
    {.width = 4, .rank = 3, .position_rank = 1, .tokens = true, .vocab = 3},
    {.width = 6, .rank = 3, .position_rank = 2, .tokens = true, .vocab = 3},
    {.width = 6, .rank = 4, .position_rank = 1, .tokens = true, .vocab = 4},
};

// N = 6 where strings of 7 tokens would be too many.
const std::vector<EmbeddingCase> middle_embedding_cases = {
    {.width = 4, .positions = 6, .rank = 4, .tokens = true, .vocab = 5},
    {.width = 4, .positions = 6, .rank = 3, .tokens = true, .vocab = 6},
    {.width = 4, .positions = 6, .rank = 3, .tokens = true, .vocab = 8},
    {.width = 4, .positions = 6, .rank = 4, .tokens = true, .vocab = 7},
    {.depth = 3, .width = 3, .rank = 2, .tokens = true, .vocab = 3},
    {.depth = 3, .width = 4, .rank = 1, .position_rank = -1},
    {.depth = 3, .width = 4, .rank = 2, .position_rank = 1},
    {.depth = 3, .width = 4, .rank = 3},
};

}  // namespace

std::int64_t EmbeddingCase::positional_rank() const {
    return position_rank < 0 ? std::min(width, positions) : position_rank;
}

std::int64_t EmbeddingCase::outside() const { return std::min(positional_rank(), width - rank); }

std::string EmbeddingCase::name() const {
    std::string text = fmt::format("L={} d={} H={} N={} r={}", depth, width, heads, positions, rank);
    if (tokens) text += fmt::format(" V={} tokens", vocab);
    if (position_rank > 0) text += fmt::format(" r_e={}", position_rank);
    if (position_rank < 0) text += " free positions";
    return text;
}

RankCase EmbeddingCase::question() const {
    // Numbers need no more columns than r: the embedding is then one random d x r matrix.
    std::string spec = fmt::format("attention:depth={},width={},heads={},vocab={}", depth, width, heads,
                                   tokens ? vocab : rank);
    if (tokens && rank < std::min(width, vocab)) spec += fmt::format(",embedding_rank={}", rank);
    if (position_rank > 0) spec += fmt::format(",position_rank={}", position_rank);
    if (position_rank < 0) spec += ",positions=free";
    return {.spec = spec,
            .positions = positions,
            .inputs = tokens ? rank::Inputs::tokens : rank::Inputs::numbers};
}

std::vector<EmbeddingCase> embedding_cases(Effort effort) {
    auto cases = small_embedding_cases;
    if (effort >= Effort::normal)
        std::copy(middle_embedding_cases.begin(), middle_embedding_cases.end(), std::back_inserter(cases));
    return cases;
}

std::vector<Trial> embedding_trials(const std::vector<EmbeddingCase>& cases, Comparison compare,
                                    const EmbeddingBound& bound) {
    std::vector<Trial> trials;
    for (const EmbeddingCase& c : cases) {
        if (const auto value = bound(c))
            trials.push_back(rank_trial(c.name(), c.question(), compare, *value));
    }
    return trials;
}

std::function<std::vector<Trial>(Effort)> on_embeddings(Comparison compare, EmbeddingBound bound) {
    return [=](Effort effort) { return embedding_trials(embedding_cases(effort), compare, bound); };
}

}  // namespace plimsoll::verify

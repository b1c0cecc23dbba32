#include <algorithm>

#include "plimsoll/arch/tally.h"

namespace plimsoll::arch {
namespace {

void add_input(Tally& out, const AttentionSpec& s) {
    if (s.embedding == InputEmbedding::none) return;
    const bool patches = s.embedding == InputEmbedding::conv;
    const bool full = s.embedding_rank == std::min(s.width, s.vocab);
    const std::string_view part = patches ? "patch embedding" : "token embedding";
    const Count inner = full ? s.width : s.embedding_rank;
    const Weights first = dense(s.vocab, inner, false);
    out.add(part, first, patches ? 1 : 0);
    if (!full) out.add(part, dense(inner, s.width, false), 1);
    out.activations += Count(out.tokens) * s.width;
}

void add_positions(Tally& out, const AttentionSpec& s) {
    if (s.positions == Positions::free) out.add("position embedding", table(Count(s.width) * s.context), 0);
    if (s.positions == Positions::ranked) {
        out.add("position embedding", table(Count(s.position_rank) * (s.width + s.context)), 0);
    }
}

}  // namespace

// LEVINE-LAYER: K, Q, V and O of every head, and the linear products through the d_a x d_a state.
Tally tally(const AttentionSpec& s, std::int64_t context) {
    Tally out;
    out.tokens = context > 0 ? context : s.context;
    add_input(out, s);
    add_positions(out, s);
    const Count inner = Count(s.heads) * s.head_dim;
    const Weights layer = dense(s.width, Count(3) * inner, false) + dense(inner, s.width, false);
    out.add("attention", Count(s.depth) * layer, 1);
    out.add("attention", 0, 0, Count(4) * s.depth * inner * s.head_dim);
    out.activations += Count(s.depth) * out.tokens * (Count(4) * inner + s.width);
    return out;
}

Tally tally(const SquareMixerSpec& s, std::int64_t) {
    Tally out;
    out.unit = "input";
    out.tokens = s.cols;
    const Count odd = (s.depth + 1) / 2, even = s.depth / 2;
    out.add("row mixing", odd * dense(s.rows, s.rows, false), s.cols);
    out.add("column mixing", even * dense(s.cols, s.cols, false), s.rows);
    out.activations = Count(2) * s.depth * s.rows * s.cols;
    return out;
}

Tally tally(const SquareMlpSpec& s, std::int64_t) {
    Tally out;
    out.unit = "input";
    out.tokens = s.cols;
    out.add("layers", Count(s.depth) * dense(s.rows, s.rows, false), s.cols);
    out.activations = Count(2) * s.depth * s.rows * s.cols;
    return out;
}

}  // namespace plimsoll::arch

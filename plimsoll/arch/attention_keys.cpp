#include "plimsoll/arch/attention_keys.h"

#include <algorithm>

#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/rules.h"

namespace plimsoll::arch {

KeyTable<AttentionSpec> attention_keys() {
    using S = AttentionSpec;
    using D = Draft<S>;
    KeyTable<S> keys;
    const Default<std::int64_t, S> whole_head{"width / heads",
                                              [](const D& d) { return head_dim_of(d.spec); }};
    const Default<std::int64_t, S> full_rank{
        "min(width, vocab)", [](const D& d) -> Result<std::int64_t> {
            return d.spec.vocab == 0 ? d.spec.width : std::min(d.spec.width, d.spec.vocab);
        }};
    const Default<InputEmbedding, S> kind{
        "vocab if given, else none", [](const D& d) -> Result<InputEmbedding> {
            return d.spec.vocab == 0 ? InputEmbedding::none : InputEmbedding::vocab;
        }};
    const Default<Positions, S> ranked{
        "ranked if position_rank is given", [](const D& d) -> Result<Positions> {
            return d.spec.position_rank == 0 ? Positions::none : Positions::ranked;
        }};
    keys.integer("depth", &S::depth, {1, max_depth}, required, "layers");
    keys.integer("width", &S::width, {1, max_width}, required, "d_x, numbers per position");
    keys.integer("heads", &S::heads, {1, max_heads}, required, "H");
    keys.integer("head_dim", &S::head_dim, {1, max_width}, whole_head,
                 "d_a; heads * head_dim may differ from width");
    keys.integer("vocab", &S::vocab, {1, max_vocab, true}, 0, "V: tokens, or numbers per patch (conv)");
    keys.choice<InputEmbedding>("embedding", &S::embedding, {"none", "vocab", "conv"}, kind,
                                "input of the first layer");
    keys.integer("embedding_rank", &S::embedding_rank, {1, max_width}, full_rank, "r, rank of the embedding");
    keys.integer("position_rank", &S::position_rank, {1, max_width, true}, 0,
                 "r_e, rank of the positional matrix");
    keys.choice<Positions>("positions", &S::positions, {"none", "ranked", "free"}, ranked, "positional term");
    keys.integer("context", &S::context, {1, max_context}, 1024, "N, columns of the positional matrix");
    keys.flag("residual", &S::residual, false, "every layer adds its input");
    return keys;
}

Status check(const AttentionSpec& s) {
    if (s.embedding == InputEmbedding::none && s.vocab != 0)
        return clash("vocab", "needs embedding=vocab or conv");
    if (s.embedding != InputEmbedding::none && s.vocab == 0)
        return clash("vocab", "missing; embedding needs it");
    if (s.embedding == InputEmbedding::none && s.embedding_rank != s.width) {
        return clash("embedding_rank", "needs vocab; without an embedding the rank is the width");
    }
    if (s.vocab != 0) {
        PLIMSOLL_RETURN_IF_ERROR(
            at_most("embedding_rank", s.embedding_rank, "min(width, vocab)", std::min(s.width, s.vocab)));
    }
    if (s.positions == Positions::ranked && s.position_rank == 0) {
        return clash("position_rank", "missing; positions=ranked needs it");
    }
    if (s.positions != Positions::ranked && s.position_rank != 0) {
        return clash("position_rank", "needs positions=ranked");
    }
    return at_most("position_rank", s.position_rank, "min(width, context)", std::min(s.width, s.context));
}

}  // namespace plimsoll::arch

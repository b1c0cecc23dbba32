#include "plimsoll/arch/tally.h"

namespace plimsoll::arch {
namespace {

Weights norm(const TransformerSpec& s, Count size) { return norm_weights(s.norm, s.norm_bias, size); }

// One attention (or cross-attention) of a layer.
struct Attention {
    Weights projections;
    Weights norms;   // inside: of queries, keys, latents
    Count values;    // activations per token, without scores
    Count kv;        // cached values per token
    Count products;  // multiply-adds per token of context, scores and weighted sums
    Count state;     // values of the fixed state of linear attention
};

Attention latent_attention(const TransformerSpec& s) {
    const Count keys = Count(s.heads) * (s.head_dim - s.rope_dim);
    const Count queries = Count(s.heads) * s.head_dim;
    const Count outputs = Count(s.heads) * s.value_dim;
    const Count latent = s.kv_rank + s.rope_dim;
    Attention a;
    a.projections = dense(s.width, latent, s.qkv_bias) + dense(s.kv_rank, keys + outputs, false) +
                    dense(outputs, s.width, s.out_bias);
    a.norms = norm(s, s.kv_rank);
    if (s.q_rank > 0) {
        a.projections =
            a.projections + dense(s.width, s.q_rank, s.qkv_bias) + dense(s.q_rank, queries, false);
        a.norms = a.norms + norm(s, s.q_rank);
    } else {
        a.projections = a.projections + dense(s.width, queries, false);
    }
    const Count normed = s.norm == Norm::none ? 0 : s.kv_rank + s.q_rank;
    a.values = latent + keys + outputs + s.q_rank + queries + normed + outputs + s.width;
    a.kv = latent;
    return a;
}

Attention plain_attention(const TransformerSpec& s) {
    const Count queries = Count(s.heads) * s.head_dim;
    const Count keys = Count(s.kv_heads) * s.head_dim;
    const Count values = Count(s.kv_heads) * s.value_dim;
    const Count outputs = Count(s.heads) * s.value_dim;
    Attention a;
    a.projections = dense(s.width, queries + keys + values, s.qkv_bias) + dense(outputs, s.width, s.out_bias);
    if (s.qk_norm == QkNorm::head) a.norms = Count(2) * norm(s, s.head_dim);
    if (s.qk_norm == QkNorm::full) a.norms = norm(s, queries) + norm(s, keys);
    const Count normed = s.qk_norm == QkNorm::none ? Count() : queries + keys;
    a.values = queries + keys + values + normed + outputs + s.width;
    a.kv = keys + values;
    return a;
}

Attention attention(const TransformerSpec& s) {
    Attention a = s.kv_rank > 0 ? latent_attention(s) : plain_attention(s);
    if (s.sinks) a.projections = a.projections + table(s.heads);
    a.products = Count(s.heads) * (s.head_dim + s.value_dim);
    if (s.attention == AttentionKind::linear) a.state = Count(s.heads) * s.head_dim * s.value_dim;
    return a;
}

// One feed-forward net of hidden width f.
Weights feed_forward(const TransformerSpec& s, Count f) {
    const Count in = s.ffn_matrices - 1;
    return in * dense(s.width, f, s.ffn_bias) + dense(f, s.width, s.ffn_bias);
}

// Outputs of products and activations of such a net, per token.
Count feed_forward_values(const TransformerSpec& s, Count f) {
    return Count(s.ffn_matrices == 3 ? 4 : 2) * f + s.width;
}

// Adds one stack of layers to a tally.
class StackCounter {
  public:
    StackCounter(Tally& out, const TransformerSpec& spec, std::int64_t depth, std::int64_t groups, bool cross,
                 Count uses)
        : out_(out), s_(spec), depth_(depth), groups_(groups), cross_(cross), uses_(uses) {}

    void add(bool causal) {
        add_attention("attention", causal);
        if (cross_) add_cross();
        add_feed_forward();
        add_norms();
    }

  private:
    // Weights of one layer, stored once per group and used once per layer.
    void add_layers(std::string_view part, const Weights& one) {
        const Count stored = Count(groups_) * one.parameters;
        out_.add(part, stored, stored, Count(2) * uses_ * depth_ * one.multiplies);
    }

    void add_attention(std::string_view part, bool causal) {
        const Attention a = attention(s_);
        add_layers(part, a.projections);
        add_layers("norms", a.norms);
        const Count tokens = out_.tokens;
        const bool linear = s_.attention == AttentionKind::linear;
        const Count products = linear ? Count(2) * a.state : a.products * tokens;
        out_.add(part, 0, 0, Count(2) * uses_ * depth_ * products);
        out_.activations += Count(depth_) * tokens * a.values;
        if (!linear) out_.scores += Count(depth_) * s_.heads * tokens * tokens;
        if (part != "attention") out_.cross_kv_values_per_token += Count(depth_) * a.kv;
        if (part != "attention" || !causal) return;
        if (!linear) out_.kv_values_per_token += Count(depth_) * a.kv;
        out_.state_values += Count(depth_) * a.state;
    }

    void add_cross() { add_attention("cross-attention", false); }

    void add_feed_forward() {
        const Count routed = routed_layers(s_, depth_);
        const Count dense_layers = Count(depth_) - routed;
        if (s_.ffn > 0) {
            const Weights one = feed_forward(s_, s_.ffn);
            const Count distinct = s_.experts > 0 ? dense_layers : Count(groups_);
            out_.add("feed-forward", distinct * one.parameters, distinct * one.parameters,
                     Count(2) * uses_ * dense_layers * one.multiplies);
            out_.activations += dense_layers * out_.tokens * feed_forward_values(s_, s_.ffn);
        }
        if (s_.experts > 0) add_experts(routed);
    }

    // With shared layers every layer is routed, so that `groups_` are stored.
    void add_experts(Count routed) {
        const Count stored = groups_ == depth_ ? routed : Count(groups_);
        const Weights expert = feed_forward(s_, s_.expert_ffn);
        const Weights common =
            s_.experts_shared > 0 ? Count(s_.experts_shared) * feed_forward(s_, s_.shared_ffn) : Weights{};
        const Weights router = dense(s_.width, s_.experts, s_.router_bias);
        const Weights used = Count(s_.experts_active) * expert + common;
        out_.add("feed-forward", stored * (Count(s_.experts) * expert.parameters + common.parameters),
                 stored * used.parameters, Count(2) * uses_ * routed * used.multiplies);
        out_.add("router", stored * router.parameters, stored * router.parameters,
                 Count(2) * uses_ * routed * router.multiplies);
        const Count values = Count(s_.experts) +
                             Count(s_.experts_active) * feed_forward_values(s_, s_.expert_ffn) +
                             Count(s_.experts_shared) * feed_forward_values(s_, s_.shared_ffn);
        out_.activations += routed * out_.tokens * values;
    }

    void add_norms() {
        std::int64_t sublayers = 1 + (cross_ ? 1 : 0) + (s_.ffn > 0 || s_.experts > 0 ? 1 : 0);
        if (s_.shared_norm) sublayers = 1;
        const Count each = s_.norm_order == NormOrder::both ? 2 : 1;
        const Count norms = s_.norm == Norm::none ? Count() : each * sublayers;
        add_layers("norms", norms * norm(s_, s_.width));
        out_.activations += Count(depth_) * out_.tokens * norms * s_.width;
        if (!s_.final_norm) return;
        out_.add("norms", norm(s_, s_.width), 0);
        out_.activations += Count(out_.tokens) * s_.width;
    }

    Tally& out_;
    const TransformerSpec& s_;
    std::int64_t depth_, groups_;
    bool cross_;
    Count uses_;
};

// The width at which positions and segments are added.
Count added_width(const TransformerSpec& s) { return s.positions_in_rank ? s.embedding_rank : s.width; }

void add_position_tables(Tally& out, const TransformerSpec& s, Count stacks) {
    const Count width = added_width(s);
    Count cells;
    if (s.positions == PositionKind::relative) cells = Count(s.position_buckets) * s.heads;
    if (s.positions == PositionKind::learned) {
        cells = s.position_rank > 0 ? Count(s.position_rank) * (Count(s.context) + width)
                                    : Count(s.context) * width;
    }
    out.add("position embedding", table(stacks * cells), 0);
    out.add("position embedding", table(Count(s.segments) * width), 0);
}

void add_inputs(Tally& out, const TransformerSpec& s, Count uses, Count stacks) {
    if (s.vocab > 0 && s.embedding_rank == 0) out.add("token embedding", table(Count(s.vocab) * s.width), 0);
    if (s.embedding_rank > 0) {
        out.add("token embedding", table(Count(s.vocab) * s.embedding_rank), 0);
        out.add("token embedding", dense(s.embedding_rank, s.width, s.factor_bias), stacks * uses);
    }
    if (s.image.used()) {
        out.add("patch embedding", dense(s.image.patch_dim(), s.width, s.patch_bias), s.image.patches());
        out.add("patch embedding", table(Count(s.extra_tokens) * s.width), 0);
    }
    add_position_tables(out, s, stacks);
    out.activations += stacks * out.tokens * s.width;
    if (!s.embedding_norm) return;
    out.add("norms", stacks * norm(s, added_width(s)), 0);
    out.activations += stacks * out.tokens * added_width(s);
}

void add_vocabulary_head(Tally& out, const TransformerSpec& s, Count uses) {
    const Count in = s.head_rank > 0 ? s.head_rank : s.width;
    const Count tokens = out.tokens;
    if (s.head_transform) {
        out.add("head", dense(s.width, in, true), uses);
        out.add("norms", norm(s, in), 0);
        out.activations += tokens * in * Count(s.norm == Norm::none ? 2 : 3);
    } else if (s.head_rank > 0) {
        out.add("head", dense(s.width, in, false), uses);
        out.activations += tokens * in;
    }
    const Weights matrix = dense(in, s.vocab, false);
    const Count stored = s.tied ? Count() : matrix.parameters;
    out.add("vocabulary head", stored, stored, Count(2) * uses * matrix.multiplies);
    out.add("vocabulary head", table(s.head_bias ? s.vocab : 0), 0);
    out.activations += tokens * s.vocab;
}

void add_outputs(Tally& out, const TransformerSpec& s, Count uses) {
    if (s.pooler) {
        out.add("pooler", dense(s.width, s.width, true), 1);
        out.activations += Count(2) * s.width;
    }
    if (s.head == HeadKind::vocab) add_vocabulary_head(out, s, uses);
    if (s.head == HeadKind::classes) {
        out.add("head", dense(s.width, s.classes, s.head_bias), 1);
        out.activations += s.classes;
    }
}

std::string unit_of(const TransformerSpec& s) {
    if (s.image.used()) return "image";
    if (s.pooler || s.head == HeadKind::classes) return "sequence";
    return s.stack == Stack::encoder_decoder ? "token pair" : "token";
}

}  // namespace

Tally tally(const TransformerSpec& s, std::int64_t context) {
    Tally out;
    out.tokens = context > 0 ? context : s.context;
    out.unit = unit_of(s);
    const bool whole = out.unit == "image" || out.unit == "sequence";
    const Count uses = whole ? out.tokens : 1;
    const bool two = s.stack == Stack::encoder_decoder;
    add_inputs(out, s, uses, two ? 2 : 1);
    StackCounter(out, s, s.depth, s.layer_groups, false, uses).add(s.stack == Stack::decoder);
    if (two) StackCounter(out, s, s.decoder_depth, s.decoder_depth, true, uses).add(true);
    add_outputs(out, s, uses);
    return out;
}

}  // namespace plimsoll::arch

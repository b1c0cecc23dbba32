#include "plimsoll/audit/models/predicted_count.h"

#include <algorithm>

#include "plimsoll/base/format.h"

namespace plimsoll::audit {
namespace {

using arch::Count;
using formats::ModelKind;
using formats::ModelShape;
using formats::QueryKeyNorm;

Count of(const ModelShape::Number& number) { return number ? Count(*number) : Count(); }

Count if_on(bool on, Count count) { return on ? count : Count(); }

// A matrix, with its bias where there is one.
Count dense(Count in, Count out, bool bias) { return in * out + if_on(bias, out); }

// One attention of a layer, norms inside it apart.
struct Attention {
    Count projections, norms;
};

class Counter {
  public:
    explicit Counter(const ModelShape& shape) : s_(shape), t_(shape.tensors) {}

    PredictedCount count() {
        add_inputs();
        if (s_.kind == ModelKind::mixer && t_.own.empty()) add_mixer();
        if (s_.kind != ModelKind::mixer) add_stacks();
        for (const auto& own : t_.own) add(part_of(own.part), own.count);
        add_outputs();
        out_.exact = t_.known;
        out_.whole = s_.part.empty();
        out_.note = note();
        return out_;
    }

  private:
    // Parts of one family alone keep their name only where the report has it.
    static std::string part_of(const std::string& own) {
        for (const auto* name : {"attention", "feed-forward", "head", "positions", "norms"}) {
            if (own == name) return own;
        }
        return "other";
    }

    void add(std::string_view part, Count parameters) {
        out_.parameters += parameters;
        if (parameters == Count()) return;
        const auto found = std::ranges::find(out_.parts, part, &CountedPart::name);
        if (found != out_.parts.end()) {
            found->parameters += parameters;
        } else {
            out_.parts.push_back({std::string(part), parameters});
        }
    }

    [[nodiscard]] Count width() const { return of(s_.width); }
    [[nodiscard]] Count norm(Count size) const { return Count(t_.norm_vectors) * size; }
    // Where positions and segments are added.
    [[nodiscard]] Count added_width() const {
        return t_.positions_in_rank && s_.embedding_rank ? of(s_.embedding_rank) : width();
    }

    [[nodiscard]] Attention latent() const {
        const Count heads = of(s_.heads), value = of(s_.value_head_dim), rank = of(s_.kv_lora_rank);
        const Count rope = of(s_.rope_head_dim), rest = of(s_.head_dim) - rope;
        Attention a;
        a.projections = dense(width(), rank + rope, t_.key_bias) + rank * heads * (rest + value) +
                        dense(heads * value, width(), t_.output_bias);
        a.norms = rank;
        if (s_.q_lora_rank) {
            a.projections += dense(width(), of(s_.q_lora_rank), t_.query_bias);
            a.projections += of(s_.q_lora_rank) * heads * of(s_.head_dim);
            a.norms += of(s_.q_lora_rank);
        } else {
            a.projections += width() * heads * of(s_.head_dim);
        }
        return a;
    }

    [[nodiscard]] Attention plain() const {
        const Count queries = of(s_.heads) * of(s_.head_dim), keys = of(s_.kv_heads) * of(s_.head_dim);
        Attention a;
        a.projections = dense(width(), queries, t_.query_bias) + dense(width(), keys, t_.key_bias) +
                        dense(width(), keys, t_.value_bias) + dense(queries, width(), t_.output_bias);
        if (t_.qk_norm == QueryKeyNorm::head) a.norms = Count(2) * norm(of(s_.head_dim));
        if (t_.qk_norm == QueryKeyNorm::full) a.norms = norm(queries + keys);
        a.projections += if_on(t_.sinks, of(s_.heads));
        return a;
    }

    [[nodiscard]] Count feed_forward(Count hidden) const {
        return Count(s_.ffn_matrices.value_or(2) - 1) * dense(width(), hidden, t_.ffn_bias) +
               dense(hidden, width(), t_.ffn_bias);
    }

    [[nodiscard]] Count expert_layer() const {
        const Count experts = of(s_.experts), one = feed_forward(of(s_.expert_ffn));
        Count sum = experts * one + dense(width(), experts, t_.router_bias);
        if (s_.shared_experts) {
            sum +=
                s_.shared_expert_ffn ? feed_forward(of(s_.shared_expert_ffn)) : of(s_.shared_experts) * one;
            sum += if_on(t_.shared_gate, width());
        }
        return sum;
    }

    void add_attention(Count layers) {
        const Attention a = s_.kv_lora_rank ? latent() : plain();
        add("attention", layers * a.projections);
        add("norms", layers * a.norms);
    }

    void add_feed_forward(Count layers, Count hidden) {
        const Count routed = s_.experts ? std::min(layers, of(s_.expert_layers)) : Count();
        if (routed != Count()) add("feed-forward", routed * expert_layer());
        add("feed-forward", (layers - routed) * feed_forward(hidden));
    }

    // Mamba: input and output projections, a short convolution, and what makes the recurrence.
    [[nodiscard]] Count state_layer() const {
        const auto& m = s_.state_space;
        const Count inner = m.inner, state = of(s_.state_size), kernel = m.conv_kernel;
        Count sum = dense(inner, width(), m.projection_bias);
        if (m.version == 1) {
            const Count rank = m.step_rank;
            sum += dense(width(), Count(2) * inner, m.projection_bias) + dense(kernel, inner, m.conv_bias);
            sum += inner * (rank + Count(2) * state) + dense(rank, inner, true) + inner * state + inner;
            return sum + if_on(m.inner_norms, rank + Count(2) * state);
        }
        const Count mixed = inner + Count(2) * Count(m.groups) * state, heads = m.heads;
        sum += dense(width(), inner + mixed + heads, m.projection_bias) + dense(kernel, mixed, m.conv_bias);
        return sum + Count(3) * heads + inner;
    }

    [[nodiscard]] bool own_has(std::string_view part) const {
        return std::ranges::any_of(t_.own, [&](const auto& own) { return own.part == part; });
    }

    // A stack of layers; those of a decoder with an encoder attend twice.
    void add_stack(Count layers, bool cross, Count hidden) {
        Count attention_layers = layers;
        if (s_.kind == ModelKind::state_space) attention_layers = 0;
        if (s_.kind == ModelKind::hybrid) attention_layers = std::min(layers, of(s_.attention_layers));
        if (attention_layers != layers) add("state space", (layers - attention_layers) * state_layer());
        if (!own_has("attention")) add_attention(attention_layers * Count(cross ? 2 : 1));
        if (s_.kind != ModelKind::state_space && !own_has("feed-forward")) add_feed_forward(layers, hidden);
        const Count norms = Count(t_.norms_per_layer) + Count(cross ? t_.norms_per_layer / 2 : 0);
        add("norms", layers * norms * norm(width()));
        add("norms", if_on(t_.final_norm, norm(width())));
    }

    void add_stacks() {
        const Count layers = s_.layer_groups ? of(s_.layer_groups) : of(s_.depth);
        add_stack(layers, false, of(s_.ffn));
        if (s_.kind == ModelKind::encoder_decoder) {
            add_stack(of(s_.decoder_depth), true, s_.decoder_ffn ? of(s_.decoder_ffn) : of(s_.ffn));
        }
    }

    void add_mixer() {
        const Count tokens = of(s_.tokens), depth = of(s_.depth);
        const Count token = of(s_.token_ffn), channel = of(s_.channel_ffn);
        add("token mixing", depth * (dense(tokens, token, true) + dense(token, tokens, true)));
        add("channel mixing", depth * (dense(width(), channel, true) + dense(channel, width(), true)));
        add("norms", (Count(2) * depth + Count(1)) * norm(width()));
    }

    void add_tokens() {
        const Count vocab = of(s_.vocab);
        if (!s_.embedding_rank) {
            add("embedding", vocab * width());
            return;
        }
        add("embedding",
            vocab * of(s_.embedding_rank) + dense(of(s_.embedding_rank), width(), t_.factor_bias));
    }

    void add_inputs() {
        const Count stacks = s_.kind == ModelKind::encoder_decoder ? 2 : 1;
        if (s_.vocab) add_tokens();
        if (s_.patch_height) {
            const Count patch = of(s_.patch_height) * of(s_.patch_width) * of(s_.channels) *
                                (s_.patch_depth ? of(s_.patch_depth) : Count(1));
            add("embedding", dense(patch, width(), t_.patch_bias) + Count(t_.extra_tokens) * width());
        }
        add("positions", Count(t_.position_rows) * added_width());
        add("positions", Count(t_.bias_buckets) * Count(t_.bias_tables) * of(s_.heads));
        add("embedding", Count(t_.segments) * added_width());
        add("norms", if_on(t_.embedding_norm, stacks * norm(added_width())));
    }

    void add_outputs() {
        if (t_.pooler) add("head", dense(width(), width(), true));
        if (t_.classes > 0) add("head", dense(width(), Count(t_.classes), t_.head_bias));
        if (!t_.head || !s_.vocab) return;
        const bool tied = s_.tied.value_or(true);
        const Count in = s_.output_rank      ? of(s_.output_rank)
                         : s_.embedding_rank ? of(s_.embedding_rank)
                                             : width();
        if (in != width()) add("head", width() * in);
        add("head", if_on(!tied, in * of(s_.vocab)) + if_on(t_.head_bias, of(s_.vocab)));
    }

    [[nodiscard]] std::string note() const {
        std::string words = s_.part.empty() ? "" : s_.part + " alone, ";
        words += t_.known ? "" : "an estimate: the tensors of this family are not known here; ";
        if (t_.classes > 0) return words + fmt::format("with a classifier of {} classes", t_.classes);
        if (t_.head && s_.vocab)
            return words + (s_.tied.value_or(true) ? "the head is the token table" : "with its head");
        return words + "without a task head";
    }

    const ModelShape& s_;
    const formats::TensorFacts& t_;
    PredictedCount out_;
};

// The first size without which nothing can be counted.
std::string missing_size(const ModelShape& s) {
    if (!s.depth) return "depth";
    if (!s.width) return "width";
    if (s.kind == ModelKind::mixer && s.tensors.own.empty() && !(s.tokens && s.token_ffn && s.channel_ffn)) {
        return "size of the mixing layers";
    }
    if (s.kind == ModelKind::mixer) return "";
    if (s.kind != ModelKind::state_space && !(s.heads && s.head_dim && s.kv_heads)) return "head size";
    if (s.kind != ModelKind::state_space && !s.ffn && !s.experts) return "feed-forward size";
    if (s.kind == ModelKind::encoder_decoder && !s.decoder_depth) return "depth of the decoder";
    if (s.kv_lora_rank && (!s.value_head_dim || s.rope_head_dim.value_or(0) > *s.head_dim))
        return "size of a value head";
    if (s.kind == ModelKind::hybrid && !s.attention_layers) return "number of layers that attend";
    return "";
}

}  // namespace

std::string why_no_sizes(const ModelShape& shape) {
    if (shape.kind == ModelKind::unknown || shape.kind == ModelKind::mlp)
        return "the kind of network is not known";
    if (!shape.tensors.no_count.empty()) return shape.tensors.no_count;
    const bool states = shape.kind == ModelKind::state_space || shape.kind == ModelKind::hybrid;
    if (states && (shape.state_space.version == 0 || !shape.state_size))
        return "this kind of state-space layer is not counted";
    const std::string missing = missing_size(shape);
    if (!missing.empty()) return "the " + missing + " is not known";
    if (!shape.vocab && !shape.patch_height && !shape.input_dim) return "the size of the input is not known";
    return "";
}

std::optional<PredictedCount> parameters_by_sizes(const ModelShape& shape) {
    if (!why_no_sizes(shape).empty()) return std::nullopt;
    return Counter(shape).count();
}

namespace {

PredictedCount as_predicted(const ModelShape& shape) {
    PredictedCount out;
    out.parameters = shape.by_class->parameters;
    for (const auto& part : shape.by_class->parts) out.parts.push_back({part.part, part.count});
    out.exact = shape.class_named.empty() || shape.class_named == shape.by_class->class_name;
    out.note = "as " + shape.by_class->class_name;
    if (!out.exact) out.note += ", where the file names " + shape.class_named;
    return out;
}

}  // namespace

std::string why_no_count(const ModelShape& shape) {
    if (shape.by_class) return "";
    const std::string why = why_no_sizes(shape);
    return why.empty() || shape.why_not_by_class.empty() ? why : shape.why_not_by_class;
}

std::optional<PredictedCount> predicted_parameters(const ModelShape& shape) {
    const bool named =
        shape.by_class && (shape.class_named.empty() || shape.class_named == shape.by_class->class_name);
    if (named) return as_predicted(shape);
    auto counted = parameters_by_sizes(shape);
    if (shape.by_class && !(counted && counted->exact && counted->whole)) return as_predicted(shape);
    return counted;
}

}  // namespace plimsoll::audit

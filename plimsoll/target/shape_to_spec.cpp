#include <array>

#include "plimsoll/arch/count.h"
#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/target/spec_shape.h"

namespace plimsoll::target {
namespace {

using formats::ModelKind;
using formats::ModelShape;
using formats::QueryKeyNorm;

// The text of a spec, key by key.
class SpecText {
  public:
    explicit SpecText(std::string family) : text_(std::move(family)) {}

    void add(std::string_view key, std::string_view value) {
        text_ += fmt::format("{}{}={}", first_ ? ":" : ",", key, value);
        first_ = false;
    }
    void add(std::string_view key, std::int64_t value) { add(key, std::to_string(value)); }
    void add(std::string_view key, const ModelShape::Number& value) {
        if (value) add(key, *value);
    }
    void flag(std::string_view key, bool value) { add(key, value ? "on" : "off"); }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
    bool first_ = true;
};

// A property of a shape that no key of a spec says.
struct Obstacle {
    bool (*there)(const ModelShape&);
    const char* words;
};

std::int64_t stacks_of(const ModelShape& s) { return s.kind == ModelKind::encoder_decoder ? 2 : 1; }

// Layers with experts that no "dense_first" and no "expert_every" gives.
bool has_odd_routing(const ModelShape& s) {
    if (!s.experts || !s.depth) return false;
    const std::int64_t depth = *s.depth, routed = s.expert_layers.value_or(depth);
    return routed < 1 || routed > depth ||
           (routed != depth - s.dense_layers.value_or(0) && depth / (depth / routed) != routed);
}

constexpr std::array obstacles{
    Obstacle{[](const ModelShape& s) { return !s.tensors.known; },
             "the tensors of this family are not known here"},
    Obstacle{[](const ModelShape& s) { return !s.tensors.own.empty(); },
             "it has tensors that no key of a spec describes"},
    Obstacle{[](const ModelShape& s) { return s.tensors.norm_vectors == 0; },
             "its norms have no parameters, and norm=none would leave them out"},
    Obstacle{[](const ModelShape& s) {
                 const auto& t = s.tensors;
                 return t.query_bias != t.key_bias || t.key_bias != t.value_bias;
             },
             "its queries, keys and values are not biased alike"},
    Obstacle{[](const ModelShape& s) { return s.tensors.shared_gate; }, "its shared expert has a gate"},
    Obstacle{[](const ModelShape& s) { return s.decoder_ffn.has_value(); },
             "its decoder has another feed-forward size than its encoder"},
    Obstacle{[](const ModelShape& s) { return s.tensors.position_rows % stacks_of(s) != 0; },
             "its two stacks have position tables of different lengths"},
    Obstacle{[](const ModelShape& s) { return s.tensors.bias_tables > stacks_of(s); },
             "every layer has a table of relative positions"},
    Obstacle{[](const ModelShape& s) { return s.patch_depth.has_value(); },
             "its patches span several frames"},
    Obstacle{has_odd_routing, "its layers with experts follow no period"},
};

void add_experts(const ModelShape& s, SpecText& out) {
    if (!s.experts) return;
    const std::int64_t depth = *s.depth, routed = s.expert_layers.value_or(depth);
    out.add("experts", s.experts);
    out.add("experts_active", s.experts_active);
    out.add("expert_ffn", s.expert_ffn);
    if (s.shared_expert_ffn) {
        out.add("experts_shared", 1);
        out.add("shared_ffn", s.shared_expert_ffn);
    } else {
        out.add("experts_shared", s.shared_experts);
    }
    if (routed == depth) return;
    if (routed == depth - s.dense_layers.value_or(0)) return out.add("dense_first", s.dense_layers);
    out.add("expert_every", depth / routed);
}

void add_attention(const ModelShape& s, SpecText& out) {
    out.add("heads", s.heads);
    out.add("head_dim", s.head_dim);
    out.add("kv_heads", s.kv_heads);
    if (s.kv_lora_rank) {
        out.add("kv_rank", s.kv_lora_rank);
        out.add("q_rank", s.q_lora_rank);
        out.add("rope_dim", s.rope_head_dim);
        out.add("value_dim", s.value_head_dim);
    }
    if (s.tensors.qk_norm == QueryKeyNorm::head) out.add("qk_norm", "head");
    if (s.tensors.qk_norm == QueryKeyNorm::full) out.add("qk_norm", "full");
    if (s.tensors.sinks) out.flag("sinks", true);
}

void add_norms(const ModelShape& s, SpecText& out) {
    const auto& t = s.tensors;
    out.add("norm", t.norm_vectors == 2 ? "layer" : "rms");
    if (t.norms_per_layer == 4) out.add("norm_order", "both");
    if (t.norms_per_layer != 4 && t.post_norm) out.add("norm_order", "post");
    if (t.parallel || t.norms_per_layer == 1) out.add("order", "parallel");
    if (t.norms_per_layer == 1) out.flag("shared_norm", true);
    out.flag("final_norm", t.final_norm);
    if (t.embedding_norm) out.flag("embedding_norm", true);
}

std::string position_word(const std::string& positions) {
    if (positions == "rotary") return "rope";
    return positions.empty() ? "none" : positions;
}

void add_positions(const ModelShape& s, SpecText& out) {
    const auto& t = s.tensors;
    out.add("positions", position_word(s.positions));
    if (t.position_rows > 0)
        out.add("context", t.position_rows / stacks_of(s));
    else
        out.add("context", s.context);
    if (t.bias_buckets > 0) out.add("position_buckets", t.bias_buckets);
    if (t.segments > 0) out.add("segments", t.segments);
}

void add_tables(const ModelShape& s, SpecText& out) {
    out.add("vocab", s.vocab);
    if (s.patch_height) {
        out.add("patch", s.patch_height);
        out.add("patch_width", s.patch_width);
        out.add("image", s.image_height);
        out.add("image_width", s.image_width);
        out.add("image_channels", s.channels);
    }
    if (s.embedding_rank) out.add("embedding_rank", s.embedding_rank);
    if (s.tensors.factor_bias && s.embedding_rank) out.flag("factor_bias", true);
    if (s.tensors.positions_in_rank && s.embedding_rank) out.flag("positions_in_rank", true);
    if (s.patch_height && s.tensors.extra_tokens != 1) out.add("extra_tokens", s.tensors.extra_tokens);
}

void add_biases(const ModelShape& s, SpecText& out) {
    const auto& t = s.tensors;
    out.flag("qkv_bias", t.query_bias);
    out.flag("out_bias", t.output_bias);
    out.flag("ffn_bias", t.ffn_bias);
    if (t.router_bias && s.experts) out.flag("router_bias", true);
    if (s.patch_height) out.flag("patch_bias", t.patch_bias);
}

void add_head(const ModelShape& s, SpecText& out) {
    const auto& t = s.tensors;
    if (t.pooler) out.flag("pooler", true);
    if (t.classes > 0) {
        out.add("classes", t.classes);
        return out.flag("head_bias", t.head_bias);
    }
    if (!t.head || !s.vocab) return out.add("head", "none");
    const bool tied = s.tied.value_or(true);
    out.flag("tied", tied);
    if (!tied) out.add("head_rank", s.output_rank ? s.output_rank : s.embedding_rank);
    if (t.head_bias) out.flag("head_bias", true);
}

std::string transformer_text(const ModelShape& s) {
    SpecText out("transformer");
    out.add("depth", s.depth);
    out.add("width", s.width);
    if (s.kind == ModelKind::encoder) out.add("stack", "encoder");
    if (s.kind == ModelKind::decoder) out.add("stack", "decoder");
    if (s.kind == ModelKind::encoder_decoder) out.add("stack", "encoder-decoder");
    out.add("decoder_depth", s.kind == ModelKind::encoder_decoder ? s.decoder_depth : ModelShape::Number());
    out.add("layer_groups", s.layer_groups);
    add_attention(s, out);
    out.add("ffn", s.ffn);
    out.add("ffn_matrices", s.ffn_matrices);
    add_experts(s, out);
    add_norms(s, out);
    add_tables(s, out);
    add_positions(s, out);
    add_biases(s, out);
    add_head(s, out);
    return out.text();
}

std::string mixer_text(const ModelShape& s) {
    SpecText out("mixer");
    out.add("depth", s.depth);
    out.add("channels", s.width);
    out.add("tokens", s.tokens);
    out.add("token_hidden", s.token_ffn);
    out.add("channel_hidden", s.channel_ffn);
    if (s.patch_height) {
        out.add("patch", s.patch_height);
        out.add("patch_width", s.patch_width);
        out.add("image", s.image_height);
        out.add("image_width", s.image_width);
        out.add("image_channels", s.channels);
    }
    if (s.tensors.classes > 0) out.add("classes", s.tensors.classes);
    return out.text();
}

// Why there is no spec; empty when nothing is in the way.
std::string obstacle_of(const ModelShape& s) {
    if (const std::string reason = audit::why_no_sizes(s); !reason.empty()) return reason;
    const bool layers = s.kind == ModelKind::decoder || s.kind == ModelKind::encoder ||
                        s.kind == ModelKind::encoder_decoder || s.kind == ModelKind::mixer;
    if (!layers) return fmt::format("no family of specs is a {} network", name_of(s.kind));
    if (!s.vocab && !s.patch_height) return "its input is neither tokens nor patches";
    for (const auto& obstacle : obstacles)
        if (obstacle.there(s)) return obstacle.words;
    return "";
}

}  // namespace

Result<arch::ArchSpec> spec_from_shape(const ModelShape& shape) {
    const auto none = [&](const std::string& reason) {
        return unsupported(shape.name, "no spec describes it: " + reason);
    };
    if (const std::string reason = obstacle_of(shape); !reason.empty()) return none(reason);
    auto spec =
        arch::parse_spec(shape.kind == ModelKind::mixer ? mixer_text(shape) : transformer_text(shape));
    if (!spec.ok()) return none(spec.error().text());
    const auto predicted = audit::parameters_by_sizes(shape);
    const arch::Count counted = arch::parameter_count(*spec);
    if (predicted && predicted->parameters != counted)
        return none(fmt::format("the nearest has {} parameters, not {}", counted.grouped(),
                                predicted->parameters.grouped()));
    return spec;
}

}  // namespace plimsoll::target

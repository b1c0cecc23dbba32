#include <variant>

#include "plimsoll/arch/count.h"
#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/target/spec_shape.h"

namespace plimsoll::target {
namespace {

using formats::ModelKind;
using formats::ModelShape;
using formats::QueryKeyNorm;

// 0 stands for "none" in a spec.
ModelShape::Number unless_zero(std::int64_t value) {
    return value == 0 ? ModelShape::Number() : ModelShape::Number(value);
}

int norm_vectors(arch::Norm norm, bool bias) {
    if (norm == arch::Norm::none) return 0;
    return norm == arch::Norm::layer && bias ? 2 : 1;
}

ModelKind kind_of(arch::Stack stack) {
    if (stack == arch::Stack::encoder_decoder) return ModelKind::encoder_decoder;
    return stack == arch::Stack::encoder ? ModelKind::encoder : ModelKind::decoder;
}

std::string_view name_of(arch::PositionKind positions) {
    switch (positions) {
        case arch::PositionKind::none:
            return "none";
        case arch::PositionKind::learned:
            return "learned";
        case arch::PositionKind::sinusoidal:
            return "sinusoidal";
        case arch::PositionKind::rope:
            return "rotary";
        case arch::PositionKind::alibi:
            return "alibi";
        case arch::PositionKind::relative:
            return "relative";
    }
    return "";
}

void set_image(const arch::ImageInput& image, ModelShape& shape) {
    if (!image.used()) return;
    shape.patch_height = image.patch, shape.patch_width = image.patch_width;
    shape.image_height = image.image, shape.image_width = image.image_width;
    shape.channels = image.image_channels;
    shape.tokens = image.patches();
}

void set_attention(const arch::TransformerSpec& s, ModelShape& shape) {
    shape.heads = s.heads, shape.kv_heads = s.kv_heads, shape.head_dim = s.head_dim;
    shape.kv_lora_rank = unless_zero(s.kv_rank);
    shape.q_lora_rank = unless_zero(s.q_rank);
    shape.rope_head_dim = unless_zero(s.rope_dim);
    if (s.kv_rank > 0) shape.value_head_dim = s.value_dim;
    auto& t = shape.tensors;
    t.query_bias = t.key_bias = t.value_bias = s.qkv_bias;
    t.output_bias = s.out_bias;
    t.sinks = s.sinks;
    if (s.qk_norm == arch::QkNorm::head) t.qk_norm = QueryKeyNorm::head;
    if (s.qk_norm == arch::QkNorm::full) t.qk_norm = QueryKeyNorm::full;
}

void set_feed_forward(const arch::TransformerSpec& s, ModelShape& shape) {
    shape.ffn = s.ffn, shape.ffn_matrices = s.ffn_matrices;
    shape.tensors.ffn_bias = s.ffn_bias;
    shape.tensors.router_bias = s.router_bias;
    if (s.experts == 0) return;
    shape.experts = s.experts, shape.experts_active = s.experts_active;
    shape.expert_ffn = s.expert_ffn;
    shape.expert_layers = arch::routed_layers(s, s.depth);
    shape.dense_layers = unless_zero(s.dense_first);
    shape.shared_experts = unless_zero(s.experts_shared);
    shape.shared_expert_ffn = unless_zero(s.experts_shared * s.shared_ffn);
}

void set_norms(const arch::TransformerSpec& s, ModelShape& shape) {
    auto& t = shape.tensors;
    t.norm_vectors = norm_vectors(s.norm, s.norm_bias);
    const int sublayers = s.shared_norm || (s.ffn == 0 && s.experts == 0) ? 1 : 2;
    t.norms_per_layer = sublayers * (s.norm_order == arch::NormOrder::both ? 2 : 1);
    t.final_norm = s.final_norm;
    t.embedding_norm = s.embedding_norm;
    t.post_norm = s.norm_order == arch::NormOrder::post;
    t.parallel = s.order == arch::LayerOrder::parallel;
}

void set_inputs(const arch::TransformerSpec& s, ModelShape& shape) {
    auto& t = shape.tensors;
    const std::int64_t stacks = s.stack == arch::Stack::encoder_decoder ? 2 : 1;
    shape.vocab = unless_zero(s.vocab);
    shape.embedding_rank = unless_zero(s.embedding_rank);
    set_image(s.image, shape);
    shape.context = s.context;
    shape.positions = name_of(s.positions);
    shape.positional_rank = unless_zero(s.position_rank);
    const bool table = s.positions == arch::PositionKind::learned && s.position_rank == 0;
    t.position_rows = table ? stacks * s.context : 0;
    t.bias_buckets = s.position_buckets;
    t.bias_tables = s.position_buckets > 0 ? stacks : 0;
    t.segments = s.segments;
    t.extra_tokens = s.extra_tokens;
    t.patch_bias = s.patch_bias;
    t.factor_bias = s.factor_bias;
    t.positions_in_rank = s.positions_in_rank;
}

void set_outputs(const arch::TransformerSpec& s, ModelShape& shape) {
    auto& t = shape.tensors;
    t.head = s.head == arch::HeadKind::vocab;
    t.head_bias = s.head_bias;
    t.classes = s.classes;
    t.pooler = s.pooler;
    if (s.head == arch::HeadKind::vocab) shape.tied = s.tied;
    if (!s.tied) shape.output_rank = unless_zero(s.head_rank);
}

void set_numbers(const arch::TransformerSpec& s, ModelShape& shape) {
    shape.kind = kind_of(s.stack);
    shape.depth = s.depth, shape.width = s.width;
    shape.decoder_depth = unless_zero(s.decoder_depth);
    if (s.layer_groups < s.depth) shape.layer_groups = s.layer_groups;
    set_attention(s, shape);
    set_feed_forward(s, shape);
    set_norms(s, shape);
    set_inputs(s, shape);
    set_outputs(s, shape);
}

void set_numbers(const arch::MixerSpec& s, ModelShape& shape) {
    shape.kind = ModelKind::mixer;
    shape.depth = s.depth, shape.width = s.channels, shape.tokens = s.tokens;
    if (!s.simple) shape.token_ffn = s.token_hidden, shape.channel_ffn = s.channel_hidden;
    set_image(s.image, shape);
    shape.tokens = s.tokens;
    shape.vocab = unless_zero(s.vocab);
    if (s.vocab > 0) shape.tied = s.tied;
    auto& t = shape.tensors;
    t.norm_vectors = norm_vectors(s.norm, s.norm_bias);
    t.head = s.vocab_head;
    t.classes = s.classes;
    t.patch_bias = t.head_bias = s.bias;
}

void set_numbers(const arch::AttentionSpec& s, ModelShape& shape) {
    shape.kind = ModelKind::decoder;
    shape.depth = s.depth, shape.width = s.width;
    shape.heads = shape.kv_heads = s.heads, shape.head_dim = s.head_dim;
    shape.ffn = 0, shape.ffn_matrices = 2;
    shape.context = s.context;
    if (s.embedding == arch::InputEmbedding::vocab) shape.vocab = s.vocab;
    if (s.embedding == arch::InputEmbedding::conv) shape.input_dim = s.vocab;
    if (s.embedding == arch::InputEmbedding::none) shape.input_dim = s.width;
    if (shape.vocab && s.embedding_rank < s.width) shape.embedding_rank = s.embedding_rank;
    shape.tensors.norm_vectors = 0;
    shape.tensors.head = false;
}

// The others have neither layers of attention nor blocks of a mixer.
template <class Spec>
void set_numbers(const Spec& /*spec*/, ModelShape& shape) {
    shape.kind = ModelKind::mlp;
}

// What a spec has beyond the facts of a shape: a transformed head, branches of a family of its own.
void add_rest(const arch::ArchSpec& spec, ModelShape& shape) {
    shape.tensors.known = true;
    const auto predicted = audit::parameters_by_sizes(shape);
    if (!predicted) return;
    const arch::Count exact = arch::parameter_count(spec);
    shape.tensors.known = predicted->parameters <= exact;
    if (predicted->parameters < exact) shape.tensors.own.push_back({"other", exact - predicted->parameters});
}

}  // namespace

ModelShape shape_from_spec(const arch::ArchSpec& spec, const std::string& name) {
    ModelShape shape;
    shape.name = name;
    shape.family = arch::family_name(spec);
    std::visit([&](const auto& one) { set_numbers(one, shape); }, spec);
    add_rest(spec, shape);
    return shape;
}

}  // namespace plimsoll::target

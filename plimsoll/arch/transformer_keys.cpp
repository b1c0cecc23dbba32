#include "plimsoll/arch/transformer_keys.h"

#include <algorithm>

#include "plimsoll/arch/gated_ffn.h"
#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/rules.h"

namespace plimsoll::arch {
namespace {

using TransformerDraft = Draft<TransformerSpec>;
using TransformerKeys = KeyTable<TransformerSpec>;
using TransformerInt = Default<std::int64_t, TransformerSpec>;
using TransformerFlag = Default<bool, TransformerSpec>;

// A default that is a formula of the keys before it.
TransformerInt formula(std::string words, std::function<std::int64_t(const TransformerSpec&)> rule) {
    return {std::move(words), [rule = std::move(rule)](const TransformerDraft& d) -> Result<std::int64_t> {
                return rule(d.spec);
            }};
}

TransformerFlag flag(std::string words, std::function<bool(const TransformerSpec&)> rule) {
    return {std::move(words),
            [rule = std::move(rule)](const TransformerDraft& d) -> Result<bool> { return rule(d.spec); }};
}

template <class E>
Default<E, TransformerSpec> kind(std::string words, std::function<E(const TransformerSpec&)> rule) {
    return {std::move(words),
            [rule = std::move(rule)](const TransformerDraft& d) -> Result<E> { return rule(d.spec); }};
}

TransformerFlag like_bias() {
    return {"bias", [](const TransformerDraft& d) -> Result<bool> { return d.shorthand("bias", 1) != 0; }};
}

TransformerFlag patch_like_bias() {
    return {"bias, with patches", [](const TransformerDraft& d) -> Result<bool> {
                return d.spec.image.used() && d.shorthand("bias", 1) != 0;
            }};
}

std::int64_t all_positions(const TransformerSpec& s) {
    return s.image.used() ? s.image.patches() + s.extra_tokens : 1024;
}

void add_transformer_shape(TransformerKeys& keys) {
    keys.integer("depth", &TransformerSpec::depth, {1, max_depth}, required,
                 "layers (of the encoder in an encoder-decoder)");
    keys.integer("width", &TransformerSpec::width, {1, max_width}, required, "numbers per position, d");
    keys.integer("heads", &TransformerSpec::heads, {1, max_heads}, required, "attention heads of a layer");
    keys.integer("vocab", &TransformerSpec::vocab, {1, max_vocab, true}, 0, "tokens of the vocabulary");
    add_image_keys<TransformerSpec>(keys, &TransformerSpec::image, 0);
    keys.integer("classes", &TransformerSpec::classes, {1, max_classes, true}, 0, "classes of a classifier");
    keys.choice<Stack>("stack", &TransformerSpec::stack, {"decoder", "encoder", "encoder-decoder"},
                       kind<Stack>("encoder for patches, else decoder",
                                   [](const TransformerSpec& s) {
                                       return s.image.used() ? Stack::encoder : Stack::decoder;
                                   }),
                       "causal, bidirectional, or both with cross-attention");
    keys.integer(
        "decoder_depth", &TransformerSpec::decoder_depth, {1, max_depth, true},
        formula("depth in an encoder-decoder",
                [](const TransformerSpec& s) { return s.stack == Stack::encoder_decoder ? s.depth : 0; }),
        "decoder layers of an encoder-decoder");
    keys.integer("layer_groups", &TransformerSpec::layer_groups, {1, max_depth},
                 formula("depth", [](const TransformerSpec& s) { return s.depth; }),
                 "distinct layers; fewer than depth share weights (ALBERT: 1)");
    keys.choice<LayerOrder>("order", &TransformerSpec::order, {"interleaved", "attention-first", "parallel"},
                            LayerOrder::interleaved, "order of attention and feed-forward layers");
}

void add_attention(TransformerKeys& keys) {
    const TransformerInt whole_head{"width / heads",
                                    [](const TransformerDraft& d) { return head_dim_of(d.spec); }};
    keys.integer("head_dim", &TransformerSpec::head_dim, {1, max_width}, whole_head,
                 "query and key dimension of a head; heads * head_dim may differ from width");
    keys.integer("kv_heads", &TransformerSpec::kv_heads, {1, max_heads},
                 formula("heads", [](const TransformerSpec& s) { return s.heads; }),
                 "key and value heads (GQA, MQA)");
    keys.integer("kv_rank", &TransformerSpec::kv_rank, {1, max_width, true}, 0,
                 "latent of keys and values; makes it MLA");
    keys.integer("q_rank", &TransformerSpec::q_rank, {1, max_width, true}, 0, "latent of queries (MLA)");
    keys.integer("rope_dim", &TransformerSpec::rope_dim, {1, max_width, true}, 0,
                 "rotated part of head_dim, one key for all heads (MLA)");
    keys.integer(
        "value_dim", &TransformerSpec::value_dim, {1, max_width},
        formula("head_dim - rope_dim",
                [](const TransformerSpec& s) { return std::max<std::int64_t>(1, s.head_dim - s.rope_dim); }),
        "value dimension of a head");
    keys.choice<AttentionKind>("attention", &TransformerSpec::attention, {"softmax", "linear"},
                               AttentionKind::softmax, "linear: scores are used as they are");
    keys.choice<QkNorm>("qk_norm", &TransformerSpec::qk_norm, {"none", "head", "full"}, QkNorm::none,
                        "norms of queries and keys");
    keys.flag("sinks", &TransformerSpec::sinks, false, "one learned logit per head beside the scores");
}

// Four times the width, or times heads * head_dim when ffn_scaled is given (ERRATA E29).
Result<std::int64_t> usual_ffn(const TransformerDraft& d) {
    const bool scaled = d.shorthand("ffn_scaled", 0) != 0;
    return 4 * (scaled ? d.spec.heads * d.spec.head_dim : d.spec.width);
}

std::int64_t routed_only(const TransformerSpec& s, std::int64_t value) { return s.experts > 0 ? value : 0; }

void add_feed_forward(TransformerKeys& keys) {
    keys.switch_shorthand(
        "ffn_scaled", "off", [](const TransformerSpec&) { return false; },
        "on: ffn defaults to 4 * heads * head_dim (Wies et al.)");
    keys.integer("ffn", &TransformerSpec::ffn, {1, max_hidden, true}, TransformerInt{"4 * width", usual_ffn},
                 "hidden width of the feed-forward layer");
    keys.integer("ffn_matrices", &TransformerSpec::ffn_matrices, {2, 3}, 2, "3: gated (GLU)");
    keys.choice<Activation>("activation", &TransformerSpec::activation, activation_names(), Activation::gelu,
                            "of the feed-forward layer");
    keys.integer("experts", &TransformerSpec::experts, {1, max_experts, true}, 0, "routed experts per layer");
    keys.integer("experts_active", &TransformerSpec::experts_active, {1, max_experts, true},
                 formula("min(2, experts)",
                         [](const TransformerSpec& s) { return std::min<std::int64_t>(2, s.experts); }),
                 "routed experts per token");
    keys.integer("experts_shared", &TransformerSpec::experts_shared, {1, max_experts, true}, 0,
                 "experts that every token uses");
    keys.integer("expert_ffn", &TransformerSpec::expert_ffn, {1, max_hidden, true},
                 formula("ffn", [](const TransformerSpec& s) { return routed_only(s, s.ffn); }),
                 "hidden width of a routed expert");
    keys.integer("shared_ffn", &TransformerSpec::shared_ffn, {1, max_hidden, true},
                 formula("expert_ffn",
                         [](const TransformerSpec& s) { return s.experts_shared > 0 ? s.expert_ffn : 0; }),
                 "hidden width of a shared expert");
    keys.integer("dense_first", &TransformerSpec::dense_first, {1, max_depth, true}, 0,
                 "leading layers without experts");
    keys.integer("expert_every", &TransformerSpec::expert_every, {1, max_depth}, 1,
                 "layer i (from 1) has experts when this divides i");
}

std::function<std::string(const TransformerDraft&)> always(std::string text) {
    return [text = std::move(text)](const TransformerDraft&) { return text; };
}

// Positions by rope lie on a line, patches on a grid: those keep their learned positions.
std::string modern_positions(const TransformerDraft& d) { return d.spec.image.used() ? "learned" : "rope"; }

std::string modern_ffn(const TransformerDraft& d) {
    const bool scaled = d.shorthand("ffn_scaled", 0) != 0;
    const std::int64_t width = scaled ? d.spec.heads * d.spec.head_dim : d.spec.width;
    return std::to_string(gated_ffn(width, modern_ffn_multiple));
}

// gpt2 is the table's own defaults; modern is the layer of Qwen3ForCausalLM (docs/MODELS.md, "Styles").
std::vector<Preset<TransformerSpec>> styles() {
    return {{"gpt2", {}},
            {"modern",
             {{"norm", always("rms")},
              {"positions", modern_positions},
              {"qk_norm", always("head")},
              {"ffn", modern_ffn},
              {"ffn_matrices", always("3")},
              {"activation", always("silu")},
              {"bias", always("off")}}}};
}

void add_transformer_norms(TransformerKeys& keys) {
    keys.choice<Norm>("norm", &TransformerSpec::norm, norm_names(), Norm::layer, "normalisation");
    keys.choice<NormOrder>("norm_order", &TransformerSpec::norm_order, {"pre", "post", "both"},
                           NormOrder::pre, "before each sublayer, after each sum, or around each sublayer");
    keys.flag("norm_bias", &TransformerSpec::norm_bias,
              flag("on for norm=layer", [](const TransformerSpec& s) { return s.norm == Norm::layer; }),
              "bias of layer norms");
    keys.flag("shared_norm", &TransformerSpec::shared_norm, false,
              "order=parallel: one norm for both branches");
    keys.flag("final_norm", &TransformerSpec::final_norm,
              flag("on unless norm=none or norm_order=post",
                   [](const TransformerSpec& s) {
                       return s.norm != Norm::none && s.norm_order != NormOrder::post;
                   }),
              "norm after the last layer of each stack");
    keys.flag("embedding_norm", &TransformerSpec::embedding_norm, false, "norm of the embeddings");
}

void add_embeddings(TransformerKeys& keys) {
    keys.integer("embedding_rank", &TransformerSpec::embedding_rank, {1, max_hidden, true}, 0,
                 "r: the token table is vocab x r, r x width");
    keys.flag("factor_bias", &TransformerSpec::factor_bias, false, "bias of the r x width factor");
    keys.flag("positions_in_rank", &TransformerSpec::positions_in_rank, false,
              "positions and segments are added before that factor (ALBERT)");
    keys.integer("segments", &TransformerSpec::segments, {1, max_vocab, true}, 0,
                 "rows of a segment table (BERT: 2)");
    keys.integer("extra_tokens", &TransformerSpec::extra_tokens, {1, 1'000'000, true},
                 formula("1 for patches", [](const TransformerSpec& s) { return s.image.used() ? 1 : 0; }),
                 "learned vectors beside the patches (class token)");
    keys.choice<PositionKind>("positions", &TransformerSpec::positions,
                              {"none", "learned", "sinusoidal", "rope", "alibi", "relative"},
                              kind<PositionKind>("learned if there is a token table or an image, else none",
                                                 [](const TransformerSpec& s) {
                                                     const bool table = s.vocab > 0 || s.image.used();
                                                     return table ? PositionKind::learned
                                                                  : PositionKind::none;
                                                 }),
                              "how positions enter");
    keys.integer("context", &TransformerSpec::context, {1, max_context},
                 formula("1024, or patches + extra_tokens", all_positions),
                 "rows of a learned position table; context of the FLOPs");
    keys.integer("position_rank", &TransformerSpec::position_rank, {1, max_width, true}, 0,
                 "r_e: the position table is factorised");
    keys.integer(
        "position_buckets", &TransformerSpec::position_buckets, {1, 1'000'000, true},
        formula("32 if relative",
                [](const TransformerSpec& s) { return s.positions == PositionKind::relative ? 32 : 0; }),
        "rows of the relative position table, one per stack");
}

void add_transformer_ends(TransformerKeys& keys) {
    keys.switch_shorthand(
        "bias", "on", [](const TransformerSpec& s) { return !s.out_bias && !s.ffn_bias; },
        "default of qkv_bias, out_bias, ffn_bias, patch_bias");
    keys.flag("qkv_bias", &TransformerSpec::qkv_bias, like_bias(), "bias of queries, keys and values");
    keys.flag("out_bias", &TransformerSpec::out_bias, like_bias(), "bias of the attention output");
    keys.flag("ffn_bias", &TransformerSpec::ffn_bias, like_bias(), "bias of feed-forward layers and experts");
    keys.flag("router_bias", &TransformerSpec::router_bias, false, "bias of the router");
    keys.flag("patch_bias", &TransformerSpec::patch_bias, patch_like_bias(), "bias of the patch embedding");
    keys.flag("pooler", &TransformerSpec::pooler, false, "width x width layer on the first token (BERT)");
    keys.choice<HeadKind>("head", &TransformerSpec::head, {"none", "vocab", "classes"},
                          kind<HeadKind>("classes or vocab if given, else none",
                                         [](const TransformerSpec& s) {
                                             if (s.classes > 0) return HeadKind::classes;
                                             return s.vocab > 0 ? HeadKind::vocab : HeadKind::none;
                                         }),
                          "output layer");
    keys.flag("tied", &TransformerSpec::tied,
              flag("on for head=vocab", [](const TransformerSpec& s) { return s.head == HeadKind::vocab; }),
              "the vocabulary head is the token table");
    keys.integer("head_rank", &TransformerSpec::head_rank, {1, max_hidden, true},
                 formula("embedding_rank if tied",
                         [](const TransformerSpec& s) { return s.tied ? s.embedding_rank : 0; }),
                 "the vocabulary head is width x r, r x vocab");
    keys.flag("head_transform", &TransformerSpec::head_transform, false,
              "dense layer and norm before the vocabulary head (BERT)");
    keys.flag(
        "head_bias", &TransformerSpec::head_bias,
        flag("on for head=classes", [](const TransformerSpec& s) { return s.head == HeadKind::classes; }),
        "bias of the output layer");
}

Status check_stack(const TransformerSpec& s) {
    const bool two = s.stack == Stack::encoder_decoder;
    PLIMSOLL_RETURN_IF_ERROR(together("decoder_depth", s.decoder_depth, two, "stack=encoder-decoder"));
    PLIMSOLL_RETURN_IF_ERROR(at_most("layer_groups", s.layer_groups, "depth", s.depth));
    if (two && s.layer_groups != s.depth)
        return clash("layer_groups", "must equal depth in an encoder-decoder");
    if (two && s.vocab == 0) return clash("vocab", "missing; stack=encoder-decoder needs it");
    if (s.vocab > 0 && s.image.used())
        return clash("patch", "must be none with vocab; give one kind of input");
    return check_image(s.image);
}

Status check_latent(const TransformerSpec& s) {
    if (s.kv_rank == 0) {
        PLIMSOLL_RETURN_IF_ERROR(together("q_rank", s.q_rank, false, "kv_rank (MLA)"));
        return together("rope_dim", s.rope_dim, false, "kv_rank (MLA)");
    }
    if (s.kv_heads != s.heads) return clash("kv_heads", "must equal heads with kv_rank (MLA)");
    if (s.qk_norm != QkNorm::none) return clash("qk_norm", "must be none with kv_rank (MLA)");
    if (s.rope_dim >= s.head_dim) {
        return clash("rope_dim", fmt::format("must be below head_dim {}, got {}", s.head_dim, s.rope_dim));
    }
    return {};
}

Status check_attention(const TransformerSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(divides("kv_heads", s.kv_heads, "heads", s.heads));
    PLIMSOLL_RETURN_IF_ERROR(check_latent(s));
    if (s.attention == AttentionKind::softmax) return {};
    if (s.kv_rank != 0) return clash("kv_rank", "must be none with attention=linear");
    if (s.kv_heads != s.heads) return clash("kv_heads", "must equal heads with attention=linear");
    if (s.sinks) return clash("sinks", "must be off with attention=linear");
    return {};
}

Status check_experts(const TransformerSpec& s) {
    const bool any = s.experts > 0;
    PLIMSOLL_RETURN_IF_ERROR(together("experts_active", s.experts_active, any, "experts"));
    PLIMSOLL_RETURN_IF_ERROR(together("expert_ffn", s.expert_ffn, any, "experts"));
    if (s.experts_shared > 0 && !any) return clash("experts_shared", "needs experts");
    PLIMSOLL_RETURN_IF_ERROR(together("shared_ffn", s.shared_ffn, s.experts_shared > 0, "experts_shared"));
    if (s.dense_first > 0 && !any) return clash("dense_first", "needs experts");
    if (s.expert_every > 1 && !any) return clash("expert_every", "needs experts");
    if (s.router_bias && !any) return clash("router_bias", "needs experts");
    PLIMSOLL_RETURN_IF_ERROR(at_most("experts_active", s.experts_active, "experts", s.experts));
    PLIMSOLL_RETURN_IF_ERROR(at_most("dense_first", s.dense_first, "depth", s.depth));
    const bool mixed = s.dense_first > 0 || s.expert_every > 1;
    if (mixed && s.layer_groups != s.depth)
        return clash("layer_groups", "must equal depth with dense_first or expert_every");
    if (s.ffn == 0 && any && mixed) return clash("ffn", "missing; the layers without experts need it");
    return {};
}

Status check_norms(const TransformerSpec& s) {
    if (s.norm != Norm::layer && s.norm_bias) return clash("norm_bias", "needs norm=layer");
    if (s.norm == Norm::none && s.final_norm) return clash("final_norm", "must be off with norm=none");
    if (s.norm == Norm::none && s.embedding_norm)
        return clash("embedding_norm", "must be off with norm=none");
    if (s.norm == Norm::none && s.qk_norm != QkNorm::none)
        return clash("qk_norm", "must be none with norm=none");
    if (s.norm == Norm::none && s.norm_order != NormOrder::pre) return clash("norm_order", "needs a norm");
    if (s.shared_norm && s.order != LayerOrder::parallel) return clash("shared_norm", "needs order=parallel");
    if (s.shared_norm && s.norm == Norm::none) return clash("shared_norm", "must be off with norm=none");
    if (s.order == LayerOrder::parallel && s.stack == Stack::encoder_decoder) {
        return clash("order", "must be interleaved or attention-first in an encoder-decoder");
    }
    return {};
}

Status check_embeddings(const TransformerSpec& s) {
    if (s.embedding_rank > 0 && s.vocab == 0) return clash("embedding_rank", "needs vocab");
    if (s.factor_bias && s.embedding_rank == 0) return clash("factor_bias", "needs embedding_rank");
    if (s.positions_in_rank && s.embedding_rank == 0)
        return clash("positions_in_rank", "needs embedding_rank");
    if (s.segments > 0 && s.vocab == 0) return clash("segments", "needs vocab");
    if (s.patch_bias && !s.image.used()) return clash("patch_bias", "needs patch");
    if (s.extra_tokens > 0 && !s.image.used()) return clash("extra_tokens", "needs patch");
    const bool learned = s.positions == PositionKind::learned;
    if (s.position_rank > 0 && !learned) return clash("position_rank", "needs positions=learned");
    const bool relative = s.positions == PositionKind::relative;
    PLIMSOLL_RETURN_IF_ERROR(
        together("position_buckets", s.position_buckets, relative, "positions=relative"));
    if (s.image.used() && s.context != all_positions(s)) {
        return clash("context",
                     fmt::format("must be patches + extra_tokens = {}, got {}", all_positions(s), s.context));
    }
    return {};
}

Status check_head(const TransformerSpec& s) {
    const bool vocabulary = s.head == HeadKind::vocab;
    if (vocabulary && s.vocab == 0) return clash("head", "must not be vocab without vocab");
    PLIMSOLL_RETURN_IF_ERROR(together("classes", s.classes, s.head == HeadKind::classes, "head=classes"));
    if (s.tied && !vocabulary) return clash("tied", "must be off unless head=vocab");
    if (s.head_rank > 0 && !vocabulary) return clash("head_rank", "needs head=vocab");
    if (s.head_transform && !vocabulary) return clash("head_transform", "needs head=vocab");
    if (s.head_bias && s.head == HeadKind::none) return clash("head_bias", "must be off with head=none");
    if (s.tied && s.head_rank != s.embedding_rank) {
        return clash("head_rank", fmt::format("must equal embedding_rank {} when tied, got {}",
                                              s.embedding_rank, s.head_rank));
    }
    return {};
}

}  // namespace

KeyTable<TransformerSpec> transformer_keys() {
    TransformerKeys keys;
    add_transformer_shape(keys);
    keys.preset("style", styles(),
                "preset of the keys below, which override it; modern: Qwen 3's layer (docs/MODELS.md)");
    add_attention(keys);
    add_feed_forward(keys);
    add_transformer_norms(keys);
    add_embeddings(keys);
    add_transformer_ends(keys);
    return keys;
}

std::vector<std::string> transformer_styles() {
    std::vector<std::string> names;
    for (const auto& style : styles()) names.push_back(style.name);
    return names;
}

Status check(const TransformerSpec& spec) {
    PLIMSOLL_RETURN_IF_ERROR(check_stack(spec));
    PLIMSOLL_RETURN_IF_ERROR(check_attention(spec));
    PLIMSOLL_RETURN_IF_ERROR(check_experts(spec));
    PLIMSOLL_RETURN_IF_ERROR(check_norms(spec));
    PLIMSOLL_RETURN_IF_ERROR(check_embeddings(spec));
    return check_head(spec);
}

}  // namespace plimsoll::arch

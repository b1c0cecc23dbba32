#pragma once

#include <algorithm>
#include <cstdint>

#include "plimsoll/arch/parts.h"

namespace plimsoll::arch {

enum class Stack { decoder, encoder, encoder_decoder };

enum class NormOrder {
    pre,   // before each sublayer, as GPT-2
    post,  // after each residual sum, as BERT
    both,  // before and after each sublayer, as Gemma 2
};

enum class LayerOrder {
    interleaved,
    attention_first,  // all attention layers, then all feed-forward layers (a relaxation of Levine et al.)
    parallel,         // both read the same input, as GPT-J
};

enum class AttentionKind { softmax, linear };

enum class PositionKind { none, learned, sinusoidal, rope, alibi, relative };

// Norms of queries and keys: none, one scale per head dimension (Qwen 3) or one per projected value (OLMo 2).
enum class QkNorm { none, head, full };

enum class HeadKind { none, vocab, classes };

// A Transformer as it is trained; the defaults are those of GPT-2. Zero means absent where a comment says so.
struct TransformerSpec {
    std::int64_t depth = 1;  // layers; of the encoder in an encoder-decoder
    std::int64_t width = 1;
    std::int64_t heads = 1;

    std::int64_t vocab = 0;  // 0: no token table
    ImageInput image;
    std::int64_t classes = 0;  // of a classifier; 0: none
    Stack stack = Stack::decoder;
    std::int64_t decoder_depth = 0;  // encoder-decoder only, else 0

    std::int64_t head_dim = 1;  // of queries and keys; heads * head_dim may differ from width
    std::int64_t kv_heads = 1;
    std::int64_t kv_rank = 0;    // latent of multi-head latent attention (MLA); 0: no MLA
    std::int64_t q_rank = 0;     // query latent of MLA; 0: none
    std::int64_t rope_dim = 0;   // MLA: the part of head_dim that is rotated and shared by the heads
    std::int64_t value_dim = 1;  // of values
    AttentionKind attention = AttentionKind::softmax;
    QkNorm qk_norm = QkNorm::none;
    bool sinks = false;  // one learned logit per head, as gpt-oss

    std::int64_t ffn = 0;           // hidden width of the feed-forward layer; 0: none
    std::int64_t ffn_matrices = 2;  // 3: gated
    Activation activation = Activation::gelu;
    std::int64_t experts = 0;  // routed experts; 0: dense
    std::int64_t experts_active = 0;
    std::int64_t experts_shared = 0;
    std::int64_t expert_ffn = 0;    // hidden width of a routed expert
    std::int64_t shared_ffn = 0;    // hidden width of a shared expert
    std::int64_t dense_first = 0;   // leading layers that stay dense
    std::int64_t expert_every = 1;  // layer i (from 1) is routed when this divides i

    std::int64_t layer_groups = 1;  // distinct layers; fewer than depth share weights, as ALBERT
    LayerOrder order = LayerOrder::interleaved;
    Norm norm = Norm::layer;
    NormOrder norm_order = NormOrder::pre;
    bool norm_bias = true;     // of layer norms
    bool shared_norm = false;  // parallel order: one norm for both branches
    bool final_norm = true;
    bool embedding_norm = false;

    PositionKind positions = PositionKind::learned;
    std::int64_t context = 1024;        // rows of a learned position table
    std::int64_t position_rank = 0;     // r_e of a factorised learned table; 0: not factorised
    std::int64_t position_buckets = 0;  // relative only
    std::int64_t embedding_rank = 0;    // r of a factorised token table; 0: not factorised
    bool factor_bias = false;           // bias of the r x width factor
    bool positions_in_rank = false;     // positions are added before that factor, as ALBERT
    std::int64_t segments = 0;          // rows of a segment table, as BERT; 0: none
    std::int64_t extra_tokens = 0;      // learned vectors beside the patches, as the class token of ViT

    bool qkv_bias = true;
    bool out_bias = true;  // of the attention output
    bool ffn_bias = true;
    bool router_bias = false;
    bool patch_bias = false;
    bool pooler = false;  // width x width with bias on the first token, as BERT

    HeadKind head = HeadKind::none;
    bool tied = false;            // the vocabulary head is the token table
    std::int64_t head_rank = 0;   // factorised vocabulary head; 0: not factorised
    bool head_transform = false;  // a dense layer and a norm before the vocabulary head, as BERT
    bool head_bias = false;

    bool operator==(const TransformerSpec&) const = default;
};

// Layers (from 1) of a stack of `depth` layers whose feed-forward part is routed.
inline std::int64_t routed_layers(const TransformerSpec& spec, std::int64_t depth) {
    if (spec.experts == 0) return 0;
    return depth / spec.expert_every - std::min(spec.dense_first, depth) / spec.expert_every;
}

}  // namespace plimsoll::arch

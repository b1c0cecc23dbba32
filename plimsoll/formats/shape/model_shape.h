#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/big_count.h"

namespace plimsoll::formats {

// What kind of network a file describes, as far as the bounds care.
enum class ModelKind { decoder, encoder, encoder_decoder, mixer, state_space, hybrid, mlp, unknown };

// "decoder", "encoder-decoder" ...
std::string_view name_of(ModelKind kind);

// A value that the file did not give, and where it came from instead.
struct AssumedValue {
    std::string key;     // "head_dim"
    std::string value;   // "64"
    std::string reason;  // "hidden_size / num_attention_heads"
};

// A part of the model that was not analysed, and why.
struct NotAnalysed {
    std::string part;
    std::string reason;
};

// Norms of queries and keys: none, one scale per head dimension (Qwen 3), or one per projected value (OLMo
// 2).
enum class QueryKeyNorm { none, head, full };

// Parameters that no size of ModelShape explains, summed over the model.
struct OwnParameters {
    std::string part;  // "conv stem"
    arch::Count count;
};

// Which tensors a layer of the family has: what the exact parameter count needs beside the sizes.
struct TensorFacts {
    bool known = false;       // the family is in our table, so that the count is exact and no estimate
    std::string no_count;     // why nothing can be counted from the sizes; empty when it can
    int norm_vectors = 1;     // of one norm: 0 none, 1 scale, 2 scale and bias
    int norms_per_layer = 2;  // over the width; cross-attention brings half as many again
    bool post_norm = false;   // norms follow the residual sums, as in BERT
    bool parallel = false;    // attention and feed-forward layer read the same input, as in GPT-NeoX
    bool final_norm = true;
    bool embedding_norm = false;
    QueryKeyNorm qk_norm = QueryKeyNorm::none;
    bool query_bias = false, key_bias = false, value_bias = false, output_bias = false;
    bool ffn_bias = false, router_bias = false;
    bool sinks = false;              // one learned logit per head (gpt-oss)
    bool shared_gate = false;        // a width-sized gate of the shared expert (Qwen 2 MoE)
    bool factor_bias = false;        // bias of the factor between embedding rank and width (ALBERT)
    bool positions_in_rank = false;  // positions and segments are added before that factor
    bool head = true;                // a vocabulary head belongs to the model that is counted
    bool head_bias = false;          // of the vocabulary head or of the classifier
    bool pooler = false;             // width x width with bias (BERT)
    bool patch_bias = false;
    std::int64_t position_rows = 0;  // rows of learned position tables, all stacks together
    std::int64_t segments = 0;       // rows of a segment table
    std::int64_t bias_buckets = 0;   // rows of a relative position table with one column per head
    std::int64_t bias_tables = 0;    // such tables
    std::int64_t extra_tokens = 0;   // learned vectors beside the patches
    std::int64_t classes = 0;        // of a classifier that belongs to the model that is counted
    std::vector<OwnParameters> own;  // whatever else the family has
};

// The parameters of a whole model as a class of the Hugging Face library makes it.
struct ClassCount {
    std::string class_name;  // "LlamaForCausalLM"
    arch::Count parameters;
    std::vector<OwnParameters> parts;  // those that exist; they add up
};

// The sizes of the state-space layers of a model.
struct StateSpaceSizes {
    std::int64_t version = 0;  // 1: Mamba, 2: Mamba-2, 0: another kind that is not counted
    std::int64_t inner = 0, conv_kernel = 0;
    std::int64_t step_rank = 0;          // Mamba
    std::int64_t heads = 0, groups = 0;  // Mamba-2
    bool conv_bias = true, projection_bias = false, inner_norms = false;
};

// The numbers of an existing model, by whatever keys its file spells them; absent means "the file does
// not say and nothing sensible follows". Encoder-decoders give the encoder in `depth`, the decoder in
// `decoder_depth`.
struct ModelShape {
    using Number = std::optional<std::int64_t>;

    std::string name;    // what the report calls it
    std::string family;  // model_type, general.architecture, or what the keys looked like
    ModelKind kind = ModelKind::unknown;
    std::string part;  // key of the analysed network in a file that holds several ("text_config"); else empty

    Number depth, decoder_depth;
    Number layer_groups;  // layers that hold parameters of their own, when layers share (ALBERT)
    Number width;

    Number heads, kv_heads;
    Number attention_dim;                             // heads * head_dim where only the product is known
    Number head_dim;                                  // query/key dimension of a head
    Number value_head_dim;                            // where it differs (MLA)
    Number q_lora_rank, kv_lora_rank, rope_head_dim;  // MLA

    Number ffn;           // hidden size of a dense feed-forward
    Number ffn_matrices;  // 2, or 3 when gated
    Number experts, experts_active, shared_experts, expert_ffn;
    Number dense_layers;       // leading layers without experts
    Number expert_layers;      // layers with experts; absent: all but the leading ones
    Number shared_expert_ffn;  // hidden size of all shared experts together, where it differs
    Number decoder_ffn;        // encoder-decoders: where it differs from ffn

    Number vocab;
    Number embedding_rank;  // inner size of a factorised embedding
    Number output_rank;     // inner size of a factorised head, where it differs
    std::optional<bool> tied;

    Number patch_height, patch_width, patch_depth, channels, image_height, image_width;
    Number input_dim;  // size of one input vector where it is no patch (mel bins, time-series patch)

    Number context;                         // positions the model was made for
    Number positional_rank;                 // inner size of a factorised position table
    std::string positions;                  // "learned", "rotary", "relative", "none", "" (unknown)
    Number tokens, token_ffn, channel_ffn;  // mixers: S and the two hidden sizes
    Number state_size;                      // state-space models
    Number attention_layers;                // hybrids: layers with attention
    StateSpaceSizes state_space;
    TensorFacts tensors;
    std::optional<ClassCount> by_class;  // of the whole file, where the table of classes explains it
    std::string class_named;             // the class that the file names, or empty
    std::string why_not_by_class;        // the key that the table does not explain; empty when there is none

    std::vector<AssumedValue> assumed;
    std::vector<NotAnalysed> not_analysed;
};

}  // namespace plimsoll::formats

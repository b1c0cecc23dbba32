#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// The numbers of somebody else's model, by whatever keys its file spells them; absent means "the file does
// not say and nothing sensible follows". Encoder-decoders give the encoder in `depth`, the decoder in
// `decoder_depth`.
struct ModelShape {
    using Number = std::optional<std::int64_t>;

    std::string name;    // what the report calls it
    std::string family;  // model_type, general.architecture, or what the keys looked like
    ModelKind kind = ModelKind::unknown;

    Number depth, decoder_depth;
    Number layer_groups;  // layers that hold parameters of their own, when layers share (ALBERT)
    Number width;

    Number heads, kv_heads;
    Number head_dim;                                  // query/key dimension of a head
    Number value_head_dim;                            // where it differs (MLA)
    Number q_lora_rank, kv_lora_rank, rope_head_dim;  // MLA

    Number ffn;           // hidden size of a dense feed-forward
    Number ffn_matrices;  // 2, or 3 when gated
    Number experts, experts_active, shared_experts, expert_ffn;
    Number dense_layers;  // leading layers without experts

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

    std::vector<AssumedValue> assumed;
    std::vector<NotAnalysed> not_analysed;
};

}  // namespace plimsoll::formats

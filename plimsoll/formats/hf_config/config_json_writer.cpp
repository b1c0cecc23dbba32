#include "plimsoll/formats/hf_config/config_json_writer.h"

#include <array>

#include "plimsoll/arch/limits.h"
#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/config_keys.h"

namespace plimsoll::formats {
namespace {

EmitShape resolved(EmitShape shape) {
    if (shape.kv_heads == 0) shape.kv_heads = shape.heads;
    if (shape.head_dim == 0 && shape.heads > 0) shape.head_dim = shape.width / shape.heads;
    return shape;
}

Status check_sizes(const EmitShape& s) {
    struct Size {
        const char* name;
        std::int64_t value, most;
    };
    const std::array sizes{Size{"depth", s.depth, max_layers},
                           Size{"width", s.width, arch::max_width},
                           Size{"heads", s.heads, arch::max_heads},
                           Size{"kv_heads", s.kv_heads, arch::max_heads},
                           Size{"head_dim", s.head_dim, arch::max_width},
                           Size{"ffn", s.ffn, arch::max_hidden},
                           Size{"vocab", s.vocab, max_size},
                           Size{"context", s.context, max_size}};
    for (const Size& size : sizes) {
        if (size.value >= 1 && size.value <= size.most) continue;
        return bad_input(size.name, fmt::format("must be 1..{}, got {}", size.most, size.value));
    }
    if (s.ffn_matrices != 2 && s.ffn_matrices != 3) {
        return bad_input("ffn_matrices", fmt::format("must be 2 or 3, got {}", s.ffn_matrices));
    }
    if (s.embedding_rank < 0) return bad_input("embedding_rank", "must not be negative");
    if (s.heads % s.kv_heads == 0) return {};
    return bad_input("kv_heads", fmt::format("must divide heads {}, got {}", s.heads, s.kv_heads));
}

bool heads_fill_width(const EmitShape& s) { return s.heads * s.head_dim == s.width && s.kv_heads == s.heads; }

}  // namespace

Json gpt2_config(const EmitShape& s) {
    return {{"architectures", {"GPT2LMHeadModel"}},
            {"model_type", "gpt2"},
            {"activation_function", "gelu_new"},
            {"n_layer", s.depth},
            {"n_embd", s.width},
            {"n_head", s.heads},
            {"n_inner", s.ffn},
            {"n_positions", s.context},
            {"vocab_size", s.vocab},
            {"tie_word_embeddings", s.tied},
            {"bos_token_id", 0},
            {"eos_token_id", 0}};
}

Json llama_config(const EmitShape& s) {
    return {{"architectures", {"LlamaForCausalLM"}},
            {"model_type", "llama"},
            {"hidden_act", "silu"},
            {"num_hidden_layers", s.depth},
            {"hidden_size", s.width},
            {"num_attention_heads", s.heads},
            {"num_key_value_heads", s.kv_heads},
            {"head_dim", s.head_dim},
            {"intermediate_size", s.ffn},
            {"max_position_embeddings", s.context},
            {"vocab_size", s.vocab},
            {"attention_bias", false},
            {"mlp_bias", false},
            {"rms_norm_eps", 1e-5},
            {"rope_theta", 10000.0},
            {"tie_word_embeddings", s.tied},
            {"bos_token_id", 0},
            {"eos_token_id", 0}};
}

// Without layer_types every layer has full attention, and without sliding windows all of it is seen.
Json qwen3_config(const EmitShape& s) {
    Json config = llama_config(s);
    config.erase("mlp_bias");
    config.update({{"architectures", {"Qwen3ForCausalLM"}},
                   {"model_type", "qwen3"},
                   {"rms_norm_eps", 1e-6},
                   {"use_sliding_window", false}});
    return config;
}

Json opt_config(const EmitShape& s) {
    return {{"architectures", {"OPTForCausalLM"}},
            {"model_type", "opt"},
            {"activation_function", "gelu"},
            {"num_hidden_layers", s.depth},
            {"hidden_size", s.width},
            {"num_attention_heads", s.heads},
            {"ffn_dim", s.ffn},
            {"max_position_embeddings", s.context},
            {"vocab_size", s.vocab},
            {"word_embed_proj_dim", s.embedding_rank},
            {"do_layer_norm_before", true},
            {"tie_word_embeddings", s.tied},
            {"bos_token_id", 0},
            {"eos_token_id", 0},
            {"pad_token_id", s.vocab > 1 ? 1 : 0}};
}

Result<Json> config_for(const EmitShape& shape) {
    const EmitShape s = resolved(shape);
    PLIMSOLL_RETURN_IF_ERROR(check_sizes(s));
    const bool factorised = s.embedding_rank > 0 && s.embedding_rank != s.width;
    if (factorised && s.ffn_matrices == 3) {
        return unsupported("embedding_rank",
                           "no stock class has a factorised embedding and a gated feed-forward layer");
    }
    if (factorised && !heads_fill_width(s)) {
        return unsupported(
            "embedding_rank",
            "the stock class with a factorised embedding (OPT) needs heads that fill the width");
    }
    if (factorised && !s.tied) {
        return unsupported("tied", "the stock class with a factorised embedding (OPT) ties its head to it");
    }
    if (factorised) return opt_config(s);
    if (s.ffn_matrices == 3) return llama_config(s);
    if (heads_fill_width(s)) return gpt2_config(s);
    return unsupported("head_dim",
                       "no stock class has a plain feed-forward layer and heads that do not fill the width; "
                       "a gated one (ffn_matrices 3) fits Llama");
}

}  // namespace plimsoll::formats

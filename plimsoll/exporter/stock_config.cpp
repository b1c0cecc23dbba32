#include <array>

#include "plimsoll/base/check.h"
#include "plimsoll/exporter/stock.h"
#include "plimsoll/formats/hf_config/config_json_writer.h"

namespace plimsoll::exporter {
namespace {

using arch::TransformerSpec;

// The library's own names; it has none for square, which no class needs.
std::string_view activation_name(arch::Activation activation) {
    switch (activation) {
        case arch::Activation::gelu:
            return "gelu";  // the exact one; gelu_new is the approximation
        case arch::Activation::relu:
            return "relu";
        case arch::Activation::silu:
            return "silu";
        case arch::Activation::tanh:
            return "tanh";
        case arch::Activation::identity:
            return "linear";
        case arch::Activation::square:
            break;
    }
    PLIMSOLL_CHECK(false, "no stock class has this activation");
    return {};
}

formats::EmitShape shape_of(const TransformerSpec& s) {
    formats::EmitShape shape;
    shape.depth = s.depth, shape.width = s.width;
    shape.heads = s.heads, shape.kv_heads = s.kv_heads, shape.head_dim = s.head_dim;
    shape.ffn = s.ffn, shape.ffn_matrices = s.ffn_matrices;
    shape.vocab = s.vocab, shape.context = s.context, shape.tied = s.tied;
    shape.embedding_rank = s.embedding_rank > 0 ? s.embedding_rank : s.width;
    return shape;
}

Json gpt2_config(const TransformerSpec& s, double dropout) {
    Json config = formats::gpt2_config(shape_of(s));
    config.update({{"activation_function", activation_name(s.activation)},
                   {"layer_norm_epsilon", stock_norm_epsilon},
                   {"embd_pdrop", dropout},
                   {"resid_pdrop", dropout},
                   {"attn_pdrop", 0.0}});
    return config;
}

Json llama_config(const TransformerSpec& s) {
    Json config = formats::llama_config(shape_of(s));
    config.update({{"hidden_act", activation_name(s.activation)},
                   {"rms_norm_eps", stock_norm_epsilon},
                   {"attention_bias", s.qkv_bias},
                   {"mlp_bias", s.ffn_bias},
                   {"attention_dropout", 0.0}});
    return config;
}

Json qwen3_config(const TransformerSpec& s) {
    Json config = formats::qwen3_config(shape_of(s));
    config.update({{"hidden_act", activation_name(s.activation)},
                   {"rms_norm_eps", stock_norm_epsilon},
                   {"attention_bias", s.qkv_bias},
                   {"attention_dropout", 0.0}});
    return config;
}

// Its norms have no epsilon in the config: they are torch's, with torch's 1e-5.
Json opt_config(const TransformerSpec& s, double dropout) {
    static_assert(stock_norm_epsilon == 1e-5);
    Json config = formats::opt_config(shape_of(s));
    config.update({{"activation_function", activation_name(s.activation)},
                   {"do_layer_norm_before", s.norm_order == arch::NormOrder::pre},
                   {"enable_bias", s.qkv_bias},
                   {"layer_norm_elementwise_affine", true},
                   {"dropout", dropout},
                   {"attention_dropout", 0.0},
                   {"pad_token_id", nullptr}});
    return config;
}

// What BERT and ViT spell alike.
Json encoder(const TransformerSpec& s, double dropout) {
    return {{"hidden_act", activation_name(s.activation)},
            {"num_hidden_layers", s.depth},
            {"hidden_size", s.width},
            {"num_attention_heads", s.heads},
            {"intermediate_size", s.ffn},
            {"layer_norm_eps", stock_norm_epsilon},
            {"hidden_dropout_prob", dropout},
            {"attention_probs_dropout_prob", 0.0}};
}

Json bert_config(const TransformerSpec& s, double dropout) {
    Json config{{"model_type", "bert"}};
    config.update(encoder(s, dropout));
    config.update({{"max_position_embeddings", s.context},
                   {"vocab_size", s.vocab},
                   {"type_vocab_size", s.segments},
                   {"tie_word_embeddings", true},
                   {"pad_token_id", nullptr}});
    return config;
}

Json square_or_sides(std::int64_t height, std::int64_t width) {
    return height == width ? Json(height) : Json::array({height, width});
}

Json vit_config(const TransformerSpec& s, double dropout) {
    Json config{{"model_type", "vit"}};
    config.update(encoder(s, dropout));
    config.update({{"image_size", square_or_sides(s.image.image, s.image.image_width)},
                   {"patch_size", square_or_sides(s.image.patch, s.image.patch_width)},
                   {"num_channels", s.image.image_channels},
                   {"qkv_bias", s.qkv_bias}});
    return config;
}

// The library counts the classes by their names; a run does not know them.
void add_labels(Json& config, std::int64_t classes) {
    Json names = Json::object(), numbers = Json::object();
    for (std::int64_t k = 0; k < classes; ++k) {
        const std::string number = std::to_string(k);
        append_member(names, number, number);
        append_member(numbers, number, k);
    }
    config["id2label"] = std::move(names);
    config["label2id"] = std::move(numbers);
}

Json body(StockClass stock, const TransformerSpec& spec, double dropout) {
    switch (stock) {
        case StockClass::gpt2:
            return gpt2_config(spec, dropout);
        case StockClass::llama:
            return llama_config(spec);
        case StockClass::qwen3:
            return qwen3_config(spec);
        case StockClass::opt:
            return opt_config(spec, dropout);
        case StockClass::bert_masked:
        case StockClass::bert_classifier:
            return bert_config(spec, dropout);
        case StockClass::vit:
            return vit_config(spec, dropout);
    }
    PLIMSOLL_CHECK(false, "unknown stock class");
    return {};
}

}  // namespace

Json stock_config(StockClass stock, const run::RunConfig& run) {
    const auto& spec = std::get<TransformerSpec>(run.model.spec);
    Json config{{"architectures", Json::array({class_name(stock)})}};
    config.update(body(stock, spec, run.model.dropout));
    if (spec.vocab > 0) {  // the network knows no token that begins or ends a text
        config["bos_token_id"] = nullptr;
        config["eos_token_id"] = nullptr;
    }
    if (spec.classes > 0) add_labels(config, spec.classes);
    config["torch_dtype"] = run.train.precision == run::Precision::fp64 ? "float64" : "float32";
    return config;
}

}  // namespace plimsoll::exporter

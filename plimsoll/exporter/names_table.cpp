#include "plimsoll/exporter/names_table.h"

#include <array>
#include <span>

#include "plimsoll/base/check.h"

namespace plimsoll::exporter {
namespace {

using enum Arrangement;

constexpr auto gpt2_names = std::to_array<NameRow>({
    {"tokens", "transformer.wte"},
    {"positions", "transformer.wpe"},
    {"layers.#.attention_norm", "transformer.h.#.ln_1"},
    {"layers.#.attention.query", "transformer.h.#.attn.c_attn", query_key_value},
    {"layers.#.attention.key", "", behind_query},
    {"layers.#.attention.value", "", behind_query},
    {"layers.#.attention.output", "transformer.h.#.attn.c_proj", conv1d},
    {"layers.#.ffn_norm", "transformer.h.#.ln_2"},
    {"layers.#.ffn.up", "transformer.h.#.mlp.c_fc", conv1d},
    {"layers.#.ffn.down", "transformer.h.#.mlp.c_proj", conv1d},
    {"final_norm", "transformer.ln_f"},
    {"head", "lm_head"},
});

constexpr auto llama_names = std::to_array<NameRow>({
    {"tokens", "model.embed_tokens"},
    {"layers.#.attention_norm", "model.layers.#.input_layernorm"},
    {"layers.#.attention.query", "model.layers.#.self_attn.q_proj"},
    {"layers.#.attention.key", "model.layers.#.self_attn.k_proj"},
    {"layers.#.attention.value", "model.layers.#.self_attn.v_proj"},
    {"layers.#.attention.output", "model.layers.#.self_attn.o_proj"},
    {"layers.#.ffn_norm", "model.layers.#.post_attention_layernorm"},
    {"layers.#.ffn.gate", "model.layers.#.mlp.gate_proj"},
    {"layers.#.ffn.up", "model.layers.#.mlp.up_proj"},
    {"layers.#.ffn.down", "model.layers.#.mlp.down_proj"},
    {"final_norm", "model.norm"},
    {"head", "lm_head"},
});

constexpr auto qk_norm_names = std::to_array<NameRow>({
    {"layers.#.attention.query_norm", "model.layers.#.self_attn.q_norm"},
    {"layers.#.attention.key_norm", "model.layers.#.self_attn.k_norm"},
});

constexpr auto opt_names = std::to_array<NameRow>({
    {"tokens", "model.decoder.embed_tokens"},
    {"tokens.factor", "model.decoder.project_in"},
    {"positions", "model.decoder.embed_positions", opt_positions},
    {"layers.#.attention_norm", "model.decoder.layers.#.self_attn_layer_norm"},
    {"layers.#.attention.query", "model.decoder.layers.#.self_attn.q_proj"},
    {"layers.#.attention.key", "model.decoder.layers.#.self_attn.k_proj"},
    {"layers.#.attention.value", "model.decoder.layers.#.self_attn.v_proj"},
    {"layers.#.attention.output", "model.decoder.layers.#.self_attn.out_proj"},
    {"layers.#.ffn_norm", "model.decoder.layers.#.final_layer_norm"},
    {"layers.#.ffn.up", "model.decoder.layers.#.fc1"},
    {"layers.#.ffn.down", "model.decoder.layers.#.fc2"},
    {"final_norm", "model.decoder.final_layer_norm"},
    {"head.factor", "model.decoder.project_out"},
    {"head", "lm_head"},
});

constexpr auto bert_body = std::to_array<NameRow>({
    {"tokens", "bert.embeddings.word_embeddings"},
    {"segments", "bert.embeddings.token_type_embeddings"},
    {"positions", "bert.embeddings.position_embeddings"},
    {"embedding_norm", "bert.embeddings.LayerNorm"},
    {"layers.#.attention.query", "bert.encoder.layer.#.attention.self.query"},
    {"layers.#.attention.key", "bert.encoder.layer.#.attention.self.key"},
    {"layers.#.attention.value", "bert.encoder.layer.#.attention.self.value"},
    {"layers.#.attention.output", "bert.encoder.layer.#.attention.output.dense"},
    {"layers.#.attention_norm", "bert.encoder.layer.#.attention.output.LayerNorm"},
    {"layers.#.ffn.up", "bert.encoder.layer.#.intermediate.dense"},
    {"layers.#.ffn.down", "bert.encoder.layer.#.output.dense"},
    {"layers.#.ffn_norm", "bert.encoder.layer.#.output.LayerNorm"},
});

constexpr auto masked_head = std::to_array<NameRow>({
    {"head.transform", "cls.predictions.transform.dense"},
    {"head.norm", "cls.predictions.transform.LayerNorm"},
    {"head", "cls.predictions"},
});

constexpr auto classifier_head = std::to_array<NameRow>({
    {"pooler", "bert.pooler.dense"},
    {"head", "classifier"},
});

constexpr auto vit_names = std::to_array<NameRow>({
    {"patches.weight", "vit.embeddings.patch_embeddings.projection.weight", patches},
    {"patches.bias", "vit.embeddings.patch_embeddings.projection.bias"},
    {"extra_tokens", "vit.embeddings.cls_token", one_more},
    {"positions.weight", "vit.embeddings.position_embeddings", one_more},
    {"layers.#.attention_norm", "vit.encoder.layer.#.layernorm_before"},
    {"layers.#.attention.query", "vit.encoder.layer.#.attention.attention.query"},
    {"layers.#.attention.key", "vit.encoder.layer.#.attention.attention.key"},
    {"layers.#.attention.value", "vit.encoder.layer.#.attention.attention.value"},
    {"layers.#.attention.output", "vit.encoder.layer.#.attention.output.dense"},
    {"layers.#.ffn_norm", "vit.encoder.layer.#.layernorm_after"},
    {"layers.#.ffn.up", "vit.encoder.layer.#.intermediate.dense"},
    {"layers.#.ffn.down", "vit.encoder.layer.#.output.dense"},
    {"final_norm", "vit.layernorm"},
    {"head", "classifier"},
});

std::vector<NameRow> joined(std::span<const NameRow> first, std::span<const NameRow> second = {}) {
    std::vector<NameRow> rows(first.begin(), first.end());
    rows.insert(rows.end(), second.begin(), second.end());
    return rows;
}

}  // namespace

std::vector<NameRow> stock_names(StockClass stock) {
    switch (stock) {
        case StockClass::gpt2:
            return joined(gpt2_names);
        case StockClass::llama:
            return joined(llama_names);
        case StockClass::qwen3:
            return joined(llama_names, qk_norm_names);
        case StockClass::opt:
            return joined(opt_names);
        case StockClass::bert_masked:
            return joined(bert_body, masked_head);
        case StockClass::bert_classifier:
            return joined(bert_body, classifier_head);
        case StockClass::vit:
            return joined(vit_names);
    }
    PLIMSOLL_CHECK(false, "a stock class without names");
    return {};
}

}  // namespace plimsoll::exporter

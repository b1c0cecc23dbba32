#include "plimsoll/audit/weights/weight_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::audit {
namespace {

formats::TensorTable table_of(const std::vector<std::string>& names) {
    formats::TensorTable table;
    for (const std::string& name : names) {
        formats::TensorInfo tensor;
        tensor.name = name;
        tensor.shape = {8, 8};
        tensor.elements = 64;
        table.tensors.push_back(tensor);
    }
    return table;
}

struct Known {
    const char* family;
    std::vector<std::string> tensors;
    const char* layer;
    AttentionLayout layout;
};

// The names as real checkpoints have them.
const std::vector<Known>& known_layers() {
    static const std::vector<Known> known{
        {"Llama",
         {"model.layers.3.self_attn.q_proj.weight", "model.layers.3.self_attn.k_proj.weight",
          "model.layers.3.self_attn.v_proj.weight", "model.layers.3.self_attn.o_proj.weight"},
         "model.layers.3.self_attn",
         AttentionLayout::separate},
        {"OPT",
         {"model.decoder.layers.3.self_attn.q_proj.weight", "model.decoder.layers.3.self_attn.k_proj.weight",
          "model.decoder.layers.3.self_attn.v_proj.weight",
          "model.decoder.layers.3.self_attn.out_proj.weight"},
         "model.decoder.layers.3.self_attn",
         AttentionLayout::separate},
        {"GPT-2",
         {"h.3.attn.c_attn.weight", "h.3.attn.c_proj.weight", "h.3.mlp.c_proj.weight"},
         "h.3.attn",
         AttentionLayout::stacked},
        {"BERT",
         {"bert.encoder.layer.3.attention.self.query.weight",
          "bert.encoder.layer.3.attention.self.key.weight",
          "bert.encoder.layer.3.attention.self.value.weight",
          "bert.encoder.layer.3.attention.output.dense.weight", "bert.encoder.layer.3.output.dense.weight"},
         "bert.encoder.layer.3.attention",
         AttentionLayout::separate},
        {"ViT",
         {"vit.encoder.layer.3.attention.attention.query.weight",
          "vit.encoder.layer.3.attention.attention.key.weight",
          "vit.encoder.layer.3.attention.attention.value.weight",
          "vit.encoder.layer.3.attention.output.dense.weight"},
         "vit.encoder.layer.3.attention",
         AttentionLayout::separate},
        {"ALBERT",
         {"albert.encoder.albert_layer_groups.3.albert_layers.0.attention.query.weight",
          "albert.encoder.albert_layer_groups.3.albert_layers.0.attention.key.weight",
          "albert.encoder.albert_layer_groups.3.albert_layers.0.attention.value.weight",
          "albert.encoder.albert_layer_groups.3.albert_layers.0.attention.dense.weight"},
         "albert.encoder.albert_layer_groups.3.albert_layers.0.attention",
         AttentionLayout::separate},
        {"T5",
         {"encoder.block.3.layer.0.SelfAttention.q.weight", "encoder.block.3.layer.0.SelfAttention.k.weight",
          "encoder.block.3.layer.0.SelfAttention.v.weight", "encoder.block.3.layer.0.SelfAttention.o.weight"},
         "encoder.block.3.layer.0.SelfAttention",
         AttentionLayout::separate},
        {"GPT-NeoX",
         {"gpt_neox.layers.3.attention.query_key_value.weight", "gpt_neox.layers.3.attention.dense.weight"},
         "gpt_neox.layers.3.attention",
         AttentionLayout::grouped},
        {"BLOOM",
         {"h.3.self_attention.query_key_value.weight", "h.3.self_attention.dense.weight"},
         "h.3.self_attention",
         AttentionLayout::grouped},
        {"ChatGLM",
         {"transformer.encoder.layers.3.self_attention.query_key_value.weight",
          "transformer.encoder.layers.3.self_attention.dense.weight"},
         "transformer.encoder.layers.3.self_attention",
         AttentionLayout::stacked},
        {"timm ViT",
         {"blocks.3.attn.qkv.weight", "blocks.3.attn.proj.weight"},
         "blocks.3.attn",
         AttentionLayout::stacked},
        {"Phi-3",
         {"model.layers.3.self_attn.qkv_proj.weight", "model.layers.3.self_attn.o_proj.weight"},
         "model.layers.3.self_attn",
         AttentionLayout::stacked},
        {"DeepSeek",
         {"model.layers.3.self_attn.q_a_proj.weight", "model.layers.3.self_attn.q_b_proj.weight",
          "model.layers.3.self_attn.kv_a_proj_with_mqa.weight", "model.layers.3.self_attn.kv_b_proj.weight",
          "model.layers.3.self_attn.o_proj.weight"},
         "model.layers.3.self_attn",
         AttentionLayout::latent},
        {"GGUF",
         {"blk.3.attn_q.weight", "blk.3.attn_k.weight", "blk.3.attn_v.weight", "blk.3.attn_output.weight"},
         "blk.3",
         AttentionLayout::separate},
    };
    return known;
}

TEST(WeightNames, EveryFamilyIsFoundOnce) {
    for (const Known& known : known_layers()) {
        const auto table = table_of(known.tensors);
        const WeightNames names = find_weights(table);
        ASSERT_EQ(names.attention.size(), 1) << known.family;
        EXPECT_EQ(names.attention[0].name, known.layer);
        EXPECT_EQ(names.attention[0].layout, known.layout) << known.family;
        EXPECT_EQ(layer_number(names.attention[0].name), 3) << known.family;
        EXPECT_TRUE(names.not_analysed.empty()) << known.family;
        EXPECT_TRUE(names.matrices.empty()) << known.family;
    }
}

// Law: without its output projection a layer is not guessed at but named.
TEST(WeightNames, ALayerWithoutItsOutputIsNamed) {
    for (const Known& known : known_layers()) {
        std::vector<std::string> tensors;
        for (const std::string& name : known.tensors) {
            const bool output = name.find(std::string(known.layer) + ".o") == 0 ||
                                name.ends_with(".attn_output.weight") || name.ends_with("dense.weight") ||
                                name.ends_with("proj.weight") || name.ends_with(".out_proj.weight");
            const bool input =
                name.find("q_proj") != std::string::npos || name.find("qkv") != std::string::npos ||
                name.find("k_proj") != std::string::npos || name.find("v_proj") != std::string::npos ||
                name.find("_a_proj") != std::string::npos || name.find("_b_proj") != std::string::npos;
            if (!output || input) tensors.push_back(name);
        }
        ASSERT_LT(tensors.size(), known.tensors.size()) << known.family;
        const auto table = table_of(tensors);
        EXPECT_TRUE(find_weights(table).attention.empty()) << known.family;
    }
    const auto table = table_of({"model.layers.3.self_attn.qkv_proj.weight"});
    const WeightNames names = find_weights(table);
    ASSERT_EQ(names.not_analysed.size(), 1);
    EXPECT_EQ(names.not_analysed[0].reason, "no key, value or output projection of a known name beside it");
}

TEST(WeightNames, TheFirstKnownTokenTableIsTheInput) {
    for (const char* name : {"model.embed_tokens.weight", "transformer.wte.weight", "shared.weight",
                             "bert.embeddings.word_embeddings.weight", "token_embd.weight", "wte.weight"}) {
        const auto table = table_of({"lm_head.weight", "position_embeddings.weight", name});
        const WeightNames names = find_weights(table);
        ASSERT_FALSE(names.matrices.empty());
        EXPECT_EQ(names.matrices[0].role, WeightRole::input_embedding);
        EXPECT_EQ(names.matrices[0].tensor->name, name);
    }
    const auto table = table_of({"newte.weight"});
    EXPECT_EQ(find_weights(table).matrices[0].role, WeightRole::matrix);
}

TEST(WeightNames, NumbersAreComparedAsNumbers) {
    EXPECT_TRUE(natural_less("layers.2.x", "layers.10.x"));
    EXPECT_FALSE(natural_less("layers.10.x", "layers.2.x"));
    EXPECT_TRUE(natural_less("layers.9", "layers.9.a"));
    EXPECT_FALSE(natural_less("a", "a"));
    EXPECT_TRUE(natural_less("a.1.b.9", "a.1.b.12345678901234567890123"));
    EXPECT_EQ(layer_number("no.number"), std::nullopt);
    EXPECT_EQ(layer_number("a.99999999999999999999"), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::audit

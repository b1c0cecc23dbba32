#include "plimsoll/formats/shape/tensor_shape.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "tests/formats/config_fixtures.h"
#include "tests/support/shared_data.h"

namespace plimsoll::formats {
namespace {

using Sizes = std::vector<std::uint64_t>;

// A table made line by line; '#' in a name is replaced by 0 .. blocks - 1.
class TableMaker {
  public:
    TableMaker& add(const std::string& name, const Sizes& shape, int blocks = 1) {
        for (int i = 0; i < blocks; ++i) {
            std::string numbered = name;
            if (const auto at = numbered.find('#'); at != std::string::npos)
                numbered.replace(at, 1, std::to_string(i));
            TensorInfo tensor;
            tensor.name = numbered;
            tensor.shape = shape;
            tensor.elements = 1;
            for (const auto size : shape) tensor.elements *= size;
            table_.tensors.push_back(tensor);
        }
        return *this;
    }
    [[nodiscard]] ModelShape shape() const { return shape_from_tensors(table_, "x").value(); }
    [[nodiscard]] const TensorTable& table() const { return table_; }

  private:
    TensorTable table_;
};

std::string skipped(const ModelShape& shape) {
    std::string text;
    for (const auto& one : shape.not_analysed) text += one.part + ": " + one.reason + "\n";
    return text;
}

TEST(TensorShape, Gpt2WithTransposedMatrices) {
    const auto shape = TableMaker()
                           .add("wte.weight", {50257, 768})
                           .add("wpe.weight", {1024, 768})
                           .add("h.#.ln_1.weight", {768}, 12)
                           .add("h.#.attn.c_attn.weight", {768, 2304}, 12)
                           .add("h.#.attn.c_proj.weight", {768, 768}, 12)
                           .add("h.#.ln_2.weight", {768}, 12)
                           .add("h.#.mlp.c_fc.weight", {768, 3072}, 12)
                           .add("h.#.mlp.c_proj.weight", {3072, 768}, 12)
                           .add("ln_f.weight", {768})
                           .shape();
    EXPECT_EQ(shape.kind, ModelKind::decoder);
    EXPECT_EQ(shape.depth, 12);
    EXPECT_EQ(shape.width, 768);
    EXPECT_EQ(shape.attention_dim, 768);
    EXPECT_EQ(shape.ffn, 3072);
    EXPECT_EQ(shape.ffn_matrices, 2);
    EXPECT_EQ(shape.vocab, 50257);
    EXPECT_EQ(shape.context, 1024);
    EXPECT_EQ(shape.tied, true);
    EXPECT_FALSE(shape.heads.has_value());
    EXPECT_THAT(skipped(shape), ::testing::HasSubstr("heads: a safetensors header does not hold it"));
}

TEST(TensorShape, QwenShowsItsHeadSize) {
    const auto shape = TableMaker()
                           .add("model.embed_tokens.weight", {151936, 1024})
                           .add("model.layers.#.input_layernorm.weight", {1024}, 28)
                           .add("model.layers.#.post_attention_layernorm.weight", {1024}, 28)
                           .add("model.layers.#.self_attn.q_norm.weight", {128}, 28)
                           .add("model.layers.#.self_attn.q_proj.weight", {2048, 1024}, 28)
                           .add("model.layers.#.self_attn.k_proj.weight", {1024, 1024}, 28)
                           .add("model.layers.#.self_attn.v_proj.weight", {1024, 1024}, 28)
                           .add("model.layers.#.self_attn.o_proj.weight", {1024, 2048}, 28)
                           .add("model.layers.#.mlp.gate_proj.weight", {3072, 1024}, 28)
                           .add("model.layers.#.mlp.up_proj.weight", {3072, 1024}, 28)
                           .add("model.layers.#.mlp.down_proj.weight", {1024, 3072}, 28)
                           .add("lm_head.weight", {151936, 1024})
                           .shape();
    EXPECT_EQ(shape.heads, 16);
    EXPECT_EQ(shape.head_dim, 128);
    EXPECT_EQ(shape.kv_heads, 8);
    EXPECT_EQ(shape.ffn, 3072);
    EXPECT_EQ(shape.ffn_matrices, 3);
    EXPECT_EQ(shape.tied, false);
}

TEST(TensorShape, BertIsAnEncoder) {
    const auto shape = TableMaker()
                           .add("bert.embeddings.word_embeddings.weight", {30522, 768})
                           .add("bert.embeddings.position_embeddings.weight", {512, 768})
                           .add("bert.embeddings.token_type_embeddings.weight", {2, 768})
                           .add("bert.encoder.layer.#.attention.self.query.weight", {768, 768}, 12)
                           .add("bert.encoder.layer.#.attention.output.dense.weight", {768, 768}, 12)
                           .add("bert.encoder.layer.#.attention.output.LayerNorm.weight", {768}, 12)
                           .add("bert.encoder.layer.#.intermediate.dense.weight", {3072, 768}, 12)
                           .add("bert.encoder.layer.#.output.dense.weight", {768, 3072}, 12)
                           .shape();
    EXPECT_EQ(shape.kind, ModelKind::encoder);
    EXPECT_EQ(shape.depth, 12);
    EXPECT_EQ(shape.width, 768);
    EXPECT_EQ(shape.ffn, 3072);
    EXPECT_EQ(shape.context, 512);
}

TEST(TensorShape, T5ShowsItsHeadsByItsRelativeBias) {
    TableMaker maker;
    maker.add("shared.weight", {32128, 1024});
    maker.add("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {32, 128});
    for (const std::string stack : {"encoder", "decoder"}) {
        maker.add(stack + ".block.#.layer.0.SelfAttention.q.weight", {16384, 1024}, 24)
            .add(stack + ".block.#.layer.0.SelfAttention.k.weight", {16384, 1024}, 24)
            .add(stack + ".block.#.layer.0.layer_norm.weight", {1024}, 24)
            .add(stack + ".block.#.layer.1.DenseReluDense.wi.weight", {65536, 1024}, 24)
            .add(stack + ".block.#.layer.1.layer_norm.weight", {1024}, 24);
    }
    maker.add("decoder.block.#.layer.2.EncDecAttention.q.weight", {16384, 1024}, 24);
    const auto shape = maker.shape();
    EXPECT_EQ(shape.kind, ModelKind::encoder_decoder);
    EXPECT_EQ(shape.depth, 24);
    EXPECT_EQ(shape.decoder_depth, 24);
    EXPECT_EQ(shape.heads, 128);
    EXPECT_EQ(shape.head_dim, 128);
    EXPECT_EQ(shape.width, 1024);
    EXPECT_EQ(shape.ffn, 65536);
}

TEST(TensorShape, PicturesAndExperts) {
    const auto vit = TableMaker()
                         .add("vit.embeddings.patch_embeddings.projection.weight", {768, 3, 16, 16})
                         .add("vit.embeddings.position_embeddings", {1, 197, 768})
                         .add("vit.encoder.layer.#.attention.attention.query.weight", {768, 768}, 12)
                         .add("vit.encoder.layer.#.layernorm_before.weight", {768}, 12)
                         .add("vit.encoder.layer.#.intermediate.dense.weight", {3072, 768}, 12)
                         .shape();
    EXPECT_EQ(vit.kind, ModelKind::encoder);
    EXPECT_EQ(vit.patch_height, 16);
    EXPECT_EQ(vit.channels, 3);
    EXPECT_EQ(vit.context, 197);
    TableMaker mixtral;
    mixtral.add("model.embed_tokens.weight", {100, 64})
        .add("model.layers.#.input_layernorm.weight", {64}, 2)
        .add("model.layers.#.self_attn.q_proj.weight", {64, 64}, 2);
    for (int e = 0; e < 4; ++e) {
        mixtral.add(fmt::format("model.layers.#.block_sparse_moe.experts.{}.w1.weight", e), {128, 64}, 2)
            .add(fmt::format("model.layers.#.block_sparse_moe.experts.{}.w2.weight", e), {64, 128}, 2)
            .add(fmt::format("model.layers.#.block_sparse_moe.experts.{}.w3.weight", e), {128, 64}, 2);
    }
    EXPECT_EQ(mixtral.shape().depth, 2);
    EXPECT_EQ(mixtral.shape().experts, 4);
    EXPECT_EQ(mixtral.shape().expert_ffn, 128);
    EXPECT_EQ(mixtral.shape().ffn_matrices, 3);
}

TEST(TensorShape, AChainOfMatricesIsAnMlp) {
    const auto shape = TableMaker().add("l1.weight", {128, 784}).add("l2.weight", {10, 128}).shape();
    EXPECT_EQ(shape.kind, ModelKind::mlp);
    EXPECT_EQ(shape.depth, 2);
    EXPECT_EQ(shape.width, 128);
    EXPECT_EQ(shape.input_dim, 784);
    EXPECT_EQ(shape.tensors.classes, 10);
}

TEST(TensorShape, LatentAttentionShowsItsRanks) {
    const auto shape = TableMaker()
                           .add("model.embed_tokens.weight", {129280, 7168})
                           .add("model.layers.#.input_layernorm.weight", {7168}, 61)
                           .add("model.layers.#.self_attn.q_a_proj.weight", {1536, 7168}, 61)
                           .add("model.layers.#.self_attn.q_b_proj.weight", {24576, 1536}, 61)
                           .add("model.layers.#.self_attn.kv_a_proj_with_mqa.weight", {576, 7168}, 61)
                           .add("model.layers.#.self_attn.kv_b_proj.weight", {32768, 512}, 61)
                           .add("model.layers.#.self_attn.o_proj.weight", {7168, 16384}, 61)
                           .shape();
    EXPECT_EQ(shape.kind, ModelKind::decoder);
    EXPECT_EQ(shape.kv_lora_rank, 512);
    EXPECT_EQ(shape.q_lora_rank, 1536);
    EXPECT_EQ(shape.attention_dim, 16384);
}

// Square matrices in a row are a chain, but norms and attention are no part of an MLP.
TEST(TensorShape, LayersThatChainAreNoMlp) {
    const auto shape = TableMaker()
                           .add("layers.#.fc1.weight", {64, 64}, 3)
                           .add("layers.#.q_proj.weight", {64, 64}, 3)
                           .add("layers.#.norm.weight", {64}, 3)
                           .shape();
    EXPECT_EQ(shape.kind, ModelKind::decoder);
    EXPECT_EQ(shape.depth, 3);
}

TEST(TensorShape, ALanguageModelWithEyesIsADecoder) {
    const auto shape = TableMaker()
                           .add("model.embed_tokens.weight", {1000, 256})
                           .add("vision.patch_embed.weight", {64, 3, 14, 14})
                           .add("vision.layers.#.q_proj.weight", {64, 64}, 2)
                           .add("model.layers.#.input_norm.weight", {256}, 4)
                           .add("model.layers.#.q_proj.weight", {256, 256}, 4)
                           .shape();
    EXPECT_EQ(shape.kind, ModelKind::decoder);
    EXPECT_EQ(shape.depth, 4);
    EXPECT_EQ(shape.width, 256);
}

TEST(TensorShape, StateSpacesAndSharedLayers) {
    const auto mamba = TableMaker()
                           .add("backbone.embeddings.weight", {50280, 768})
                           .add("backbone.layers.#.norm.weight", {768}, 24)
                           .add("backbone.layers.#.mixer.A_log", {1536, 16}, 24)
                           .shape();
    EXPECT_EQ(mamba.kind, ModelKind::state_space);
    EXPECT_EQ(mamba.depth, 24);
    const auto albert =
        TableMaker()
            .add("albert.embeddings.word_embeddings.weight", {30000, 128})
            .add("albert.encoder.albert_layer_groups.#.albert_layers.0.full_layer_layer_norm.weight", {4096})
            .add("albert.encoder.albert_layer_groups.#.albert_layers.0.attention.query.weight", {4096, 4096})
            .add("albert.encoder.albert_layer_groups.#.albert_layers.0.ffn.weight", {16384, 4096})
            .shape();
    EXPECT_FALSE(albert.depth.has_value());
    EXPECT_EQ(albert.embedding_rank, 128);
    EXPECT_THAT(skipped(albert), ::testing::HasSubstr("layers share their weights"));
}

TEST(TensorShape, WhatIsNotRecognisedIsSaid) {
    const auto shape = TableMaker().add("a", {2, 3, 4}).add("b", {5}).shape();
    EXPECT_EQ(shape.kind, ModelKind::unknown);
    EXPECT_THAT(skipped(shape),
                ::testing::HasSubstr("no repeated blocks and no chain of matrices were recognised"));
    const auto empty = shape_from_tensors(TensorTable{}, "e.safetensors");
    ASSERT_FALSE(empty.ok());
    EXPECT_EQ(empty.error().text(), "e.safetensors: holds no tensors");
}

TEST(TensorShape, HostileNamesAndSizes) {
    TableMaker maker;
    for (const std::string name :
         {"", ".", "..", "0", "0.0.0.0", "999999999999.x", "layers.-1.norm", "layers.1.norm.weight",
          "layers.2.norm.weight", "layers.1.q_proj.weight", "a.0.experts.0", "\x1b[2J.0.norm", "wte."}) {
        maker.add(name, {0})
            .add(name, {UINT64_MAX})
            .add(name, {UINT64_MAX, UINT64_MAX})
            .add(name, {})
            .add(name, {1, 2, 3, 4, 5});
    }
    const auto shape = maker.shape();
    for (const auto& one : shape.assumed) EXPECT_EQ(one.reason.find('\x1b'), std::string::npos);
    EXPECT_FALSE(shape.not_analysed.empty());
}

// The header of a real file: a u64 length and JSON.
TensorTable header_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::uint64_t length = 0;
    file.read(reinterpret_cast<char*>(&length), sizeof length);
    std::string text(length, ' ');
    file.read(text.data(), static_cast<std::streamsize>(length));
    TableMaker maker;
    const Json header = parse_json(text, "header").value();
    for (const auto& [name, value] : header.items()) {
        if (name != "__metadata__") maker.add(name, value["shape"].get<Sizes>());
    }
    return maker.table();
}

TEST(TensorShape, RealFiles) {
    const auto mixer = shared_file("data/models/ttm_v1/model.safetensors");
    const auto mlp = shared_file("data/models/mnist_mlp/model.safetensors");
    if (!mixer || !mlp) GTEST_SKIP() << "data/models is absent";
    const auto table = header_of(*mixer);
    EXPECT_EQ(table.elements(), 946'336U);
    const auto shape = shape_from_tensors(table, "ttm").value();
    EXPECT_EQ(shape.kind, ModelKind::mixer);
    EXPECT_EQ(shape.depth, 6);
    EXPECT_EQ(shape.width, 192);
    EXPECT_EQ(shape.input_dim, 64);
    EXPECT_EQ(shape_from_tensors(header_of(*mlp), "mlp").value().kind, ModelKind::mlp);
}

}  // namespace
}  // namespace plimsoll::formats

#include "plimsoll/formats/gguf/gguf_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::formats {
namespace {

Json llama_metadata() {
    return {{"general.architecture", "llama"},    {"llama.block_count", 32},
            {"llama.embedding_length", 4096},     {"llama.feed_forward_length", 14336},
            {"llama.context_length", 8192},       {"llama.attention.head_count", 32},
            {"llama.attention.head_count_kv", 8}, {"tokenizer.ggml.tokens", {{"count", 128256}}}};
}

std::string notes(const ModelShape& shape) {
    std::string text;
    for (const auto& one : shape.assumed) text += one.key + "=" + one.value + " (" + one.reason + ")\n";
    for (const auto& one : shape.not_analysed) text += one.part + ": " + one.reason + "\n";
    return text;
}

TEST(GgufShape, Llama) {
    const auto shape = shape_from_gguf(llama_metadata(), "a.gguf").value();
    EXPECT_EQ(shape.family, "llama");
    EXPECT_EQ(shape.kind, ModelKind::decoder);
    EXPECT_EQ(shape.depth, 32);
    EXPECT_EQ(shape.width, 4096);
    EXPECT_EQ(shape.kv_heads, 8);
    EXPECT_EQ(shape.head_dim, 128);
    EXPECT_EQ(shape.ffn, 14336);
    EXPECT_EQ(shape.ffn_matrices, 3);
    EXPECT_EQ(shape.vocab, 128256);
    EXPECT_THAT(notes(shape), ::testing::HasSubstr("vocab_size=128256 (entries of tokenizer.ggml.tokens)"));
    EXPECT_THAT(notes(shape),
                ::testing::HasSubstr("attention.key_length=128 (embedding_length / attention.head_count)"));
}

TEST(GgufShape, VocabularyOfTheFileOutranksItsTokens) {
    Json metadata = llama_metadata();
    metadata["llama.vocab_size"] = std::uint64_t{32000};
    EXPECT_EQ(shape_from_gguf(metadata, "x").value().vocab, 32000);
    metadata.erase("llama.vocab_size");
    metadata["tokenizer.ggml.tokens"] = {"a", "b", "c"};
    EXPECT_EQ(shape_from_gguf(metadata, "x").value().vocab, 3);
}

TEST(GgufShape, HeadsPerLayerAndLengths) {
    Json metadata = llama_metadata();
    metadata["llama.attention.head_count"] = {32, 16, 32};
    metadata["llama.attention.head_count_kv"] = {8, 0, 8};
    metadata["llama.attention.key_length"] = 256;
    metadata["llama.attention.value_length"] = 128;
    const auto shape = shape_from_gguf(metadata, "x").value();
    EXPECT_EQ(shape.heads, 32);
    EXPECT_EQ(shape.kv_heads, 8);
    EXPECT_EQ(shape.head_dim, 256);
    EXPECT_EQ(shape.value_head_dim, 128);
}

TEST(GgufShape, LatentAttentionAndExperts) {
    const Json metadata{{"general.architecture", "deepseek2"},
                        {"deepseek2.block_count", 61},
                        {"deepseek2.embedding_length", 7168},
                        {"deepseek2.feed_forward_length", 18432},
                        {"deepseek2.attention.head_count", 128},
                        {"deepseek2.attention.head_count_kv", 1},
                        {"deepseek2.attention.key_length", 576},
                        {"deepseek2.attention.value_length", 512},
                        {"deepseek2.attention.key_length_mla", 192},
                        {"deepseek2.attention.value_length_mla", 128},
                        {"deepseek2.attention.q_lora_rank", 1536},
                        {"deepseek2.attention.kv_lora_rank", 512},
                        {"deepseek2.rope.dimension_count", 64},
                        {"deepseek2.expert_count", 256},
                        {"deepseek2.expert_used_count", 8},
                        {"deepseek2.expert_shared_count", 1},
                        {"deepseek2.expert_feed_forward_length", 2048},
                        {"deepseek2.leading_dense_block_count", 3},
                        {"deepseek2.vocab_size", 129280}};
    const auto shape = shape_from_gguf(metadata, "x").value();
    EXPECT_EQ(shape.head_dim, 192);
    EXPECT_EQ(shape.value_head_dim, 128);
    EXPECT_EQ(shape.rope_head_dim, 64);
    EXPECT_EQ(shape.kv_heads, 128);
    EXPECT_EQ(shape.experts, 256);
    EXPECT_EQ(shape.expert_layers, 58);
    EXPECT_EQ(shape.shared_experts, 1);
}

TEST(GgufShape, StateSpaces) {
    const Json metadata{{"general.architecture", "mamba"}, {"mamba.block_count", 24},
                        {"mamba.embedding_length", 768},   {"mamba.ssm.state_size", 16},
                        {"mamba.ssm.inner_size", 1536},    {"mamba.ssm.conv_kernel", 4},
                        {"mamba.ssm.time_step_rank", 48},  {"mamba.vocab_size", 50280}};
    const auto shape = shape_from_gguf(metadata, "x").value();
    EXPECT_EQ(shape.kind, ModelKind::state_space);
    EXPECT_EQ(shape.state_size, 16);
    EXPECT_FALSE(shape.heads.has_value());
}

TEST(GgufShape, ImageEncoders) {
    const Json metadata{{"general.architecture", "clip"},
                        {"clip.vision.block_count", 24},
                        {"clip.vision.embedding_length", 1024},
                        {"clip.vision.attention.head_count", 16},
                        {"clip.vision.feed_forward_length", 4096},
                        {"clip.vision.patch_size", 14},
                        {"clip.vision.image_size", 336}};
    const auto shape = shape_from_gguf(metadata, "x").value();
    EXPECT_EQ(shape.kind, ModelKind::encoder);
    EXPECT_EQ(shape.patch_height, 14);
    EXPECT_EQ(shape.depth, 24);
}

TEST(GgufShape, VocabularyOnlyAndSplitFiles) {
    const Json only{
        {"general.architecture", "gpt2"}, {"tokenizer.ggml.tokens", {{"count", 50257}}}, {"split.count", 3}};
    const auto shape = shape_from_gguf(only, "x").value();
    EXPECT_EQ(shape.vocab, 50257);
    EXPECT_FALSE(shape.depth.has_value());
    EXPECT_THAT(notes(shape), ::testing::HasSubstr("depth: the file has no block_count"));
    EXPECT_THAT(notes(shape), ::testing::HasSubstr("width: the file has no embedding_length"));
    EXPECT_THAT(notes(shape), ::testing::HasSubstr("other files: this file is one of 3"));
}

TEST(GgufShape, UnknownArchitectureAndNone) {
    const auto unknown =
        shape_from_gguf(Json{{"general.architecture", "frob"}, {"frob.block_count", 2}}, "x").value();
    EXPECT_EQ(unknown.depth, 2);
    EXPECT_THAT(notes(unknown), ::testing::HasSubstr("the architecture is not known here"));
    const auto none = shape_from_gguf(Json::object(), "x").value();
    EXPECT_EQ(none.kind, ModelKind::unknown);
    EXPECT_THAT(notes(none), ::testing::HasSubstr("no general.architecture"));
    const auto list = shape_from_gguf(Json::array(), "x.gguf");
    ASSERT_FALSE(list.ok());
    EXPECT_EQ(list.error().text(), "x.gguf: its metadata are no table of keys and values");
}

TEST(GgufShape, AWrongNumberIsAnErrorThatNamesItsKey) {
    for (const Json& wrong : {Json(-1), Json(0), Json("32"), Json(1e300), Json::object(), Json{1, "a"}}) {
        Json metadata = llama_metadata();
        metadata["llama.block_count"] = wrong;
        const auto shape = shape_from_gguf(metadata, "x");
        ASSERT_FALSE(shape.ok()) << wrong;
        EXPECT_EQ(shape.error().kind, ErrorKind::bad_input);
        EXPECT_THAT(shape.error().text(), ::testing::StartsWith("x: block_count: ")) << wrong;
    }
}

TEST(GgufShape, AVocabularyOfAnotherKindIsNotUsed) {
    for (const Json& wrong : {Json(-1), Json(0), Json("32"), Json(1e300), Json(nullptr), Json{1, "a"}}) {
        Json metadata = llama_metadata();
        metadata["tokenizer.ggml.tokens"] = {{"count", wrong}};
        const auto shape = shape_from_gguf(metadata, "x");
        EXPECT_FALSE(shape.ok() && shape->vocab.has_value()) << wrong;
    }
}

}  // namespace
}  // namespace plimsoll::formats

#include "plimsoll/formats/hf_config/config_json_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/formats/hf_config/hf_config.h"

namespace plimsoll::formats {
namespace {

EmitShape read_back(const Json& config) {
    const auto s = shape_from_config(config, "written").value();
    return {*s.depth, *s.width,        *s.heads, *s.kv_heads, *s.head_dim,
            *s.ffn,   *s.ffn_matrices, *s.vocab, *s.context,  s.embedding_rank.value_or(0),
            *s.tied};
}

const std::vector<EmitShape>& good_shapes() {
    static const std::vector<EmitShape> shapes{
        {12, 768, 12, 12, 64, 3072, 2, 50257, 1024, 0, true},     // GPT-2
        {3, 96, 4, 4, 24, 100, 2, 1000, 64, 0, false},            // any feed-forward size
        {22, 2048, 32, 4, 64, 5632, 3, 32000, 2048, 0, false},    // Llama
        {28, 1024, 16, 8, 128, 3072, 3, 151936, 4096, 0, true},   // heads wider than the stream
        {24, 1024, 16, 16, 64, 4096, 2, 50272, 2048, 512, true},  // OPT
    };
    return shapes;
}

TEST(ConfigWriter, WhatIsWrittenIsReadBack) {
    for (const EmitShape& shape : good_shapes()) {
        const auto config = config_for(shape);
        ASSERT_TRUE(config.ok()) << config.error().text();
        EXPECT_EQ(read_back(*config), shape) << config->dump();
    }
}

TEST(ConfigWriter, PicksTheStockClass) {
    const std::vector<std::string> types{"gpt2", "gpt2", "llama", "llama", "opt"};
    for (std::size_t i = 0; i < types.size(); ++i) {
        EXPECT_EQ(config_for(good_shapes()[i]).value()["model_type"], types[i]);
    }
}

TEST(ConfigWriter, ZerosMeanTheUsual) {
    const auto config = config_for({2, 64, 4, 0, 0, 128, 2, 100, 32, 0, true}).value();
    EXPECT_EQ(config["n_head"], 4);
    EXPECT_EQ(read_back(config).head_dim, 16);
}

struct Refusal {
    EmitShape shape;
    ErrorKind kind;
    const char* message;
};

TEST(ConfigWriter, SaysWhatNoStockClassCanDo) {
    const std::vector<Refusal> refusals{
        {{2, 64, 4, 4, 32, 128, 2, 100, 32, 0, true},
         ErrorKind::unsupported,
         "head_dim: no stock class has a plain feed-forward"},
        {{2, 64, 4, 2, 16, 128, 2, 100, 32, 0, true},
         ErrorKind::unsupported,
         "heads that do not fill the width"},
        {{2, 64, 4, 4, 16, 128, 3, 100, 32, 8, true},
         ErrorKind::unsupported,
         "embedding_rank: no stock class has a factorised"},
        {{2, 64, 4, 4, 16, 128, 2, 100, 32, 8, false},
         ErrorKind::unsupported,
         "tied: the stock class with a factorised"},
        {{0, 64, 4, 4, 16, 128, 2, 100, 32, 0, true},
         ErrorKind::bad_input,
         "depth: must be 1..100000, got 0"},
        {{2, 64, 4, 3, 16, 128, 3, 100, 32, 0, true},
         ErrorKind::bad_input,
         "kv_heads: must divide heads 4, got 3"},
        {{2, 64, 4, 4, 16, 128, 4, 100, 32, 0, true},
         ErrorKind::bad_input,
         "ffn_matrices: must be 2 or 3, got 4"},
        {{2, 64, 4, 4, 16, 128, 2, 100, 32, -8, true},
         ErrorKind::bad_input,
         "embedding_rank: must not be negative"},
    };
    for (const Refusal& one : refusals) {
        const auto config = config_for(one.shape);
        ASSERT_FALSE(config.ok()) << one.message;
        EXPECT_EQ(config.error().kind, one.kind);
        EXPECT_THAT(config.error().text(), ::testing::HasSubstr(one.message));
    }
}

}  // namespace
}  // namespace plimsoll::formats

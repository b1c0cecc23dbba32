#include "plimsoll/audit/models/predicted_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/arch/limits.h"
#include "plimsoll/base/format.h"
#include "plimsoll/formats/gguf/gguf_shape.h"
#include "plimsoll/formats/hf_config/config_json_writer.h"
#include "plimsoll/formats/hf_config/families.h"
#include "plimsoll/formats/hf_config/hf_config.h"
#include "tests/formats/config_fixtures.h"
#include "tests/support/shared_data.h"

namespace plimsoll::audit {
namespace {

using formats::ModelShape;
using formats::shape_from_config;

arch::Count counted(const Json& config) {
    return predicted_parameters(shape_from_config(config, "x").value())->parameters;
}

// Released checkpoints and classes of the library; tests/fixtures/README.md says where the numbers come from.
TEST(PredictedCount, EveryFixtureIsCountedExactly) {
    int exact = 0;
    for (const Json& one : formats::config_fixtures()) {
        if (!one["expect"].contains("parameters")) continue;
        const ModelShape shape = shape_from_config(one["config"], "x").value();
        const auto count = predicted_parameters(shape);
        const Json& expected = one["expect"]["parameters"];
        if (expected.is_null() && count) {  // as another class than the file names
            EXPECT_FALSE(count->exact) << one["name"];
            continue;
        }
        ASSERT_EQ(count.has_value(), !expected.is_null()) << one["name"] << ": " << why_no_count(shape);
        EXPECT_EQ(why_no_count(shape).empty(), count.has_value()) << one["name"];
        if (!count) continue;
        EXPECT_EQ(count->parameters.text(), expected.dump()) << one["name"];
        EXPECT_TRUE(count->exact) << one["name"];
        ++exact;
    }
    EXPECT_GE(exact, 80);
}

// A class whose config.json says nothing but its type is counted from its defaults; the others say why not.
TEST(PredictedCount, ManyClassesAreCountedFromTheirDefaults) {
    std::size_t exact = 0;
    for (const auto& line : formats::family_defaults()) {
        const auto shape = shape_from_config({{"model_type", line.type}}, "x");
        ASSERT_TRUE(shape.ok()) << line.type << ": " << shape.error().text();
        const auto count = predicted_parameters(*shape);
        if (count && count->exact) ++exact;
        EXPECT_EQ(count.has_value(), why_no_count(*shape).empty()) << line.type;
    }
    EXPECT_GE(exact, 400U);
}

TEST(PredictedCount, PartsAddUp) {
    for (const Json& one : formats::config_fixtures()) {
        const auto count = predicted_parameters(shape_from_config(one["config"], "x").value());
        if (!count) continue;
        arch::Count sum;
        for (const auto& part : count->parts) sum += part.parameters;
        EXPECT_EQ(sum.text(), count->parameters.text()) << one["name"];
        EXPECT_FALSE(count->note.empty());
    }
}

// Two ways to the same number: the counter of plimsoll/arch, which shares no code with this one.
TEST(PredictedCount, AgreesWithTheCounterOfSpecs) {
    const std::string llama = ",norm=rms,bias=off,positions=rope,ffn_matrices=3";
    for (std::int64_t depth : {1, 7}) {
        for (std::int64_t heads : {2, 8}) {
            for (bool tied : {true, false}) {
                formats::EmitShape s{depth, 64 * heads, heads, heads, 64, 300, 2, 1000, 128, 0, tied};
                const auto spec = [&](const std::string& more) {
                    const auto parsed = arch::parse_spec(fmt::format(
                        "transformer:depth={},width={},heads={},ffn=300,vocab=1000,context=128,tied={}{}",
                        depth, 64 * heads, heads, tied ? "on" : "off", more));
                    return arch::parameter_count(parsed.value()).text();
                };
                EXPECT_EQ(counted(config_for(s).value()).text(), spec(""));
                s.ffn_matrices = 3, s.kv_heads = heads / 2, s.head_dim = 96;
                EXPECT_EQ(counted(config_for(s).value()).text(),
                          spec(fmt::format(",head_dim=96,kv_heads={}", heads / 2) + llama));
            }
        }
    }
    const formats::EmitShape opt{24, 1024, 16, 16, 64, 4096, 2, 50272, 2048, 512, true};
    const auto spec = arch::parse_spec(
        "transformer:depth=24,width=1024,heads=16,vocab=50272,context=2050,embedding_rank=512");
    EXPECT_EQ(counted(config_for(opt).value()).text(), arch::parameter_count(spec.value()).text());
}

TEST(PredictedCount, AGgufIsCountedLikeItsConfig) {
    const Json metadata{{"general.architecture", "llama"},
                        {"llama.block_count", 32},
                        {"llama.embedding_length", 4096},
                        {"llama.feed_forward_length", 14336},
                        {"llama.attention.head_count", 32},
                        {"llama.attention.head_count_kv", 8},
                        {"tokenizer.ggml.tokens", {{"count", 128256}}}};
    const auto count = predicted_parameters(formats::shape_from_gguf(metadata, "x").value());
    EXPECT_EQ(count->parameters.grouped(), "8,030,261,248");
}

TEST(PredictedCount, SaysWhatItCounted) {
    const auto note = [](const char* name) {
        for (const Json& one : formats::config_fixtures()) {
            if (one["name"] == name)
                return *predicted_parameters(shape_from_config(one["config"], name).value());
        }
        ADD_FAILURE() << name;
        return PredictedCount{};
    };
    EXPECT_EQ(note("gpt2").note, "as GPT2LMHeadModel");
    EXPECT_EQ(note("Llama-2-7b").note, "as LlamaForCausalLM");
    EXPECT_EQ(note("bert-large-uncased").note, "without a task head");
    EXPECT_EQ(note("vit-base with its 1000 classes").note, "with a classifier of 1000 classes");
    EXPECT_EQ(note("Gemma-3-4b-it").note, "as Gemma3ForConditionalGeneration");
    EXPECT_TRUE(note("Gemma-3-4b-it").whole);
    EXPECT_THAT(note("somebody's own model").note,
                ::testing::HasSubstr("an estimate: the tensors of this family are not known"));
}

TEST(PredictedCount, SaysWhyItCannotCount) {
    const auto why = [](const char* text) {
        return why_no_count(shape_from_config(parse_json(text, "t").value(), "x").value());
    };
    EXPECT_EQ(why(R"({"model_type": "swin", "depths": [2, 2], "embed_dim": 96})"),
              "depths: is [2,2]; counted are lists of 4");
    EXPECT_EQ(why(R"({"model_type": "swiftformer"})"), "the kind of network is not known");
    EXPECT_EQ(why(R"({"model_type": "other", "hidden_size": 64, "num_attention_heads": 4})"),
              "the depth is not known");
    EXPECT_EQ(
        why(R"({"model_type": "gpt2", "n_head": 1000})"),
        "n_embd//n_head*n_head != n_embd: is true of this file and was not where the table was derived");
    EXPECT_EQ(why(R"({"model_type": "rwkv", "rescale": 6})"),
              "rescale: is no key that the table knows of this class");
}

TEST(PredictedCount, TheLargestNumbersDoNotOverflow) {
    const Json config{{"model_type", "mixtral"},
                      {"num_hidden_layers", arch::max_depth},
                      {"hidden_size", arch::max_width},
                      {"num_attention_heads", arch::max_heads},
                      {"num_key_value_heads", arch::max_heads},
                      {"head_dim", arch::max_width},
                      {"intermediate_size", arch::max_hidden},
                      {"vocab_size", arch::max_vocab},
                      {"num_local_experts", arch::max_experts},
                      {"num_experts_per_tok", arch::max_experts}};
    const auto count = predicted_parameters(shape_from_config(config, "x").value());
    ASSERT_TRUE(count.has_value());
    EXPECT_GT(count->parameters.real(), 3e24) << "the experts alone";
}

TEST(PredictedCount, RealFilesOfOthers) {
    struct Row {
        const char* path;
        const char* parameters;
    };
    for (const Row& row : {
             Row{"data/models/configs/bert-base-uncased.config.json", "109,482,240"},
             Row{"data/models/configs/gpt2-large.config.json", "774,030,080"},
             // albert-xxlarge-v2 (222,595,584 with 30,000 tokens) less 8,872 rows of 128.
             Row{"data/models/configs/albert_zh_xxlarge.albert_config.json", "221,459,968"},
             Row{"data/models/ttm_v1/config.json", "946,336"},
         }) {
        const auto path = shared_file(row.path);
        if (!path) GTEST_SKIP() << row.path << " is absent";
        const auto count = predicted_parameters(shape_from_config(read_json(*path).value(), "x").value());
        ASSERT_TRUE(count.has_value()) << row.path;
        EXPECT_EQ(count->parameters.grouped(), row.parameters) << row.path;
        EXPECT_TRUE(count->exact);
    }
}

}  // namespace
}  // namespace plimsoll::audit

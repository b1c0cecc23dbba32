#include "plimsoll/arch/count.h"

#include <map>

#include <gtest/gtest.h>

#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/format.h"
#include "tests/support/error_text.h"
#include "tests/support/random_spec.h"

namespace plimsoll::arch {
namespace {

using testing::for_random_specs;

Count parameters(const std::string& text) {
    const auto spec = parse_spec(text);
    EXPECT_TRUE(spec.ok()) << text << ": " << error_text(spec);
    return spec.ok() ? parameter_count(*spec) : Count();
}

CountReport report(const std::string& text, CountOptions options = {}) {
    const auto spec = parse_spec(text);
    EXPECT_TRUE(spec.ok()) << text << ": " << error_text(spec);
    const auto result = count(*spec, options);
    EXPECT_TRUE(result.ok()) << text << ": " << error_text(result);
    return *result;
}

TEST(Count, EqualsTheSumOverTheTensors) {
    for_random_specs(150, [](const ArchSpec& spec) {
        Count listed;
        for (const auto& tensor : tensors(spec)) listed += tensor.size();
        EXPECT_EQ(parameter_count(spec).text(), listed.text());
    });
}

TEST(Count, NamesOfTensorsDiffer) {
    for_random_specs(20, [](const ArchSpec& spec) {
        std::map<std::string, int> seen;
        for (const auto& tensor : tensors(spec)) EXPECT_EQ(++seen[tensor.name], 1) << tensor.name;
    });
}

TEST(Count, PartsAddUp) {
    for_random_specs(20, [](const ArchSpec& spec) {
        const auto result = count(spec, {});
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result->parameters, parameter_count(spec));
        EXPECT_EQ(result->parameters, result->embedding + result->non_embedding);
        EXPECT_LE(result->active, result->parameters);
        EXPECT_EQ(result->training_flops, Count(3) * result->forward_flops);
        EXPECT_GE(result->activation_bytes, result->score_bytes);
    });
}

// LEVINE-PARAMS: 12 d^2 a layer, embeddings, biases and norms left out.
TEST(Count, LevineCountsTwelveSquaresALayer) {
    for (const std::int64_t depth : {1, 6, 48}) {
        for (const std::int64_t width : {8, 768, 12288}) {
            const auto text =
                fmt::format("transformer:depth={},width={},heads=4,bias=off,norm=none", depth, width);
            EXPECT_EQ(parameters(text), Count(12) * depth * width * width);
        }
    }
}

// WIES-TAB5 (ERRATA E29): 12 rho L d^2 when the feed-forward layer is scaled, (4 rho + 8) L d^2 when it is
// not.
TEST(Count, WiesCountsScaleWithTheAttentionRatio) {
    const std::string shape =
        "transformer:depth=12,width=144,heads=24,head_dim=96,bias=off,norm=none";  // rho = 16
    const Count square = Count(144) * 144;
    EXPECT_EQ(parameters(shape + ",ffn_scaled=on"), Count(12 * 16 * 12) * square);
    EXPECT_EQ(parameters(shape), Count((4 * 16 + 8) * 12) * square);
}

TEST(Count, AttentionHasFourMatricesAHead) {
    EXPECT_EQ(parameters("attention:depth=5,width=12,heads=3,head_dim=7"), Count(5 * 3 * 4 * 7 * 12));
    const std::string shape = "attention:depth=1,width=8,heads=2,context=10,vocab=6";
    const Count bare = parameters("attention:depth=1,width=8,heads=2");
    EXPECT_EQ(parameters(shape) - bare, Count(6 * 8));
    EXPECT_EQ(parameters(shape + ",embedding_rank=2,position_rank=3") - bare,
              Count(2 * (6 + 8) + 3 * (8 + 10)));
    EXPECT_EQ(parameters(shape + ",positions=free") - bare, Count(6 * 8 + 8 * 10));
}

TEST(Count, EveryLayerAddsTheSame) {
    for (const std::string family :
         {"attention:width=8,heads=2", "transformer:width=8,heads=2,vocab=9", "square-mlp:rows=3,cols=2",
          "mixer:tokens=4,channels=6", "s-mixer:tokens=4,channels=6", "rp-mixer:tokens=4,channels=6",
          "pk:width=12,blocks=3", "sw-mlp:width=12,connections=5,bias=on", "monarch:width=8,norm=layer",
          "mlp:width=8,inputs=3,categories=3+5", "s2-mlp:channels=8,patch=16", "vip:channels=28,patch=16",
          "hire-mlp:channels=8,patch=16"}) {
        const auto of_depth = [&](int depth) {
            return parameters(fmt::format("{},depth={}", family, depth));
        };
        EXPECT_EQ(of_depth(4) - of_depth(3), of_depth(10) - of_depth(9)) << family;
    }
}

TEST(Count, TyingSavesOneTable) {
    const std::string shape = "transformer:depth=2,width=8,heads=2,vocab=50";
    EXPECT_EQ(parameters(shape + ",tied=off") - parameters(shape), Count(50 * 8));
    const std::string low = shape + ",embedding_rank=3,head_rank=3";
    EXPECT_EQ(parameters(low + ",tied=off") - parameters(low), Count(50 * 3));
}

TEST(Count, AsManyKeyHeadsAsHeadsIsNoGrouping) {
    const std::string shape = "transformer:depth=2,width=8,heads=4";
    EXPECT_EQ(parameters(shape + ",kv_heads=4"), parameters(shape));
    EXPECT_EQ(parameters(shape) - parameters(shape + ",kv_heads=1"), Count(2 * 2 * (8 + 1) * 3 * 2));
}

TEST(Count, SharedLayersAreStoredOnceAndUsedOften) {
    const auto all = report("transformer:depth=6,width=8,heads=2");
    const auto one = report("transformer:depth=6,width=8,heads=2,layer_groups=1");
    EXPECT_EQ(all.parameters - Count(16), Count(6) * (one.parameters - Count(16)));  // 16: the final norm
    EXPECT_EQ(all.forward_flops, one.forward_flops);
    EXPECT_EQ(all.activation_bytes, one.activation_bytes);
}

TEST(Count, PermutationsAndOrderCostNothing) {
    const std::string mixer = ":depth=3,tokens=4,channels=6,classes=2";
    EXPECT_EQ(parameters("rp-mixer" + mixer), parameters("mixer" + mixer));
    EXPECT_EQ(report("rp-mixer" + mixer).forward_flops, report("mixer" + mixer).forward_flops);
    const std::string square = "square-mixer:rows=2,cols=2,depth=3";
    EXPECT_EQ(parameters(square + ",permutations=random"), parameters(square));
    EXPECT_EQ(parameters(square + ",odd=3+2+1+0,residual=all"), parameters(square));
    const std::string net = "transformer:depth=3,width=8,heads=2";
    EXPECT_EQ(parameters(net + ",order=attention-first"), parameters(net));
    EXPECT_EQ(parameters(net + ",attention=linear"), parameters(net));
}

// HAYASE-WIDTH, HAYASE-OMEGA: multiply-adds of a bias-free s-mixer are the non-zeros of I_C (x) W and V^T (x)
// I_S.
TEST(Count, ASimpleMixerIsAWideSparseMlp) {
    const std::int64_t tokens = 6, channels = 10, wide = tokens * channels;
    const auto mixer = report("s-mixer:depth=2,tokens=6,channels=10,bias=off,norm=none");
    const Count omega = Count(wide) * (tokens + channels) * 1;  // both layers of a block: S C (S + C)
    EXPECT_EQ(mixer.forward_flops, Count(2) * 2 * omega);
    EXPECT_EQ(effective_width(std::get<MixerSpec>(*parse_spec("s-mixer:depth=2,tokens=6,channels=10"))),
              wide);
    const auto pk = report("pk:depth=4,width=60,blocks=10+6,permutations=commutation");
    EXPECT_EQ(pk.parameters, mixer.parameters);
    EXPECT_EQ(pk.forward_flops, mixer.forward_flops);
    const auto sparse = report("sw-mlp:depth=4,width=60,connections=480");  // omega / 2 a layer
    EXPECT_EQ(sparse.forward_flops, mixer.forward_flops);
    const auto tied = report("monarch:depth=2,width=60,blocks=10,second_blocks=6,tied_blocks=on");
    EXPECT_EQ(tied.parameters, mixer.parameters);
    EXPECT_EQ(tied.forward_flops, mixer.forward_flops);
}

// Pythia's README prints non-embedding counts: 18,915,328 for the smallest.
TEST(Count, NonEmbeddingLeavesOutTablesAndTheVocabularyHead) {
    const auto r =
        report("transformer:depth=6,width=512,heads=8,vocab=50304,tied=off,positions=rope,order=parallel");
    EXPECT_EQ(r.embedding, Count(2 * 50304) * 512);
    EXPECT_EQ(r.non_embedding.grouped(), "18,915,328");
}

TEST(Count, ExpertsAreActiveAFewAtATime) {
    const auto r = report(
        "transformer:depth=32,width=4096,heads=32,kv_heads=8,ffn=14336,vocab=32000,tied=off,experts=8,norm="
        "rms,"
        "bias=off,positions=rope,ffn_matrices=3");
    EXPECT_EQ(r.parameters - r.active, Count(32LL * 6 * 3 * 4096 * 14336));  // six of eight experts are idle
    EXPECT_EQ(r.active.grouped(), "12,879,925,248");
}

// The convention of docs/COUNTING.md on GPT-2: 2 FLOPs a matrix weight, 4 N heads head_dim a layer for the
// products.
TEST(Count, FlopsOfGptTwo) {
    const auto r = report("transformer:depth=12,width=768,heads=12,vocab=50257");
    const Count weights = Count(12 * 12) * 768 * 768 + Count(50257) * 768;
    EXPECT_EQ(r.unit, "token");
    EXPECT_EQ(r.forward_flops, Count(2) * weights + Count(4) * 12 * 1024 * 768);
    EXPECT_EQ(r.kv_bytes_per_token, Count(12 * 2 * 768 * 2));
    const auto half = report("transformer:depth=12,width=768,heads=12,vocab=50257", {.context = 512});
    EXPECT_EQ(r.forward_flops - half.forward_flops, Count(4) * 12 * 512 * 768);
    EXPECT_EQ(r.parameters, half.parameters);
}

TEST(Count, TheCacheHoldsWhatTheHeadsShare) {
    const std::string shape = "transformer:depth=10,width=64,heads=8,positions=rope";
    EXPECT_EQ(report(shape).kv_bytes_per_token, Count(10 * 2 * 64 * 2));
    EXPECT_EQ(report(shape + ",kv_heads=2").kv_bytes_per_token, Count(10 * 2 * 16 * 2));
    EXPECT_EQ(report(shape + ",kv_heads=2,value_dim=5").kv_bytes_per_token, Count(10 * 2 * (8 + 5) * 2));
    EXPECT_EQ(report(shape + ",kv_rank=5,rope_dim=4").kv_bytes_per_token, Count(10 * (5 + 4) * 2));
    EXPECT_EQ(report(shape + ",stack=encoder").kv_bytes_per_token, Count(0));
    const auto linear = report(shape + ",attention=linear");
    EXPECT_EQ(linear.kv_bytes_per_token, Count(0));
    EXPECT_EQ(linear.state_bytes, Count(10 * 8 * 8 * 8 * 2));
    EXPECT_EQ(linear.score_bytes, Count(0));
}

TEST(Count, BatchAndBytesScaleTheActivations) {
    const std::string shape = "transformer:depth=2,width=8,heads=2,vocab=9";
    const auto one = report(shape, {.context = 7, .batch = 1, .bytes_per_value = 1});
    const auto many = report(shape, {.context = 7, .batch = 5, .bytes_per_value = 4});
    EXPECT_EQ(many.activation_bytes, Count(20) * one.activation_bytes);
    EXPECT_EQ(one.score_bytes, Count(2 * 2 * 7 * 7));
    // embedding 8; per layer 2 norms 16, qkv 24, sum 8, output 8, ffn 2*32+8; final norm 8; logits 9
    EXPECT_EQ(one.activation_bytes - one.score_bytes, Count(7 * (8 + 2 * (16 + 24 + 8 + 8 + 72) + 8 + 9)));
}

TEST(Count, OptionsThatDoNotFitAreRefused) {
    const auto text = [](const char* spec, CountOptions options) {
        return count(*parse_spec(spec), options).error().text();
    };
    const char* gpt = "transformer:depth=1,width=8,heads=2,vocab=9";
    EXPECT_EQ(text(gpt, {.context = 1025}), "context: must be 1..1024, got 1025");
    EXPECT_EQ(text(gpt, {.batch = 0}), "batch: must be 1..1000000, got 0");
    EXPECT_EQ(text(gpt, {.bytes_per_value = 17}), "bytes-per-value: must be 1..16, got 17");
    EXPECT_EQ(text("mixer:depth=1,tokens=4,channels=4", {.context = 4}),
              "context: is fixed by the keys of mixer");
}

// Nothing overflows at the largest values that the keys allow (an overflow would be a Bug).
TEST(Count, TheLargestNetworksFit) {
    const CountOptions most{.context = 0, .batch = max_batch, .bytes_per_value = 16};
    const auto biggest = report(
        "transformer:depth=100000,width=1M,heads=100000,head_dim=1M,ffn=100M,ffn_matrices=3,vocab=1B,tied="
        "off,"
        "experts=100000,experts_active=100000,experts_shared=100000,context=1B,stack=encoder-decoder,norm_"
        "order=both,"
        "qk_norm=full,head_rank=100M,embedding_rank=100M",
        most);
    EXPECT_GT(biggest.parameters, Count(1'000'000'000'000'000'000) * 1'000'000);
    EXPECT_GT(report("hire-mlp:depth=100000,channels=1M,patch=1,image=30000,region=30000,bottleneck=100M,"
                     "channel_hidden=100M,classes=1B,image_channels=10000",
                     most)
                  .activation_bytes,
              Count(0));
    report("sw-mlp:depth=100000,width=1B,hidden=1B,density=1,bias=on,norm=layer,inputs=100M,classes=1B",
           most);
    report("monarch:depth=100000,width=1B,hidden=1B,blocks=1,bias=on", most);
    report("pk:depth=100000,width=1B,blocks=1,bias=on", most);
    report("square-mixer:rows=1M,cols=1M,depth=10000", most);
    report("mixer:depth=10000,tokens=1M,channels=1M,token_hidden=100M,channel_hidden=100M,vocab=1B,tied=off",
           most);
    report("attention:depth=100000,width=1M,heads=100000,head_dim=1M,vocab=1B,positions=free,context=1B",
           most);
}

TEST(Count, PrintsAllDigits) {
    Count big = Count(INT64_MAX) * Count(INT64_MAX);
    EXPECT_EQ(big.text(), "85070591730234615847396907784232501249");
    EXPECT_EQ(big.grouped(), "85,070,591,730,234,615,847,396,907,784,232,501,249");
    EXPECT_EQ(Count(0).text(), "0");
    EXPECT_THROW(big * Count(5), Bug);
    EXPECT_THROW(Count(1) - Count(2), Bug);
}

}  // namespace
}  // namespace plimsoll::arch

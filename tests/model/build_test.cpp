// What build() refuses, and where first values and dropout masks come from.
#include <cmath>

#include "plimsoll/model/dropout.h"
#include "plimsoll/model/init.h"
#include "tests/model/model_test_support.h"

namespace plimsoll::model {
namespace {

Error refusal(const std::string& text, const BuildOptions& options = {}) {
    const auto network = build(*arch::parse_spec(text), options);
    return network.ok() ? Error{} : network.error();
}

TEST(Build, RefusesWhatItCannotTrainWithASentence) {
    const std::string base = "transformer:depth=2,width=8,heads=2,vocab=7,";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"stack=encoder-decoder",
         "stack: an encoder-decoder cannot be trained here; a decoder or an encoder can"},
        {"experts=2", "experts: routed experts cannot be trained here; they can be counted and audited"},
        {"kv_rank=4", "kv_rank: latent attention (MLA) cannot be trained here; kv_heads can"},
        {"sinks=on", "sinks: attention sinks cannot be trained here"},
        {"attention=linear,positions=alibi",
         "positions: attention=linear has no scores for a bias to weigh; use learned, sinusoidal, rope or "
         "none"},
        {"stack=encoder,positions=relative,position_buckets=3",
         "position_buckets: too few to tell distances apart; a decoder needs 2, an encoder 4"},
        {"order=parallel,norm_order=post",
         "norm_order: post is not defined for order=parallel; use pre or both"},
        {"order=parallel,shared_norm=on,norm_order=both",
         "shared_norm: is not defined with norm_order=both"}};
    for (const auto& [keys, message] : cases) {
        const Error error = refusal(base + keys);
        EXPECT_EQ(error.text(), message);
        EXPECT_EQ(error.kind, ErrorKind::unsupported);
    }
    EXPECT_EQ(refusal("sw-mlp:depth=1,width=100000,connections=5000000000").text(),
              "connections: must be below 2^31 to be trained here");
}

TEST(Build, RefusesOptionsThatCannotBe) {
    const std::string mixer = "s-mixer:depth=1,tokens=2,channels=2";
    BuildOptions options;
    options.dropout = 1;
    EXPECT_EQ(refusal(mixer, options).text(), "dropout: must be at least 0 and below 1, got 1");
    options.dropout = 0.5;
    EXPECT_EQ(refusal("square-mlp:rows=2,cols=2,depth=1", options).text(),
              "dropout: square-mlp is a polynomial of its input and has no dropout");
    options.dropout = 0;
    options.dtype = torch::kHalf;
    EXPECT_EQ(refusal(mixer, options).text(),
              "dtype: parameters are float or double; bfloat16 is for the products alone");
    options.dtype = torch::kFloat;
    options.init = "gpt3";
    EXPECT_EQ(refusal(mixer, options).text(), "init: there is no 'gpt3' (did you mean gpt2?)");
    options.init = "ntk";
    EXPECT_EQ(refusal("transformer:depth=1,width=4,heads=1,vocab=3", options).text(),
              "init: ntk is for mixers, vision MLPs, flat and analysed nets; a transformer takes gpt2, bert, "
              "navon or fan-in");
}

double deviation(const Network& network, const std::string& name) {
    return parameter(network, name).square().mean().sqrt().item<double>();
}

TEST(Initialisation, Gpt2ScalesWhatWritesIntoTheResidual) {
    const auto network = built("transformer:depth=8,width=64,heads=2,vocab=100", "default");
    EXPECT_NEAR(deviation(*network, "layers.3.attention.query.weight"), 0.02, 0.001);
    EXPECT_NEAR(deviation(*network, "layers.3.attention.output.weight"), 0.005, 0.0003);
    EXPECT_NEAR(deviation(*network, "layers.3.ffn.down.weight"), 0.005, 0.0003);
    EXPECT_NEAR(deviation(*network, "tokens.weight"), 0.02, 0.001);
    EXPECT_EQ(deviation(*network, "layers.3.attention_norm.weight"), 1);
    EXPECT_EQ(deviation(*network, "layers.3.ffn.up.bias"), 0);
}

TEST(Initialisation, BertIsCutAtTwoDeviations) {
    const auto network = built("transformer:depth=1,width=64,heads=2,vocab=100,stack=encoder", "default");
    const auto weight = parameter(*network, "layers.0.ffn.up.weight");
    EXPECT_LE(weight.abs().max().item<double>(), 0.04);
    EXPECT_NEAR(deviation(*network, "layers.0.ffn.up.weight"), 0.02 * 0.8796, 0.0005);  // of a cut normal
}

TEST(Initialisation, NavonIsPyTorchsOwn) {
    const auto network =
        built("mixer:depth=1,channels=64,patch=4,image=32,image_channels=3,classes=10", "default");
    const auto bound = [&](const std::string& name) {
        return parameter(*network, name).abs().max().item<double>();
    };
    EXPECT_NEAR(bound("patches.weight"), 1 / std::sqrt(48.0), 0.001);
    EXPECT_NEAR(bound("blocks.0.channels.down.weight"), 1 / 16.0, 0.001);
    EXPECT_NEAR(bound("blocks.0.channels.down.bias"), 1 / 16.0, 0.004);
    EXPECT_LE(bound("blocks.0.channels.down.bias"), 1 / 16.0);
    EXPECT_EQ(bound("blocks.0.token_norm.bias"), 0);
}

// Positions of deviation 1 would drown the rows of a tied table, which start at 1/sqrt(width).
TEST(Initialisation, WhatIsAddedToATiedTableStartsAtItsSize) {
    for (const char* init : {"fan-in", "navon"}) {
        const auto tied = built("transformer:depth=1,width=64,heads=2,vocab=100,context=50", init);
        EXPECT_NEAR(deviation(*tied, "tokens.weight"), 0.125, 0.005);
        EXPECT_NEAR(deviation(*tied, "positions.weight"), 0.125, 0.005);
        const auto apart = built("transformer:depth=1,width=64,heads=2,vocab=100,context=50,tied=off", init);
        EXPECT_NEAR(deviation(*apart, "tokens.weight"), 1, 0.04);
        EXPECT_NEAR(deviation(*apart, "positions.weight"), 1, 0.04);
    }
}

TEST(Initialisation, SparseMatricesCountTheirConnectionsAndNtkKeepsTheFunction) {
    const std::string text = "sw-mlp:depth=2,width=400,density=0.05,activation=relu";
    const auto plain = built(text, "fan-in"), ntk = built(text, "ntk");
    EXPECT_NEAR(deviation(*plain, "layers.0.first.values"), 1 / std::sqrt(20.0), 0.01);
    EXPECT_NEAR(deviation(*ntk, "layers.0.first.values"), 1 / std::sqrt(0.05), 0.1);
    const Input input = sample_input(plain->spec(), 2, 3);
    EXPECT_LT(difference(plain->forward(input, 0), ntk->forward(input, 0)), 1e-12);
}

TEST(Initialisation, DependsOnSeedAndNameAloneAndIsTheSameInFloat) {
    const auto spec = *arch::parse_spec("s-mixer:depth=2,tokens=4,channels=4");
    BuildOptions options;
    options.init_seeds = {9};
    const auto narrow = build(spec, options);
    options.dtype = torch::kDouble;
    const auto wide = build(spec, options),
               deeper = build(*arch::parse_spec("s-mixer:depth=3,tokens=4,channels=4"), options);
    options.init_seeds = {10};
    const auto other = build(spec, options);
    for (const auto& [name, tensor] : (*wide)->parameters()) {
        EXPECT_TRUE(at::equal(parameter(**narrow, name), tensor.to(at::kFloat))) << name;
        EXPECT_TRUE(at::equal(parameter(**deeper, name), tensor)) << name;
    }
    EXPECT_FALSE(
        at::equal(parameter(**other, "blocks.0.tokens.weight"), parameter(**wide, "blocks.0.tokens.weight")));
}

TEST(Initialisation, ListsEveryNameWithItsSource) {
    for (const auto& one : initialisations()) {
        EXPECT_FALSE(one.meaning.empty()) << one.name;
        EXPECT_EQ(one.source.empty(), one.name == "default") << one.name;
        EXPECT_TRUE(build(*arch::parse_spec("mixer:depth=1,tokens=2,channels=2"), {.init = one.name}).ok());
    }
}

class DropoutFamilies : public ::testing::TestWithParam<const char*> {};

TEST_P(DropoutFamilies, MasksDependOnTheSeedAlone) {
    const auto network = built(GetParam(), "default", 0.5), without = built(GetParam(), "default");
    const Input input = sample_input(network->spec(), 2, 3);
    const auto first = network->forward(input, 7);
    at::rand({3});  // somebody else's numbers do not matter
    EXPECT_EQ(difference(first, network->forward(input, 7)), 0);
    EXPECT_GT(difference(first, network->forward(input, 8)), 0);
    EXPECT_EQ(difference(network->forward(input, 0), without->forward(input, 5)), 0);
}

INSTANTIATE_TEST_SUITE_P(Families, DropoutFamilies,
                         ::testing::Values("transformer:depth=1,width=8,heads=2,vocab=7",
                                           "transformer:depth=1,width=8,heads=2,vocab=7,order=parallel",
                                           "mixer:depth=1,tokens=4,channels=8,vocab=7",
                                           "rp-mixer:depth=1,tokens=4,channels=8",
                                           "pk:depth=1,width=8,blocks=2",
                                           "sw-mlp:depth=1,width=8,density=0.5", "monarch:depth=1,width=8",
                                           "vip:depth=1,channels=8,patch=2,image=4,image_channels=1"));

TEST(Dropout, KeepsTheMeanAndDropsTheRate) {
    Dropout dropout(0.25, {3}, torch::kCPU);
    const auto x = dropout(at::ones({100'000}, at::kDouble));
    EXPECT_NEAR(x.eq(0).to(at::kDouble).mean().item<double>(), 0.25, 0.01);
    EXPECT_NEAR(x.mean().item<double>(), 1, 0.01);
    EXPECT_NEAR(x.max().item<double>(), 4.0 / 3, 1e-12);
}

}  // namespace
}  // namespace plimsoll::model

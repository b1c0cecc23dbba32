// Laws of the transformer: what must be equal, and who may see what.
#include "plimsoll/model/positions.h"
#include "tests/model/model_test_support.h"

namespace plimsoll::model {
namespace {

// How far a change of the last token reaches: the largest change of any output before it.
double reach(const Network& network, std::int64_t vocab) {
    Input input = sample_input(network.spec(), 2, 3);
    const auto before = network.forward(input, 0);
    const std::int64_t last = input.tokens.size(1) - 1;
    input.tokens = input.tokens.clone();
    input.tokens.select(1, last).add_(1).remainder_(vocab);
    const auto after = network.forward(input, 0);
    EXPECT_GT(difference(before.select(1, last), after.select(1, last)), 1e-6)
        << "its own output must change";
    return difference(before.narrow(1, 0, last), after.narrow(1, 0, last));
}

class Causal : public ::testing::TestWithParam<const char*> {};
TEST_P(Causal, DoesNotLookAhead) { EXPECT_EQ(reach(*built(GetParam()), 7), 0); }
INSTANTIATE_TEST_SUITE_P(
    Decoders, Causal,
    ::testing::Values("transformer:depth=2,width=8,heads=2,vocab=7",
                      "transformer:depth=2,width=8,heads=2,vocab=7,positions=alibi",
                      "transformer:depth=2,width=8,heads=2,vocab=7,positions=relative",
                      "transformer:depth=2,width=8,heads=2,vocab=7,positions=rope,kv_heads=1",
                      "transformer:depth=2,width=8,heads=2,vocab=7,attention=linear,order=parallel",
                      "mixer:depth=2,tokens=4,channels=8,vocab=7,expansion=2",
                      "s-mixer:depth=2,tokens=4,channels=8,vocab=7,tied=off"));

class Bidirectional : public ::testing::TestWithParam<const char*> {};
TEST_P(Bidirectional, LooksAhead) { EXPECT_GT(reach(*built(GetParam()), 7), 1e-6); }
INSTANTIATE_TEST_SUITE_P(
    Encoders, Bidirectional,
    ::testing::Values("transformer:depth=2,width=8,heads=2,vocab=7,stack=encoder",
                      "transformer:depth=2,width=8,heads=2,vocab=7,stack=encoder,attention=linear",
                      "mixer:depth=2,tokens=4,channels=8,vocab=7,causal=off"));

// Two specs that must give one function when `make_equal` has copied what they do not share.
template <class MakeEqual>
void expect_same(const std::string& left, const std::string& right, MakeEqual make_equal) {
    const auto a = built(left), b = built(right);
    copy_namesakes(*a, *b);
    make_equal(*a, *b);
    const Input input = sample_input(a->spec(), 2, 6);
    EXPECT_LT(difference(a->forward(input, 0), b->forward(input, 0)), 1e-12);
}

const std::string small = "transformer:depth=3,width=8,heads=2,vocab=7,context=6";

TEST(Transformer, FactoredTablesOfFullRankCanEqualTheUnfactored) {
    expect_same(small + ",tied=off", small + ",tied=off,embedding_rank=8,position_rank=6",
                [](const Network& a, const Network& b) {
                    set(b, "tokens.factor.weight", at::eye(8, at::kDouble));
                    set(b, "positions.weight", at::eye(6, at::kDouble));
                    set(b, "positions.factor.weight", parameter(a, "positions.weight").t());
                });
}

TEST(Transformer, TiedFactoredHeadGoesBackThroughTheTable) {
    expect_same(
        small + ",tied=off,embedding_rank=3,head_rank=3", small + ",embedding_rank=3",
        [](const Network& a, const Network& b) { set(a, "head.weight", parameter(b, "tokens.weight")); });
}

TEST(Transformer, NeighbouringLayersOfAGroupShareTheirWeights) {
    const std::string deep = "transformer:depth=5,width=8,heads=2,vocab=7,context=6";
    expect_same(deep + ",layer_groups=2", deep, [](const Network& a, const Network& b) {
        const std::vector<std::string> group{"layers.0.", "layers.0.", "layers.0.", "layers.1.", "layers.1."};
        for (const auto& [name, tensor] : b.parameters()) {
            if (!name.starts_with("layers.")) continue;
            const auto layer = static_cast<std::size_t>(name[7] - '0');
            set(b, name, parameter(a, group[layer] + name.substr(9)));
        }
    });
}

TEST(Transformer, SharedKeysAreRepeatedKeys) {
    expect_same(small + ",kv_heads=1", small, [](const Network& a, const Network& b) {
        for (const auto& [name, tensor] : a.parameters()) {
            if (name.find(".key.") == std::string::npos && name.find(".value.") == std::string::npos)
                continue;
            set(b, name, at::cat({tensor, tensor}));
        }
    });
}

TEST(Transformer, AttentionFirstReordersTheSublayers) {
    const std::string tail = ",positions=none,final_norm=off";
    const auto whole =
        built("transformer:depth=2,width=8,heads=2,stack=encoder,order=attention-first" + tail);
    const auto attention = built("transformer:depth=2,width=8,heads=2,stack=encoder,ffn=none" + tail);
    copy_namesakes(*whole, *attention);
    Input input;
    input.values = normal({2, 4, 8}, 2);
    torch::Tensor x = attention->forward(input, 0);
    for (const std::string layer : {"layers.0.ffn", "layers.1.ffn"}) {
        const auto get = [&](const char* name) { return parameter(*whole, layer + name); };
        const auto z = at::layer_norm(x, {8}, get("_norm.weight"), get("_norm.bias"), 1e-5);
        const auto hidden = at::gelu(at::linear(z, get(".up.weight"), get(".up.bias")));
        x = x + at::linear(hidden, get(".down.weight"), get(".down.bias"));
    }
    EXPECT_LT(difference(whole->forward(input, 0), x), 1e-12);
}

TEST(Transformer, PaddingIsNotRead) {
    const auto network = built("transformer:depth=2,width=8,heads=2,vocab=7,context=8,stack=encoder");
    Input whole = sample_input(network->spec(), 2, 3), part;
    part.tokens = whole.tokens.narrow(1, 0, 4);
    whole.padding = at::arange(6, at::kLong).ge(4).expand({2, 6});
    EXPECT_LT(difference(network->forward(whole, 0).narrow(1, 0, 4), network->forward(part, 0)), 1e-12);
}

TEST(Transformer, ADecoderClassifiesByItsLastTokenThatIsNoPadding) {
    const auto network = built("transformer:depth=1,width=8,heads=2,vocab=7,context=8,classes=3");
    Input whole = sample_input(network->spec(), 2, 3), part;
    part.tokens = whole.tokens.narrow(1, 0, 4);
    whole.padding = at::arange(6, at::kLong).ge(4).expand({2, 6});
    EXPECT_LT(difference(network->forward(whole, 0), network->forward(part, 0)), 1e-12);
}

TEST(Transformer, SentencesAreToldApartBySegments) {
    const auto network =
        built("transformer:depth=1,width=8,heads=2,vocab=7,stack=encoder,segments=2,classes=3,pooler=on");
    Input input = sample_input(network->spec(), 2, 3), none = input;
    none.segments = torch::Tensor();
    EXPECT_GT(difference(network->forward(input, 0), network->forward(none, 0)), 1e-6);
    none.segments = at::zeros_like(input.tokens);
    Input missing = none;
    missing.segments = torch::Tensor();
    EXPECT_EQ(difference(network->forward(none, 0), network->forward(missing, 0)), 0);
}

TEST(Transformer, ShortTextsReadTheFirstPositions) {
    for (const char* text : {"transformer:depth=2,width=8,heads=2,vocab=7,context=6,positions=sinusoidal",
                             "transformer:depth=2,width=8,heads=2,vocab=7,context=6,position_rank=2",
                             "mixer:depth=2,tokens=6,channels=8,vocab=7,expansion=2"}) {
        const auto network = built(text);
        const Input whole = sample_input(network->spec(), 2, 3);
        Input part;
        part.tokens = whole.tokens.narrow(1, 0, 4);
        EXPECT_LT(difference(network->forward(whole, 0).narrow(1, 0, 4), network->forward(part, 0)), 1e-12)
            << text;
    }
}

TEST(Positions, RotatedProductsDependOnTheDistanceAlone) {
    const auto table = rope_table(9, 6);
    const auto q = normal({6}, 1), k = normal({6}, 2);
    const auto turned = [&](const torch::Tensor& x) { return rotate(x.expand({1, 1, 9, 6}), table)[0][0]; };
    const auto scores = at::matmul(turned(q), turned(k).t());  // (9, 9)
    for (int shift = 0; shift < 6; ++shift) {
        EXPECT_NEAR(scores[shift][shift + 3].item<double>(), scores[0][3].item<double>(), 1e-12);
    }
    EXPECT_NEAR(scores[0][0].item<double>(), (q * k).sum().item<double>(), 1e-12);
    EXPECT_GT(std::abs(scores[0][3].item<double>() - scores[0][0].item<double>()), 1e-3);
}

TEST(Positions, SinusoidsAreThoseOfVaswani) {
    const auto table = sinusoidal_table(4, 6);
    EXPECT_NEAR(table[3][0].item<double>(), std::sin(3.0), 1e-12);
    EXPECT_NEAR(table[3][1].item<double>(), std::cos(3.0), 1e-12);
    EXPECT_NEAR(table[3][4].item<double>(), std::sin(3.0 / std::pow(10000.0, 4.0 / 6.0)), 1e-12);
}

TEST(Positions, SlopesOfAlibi) {
    EXPECT_EQ(alibi_slopes(4), (std::vector<double>{1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256}));
    // Six heads: the four of four, then the first and third of eight (Press et al., released code).
    EXPECT_EQ(alibi_slopes(6),
              (std::vector<double>{1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8}));
}

TEST(Positions, BucketsOfT5) {
    const auto both = relative_buckets(200, 32, false), causal = relative_buckets(200, 32, true);
    const auto at_offset = [](const auto& list, int offset) {
        return list[static_cast<std::size_t>(offset + 199)];
    };
    EXPECT_EQ(at_offset(both, 0), 0);
    EXPECT_EQ(at_offset(both, -1), 1);
    EXPECT_EQ(at_offset(both, 1), 17);
    EXPECT_EQ(at_offset(both, -8), 8);
    EXPECT_EQ(at_offset(both, 199), 31);
    EXPECT_EQ(at_offset(causal, 5), 0);
    EXPECT_EQ(at_offset(causal, -15), 15);
    EXPECT_EQ(at_offset(causal, -20), 17);  // 16 + floor(16 log(20/16) / log(128/16))
    EXPECT_EQ(at_offset(causal, -150), 31);
}

}  // namespace
}  // namespace plimsoll::model

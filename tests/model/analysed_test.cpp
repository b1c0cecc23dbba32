// The analysed networks in double precision against nets' literal evaluation, on small integers: equal, not
// close.
#include "plimsoll/nets/attention.h"
#include "plimsoll/nets/kronecker_spec.h"
#include "plimsoll/nets/square_nets.h"
#include "tests/model/model_test_support.h"
#include "tests/support/bert_layer.h"

namespace plimsoll::model {
namespace {

using nets::Integer;
using IntegerMatrix = nets::Matrix<Integer>;

const nets::IntegerRing ring(1);  // small enough that every value is below 2^53

torch::Tensor as_tensor(const IntegerMatrix& x) {
    std::vector<double> values;
    for (const Integer value : x.data()) values.push_back(static_cast<double>(value));
    return at::tensor(values, at::kDouble)
        .view({static_cast<std::int64_t>(x.rows()), static_cast<std::int64_t>(x.cols())});
}

IntegerMatrix draw(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    RandomStream stream(seed, "test/input");
    return nets::random_matrix(ring, rows, cols, stream);
}

// Gives the network the heads of nets' weights.
void set_heads(const Network& network, const nets::AttentionWeights<Integer>& weights) {
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
        std::vector<torch::Tensor> query, key, value, output;
        for (const auto& head : weights.layers[l]) {
            query.push_back(as_tensor(head.query));
            key.push_back(as_tensor(head.key));
            value.push_back(as_tensor(head.value));
            output.push_back(as_tensor(head.output));
        }
        const std::string layer = "layers." + std::to_string(l) + ".";
        set(network, layer + "query", at::stack(query));
        set(network, layer + "key", at::stack(key));
        set(network, layer + "value", at::stack(value));
        set(network, layer + "output", at::stack(output));
    }
}

class AnalysedAttention : public ::testing::TestWithParam<const char*> {};

TEST_P(AnalysedAttention, EqualsNetsOnIntegers) {
    const auto network = built(GetParam());
    const auto& spec = std::get<arch::AttentionSpec>(network->spec());
    const auto weights = nets::draw_attention(ring, spec, 4, 7);
    set_heads(*network, weights);
    const nets::Attention<nets::IntegerRing> literal(ring, weights);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const auto x = draw(static_cast<std::size_t>(spec.width), 4, seed);
        Input input;
        input.values = as_tensor(x).t().unsqueeze(0);
        const auto y = network->forward(input, 0)[0].t();
        EXPECT_EQ(difference(y, as_tensor(literal.forward(x))), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AnalysedAttention,
                         ::testing::Values("attention:depth=1,width=3,heads=1",
                                           "attention:depth=2,width=4,heads=2",
                                           "attention:depth=2,width=3,heads=2,head_dim=4",
                                           "attention:depth=2,width=4,heads=2,residual=on"));

TEST(AnalysedAttention, EmbedsTokensAndPositionsAsNetsDoes) {
    const auto network = built("attention:depth=1,width=3,heads=1,vocab=5,positions=free,context=4");
    const auto& spec = std::get<arch::AttentionSpec>(network->spec());
    const auto weights = nets::draw_attention(ring, spec, 4, 9);
    set_heads(*network, weights);
    set(*network, "embedding.weight", as_tensor(weights.embedding));
    set(*network, "positions.weight", as_tensor(weights.positions));
    const nets::Attention<nets::IntegerRing> literal(ring, weights);
    const std::vector<std::size_t> words{4, 0, 2, 2};
    const auto expected = literal.forward(literal.embed(nets::one_hot(ring, words, 5)));
    Input input;
    input.tokens = at::tensor(std::vector<std::int64_t>{4, 0, 2, 2}, at::kLong).unsqueeze(0);
    EXPECT_EQ(difference(network->forward(input, 0)[0].t(), as_tensor(expected)), 0);
}

TEST(AnalysedAttention, FactoredTablesMultiplyOut) {
    const auto low =
        built("attention:depth=1,width=4,heads=1,vocab=6,embedding_rank=2,position_rank=2,context=5");
    const auto full = built("attention:depth=1,width=4,heads=1,vocab=6,positions=free,context=5");
    copy_namesakes(*low, *full);
    const auto product = [&](const std::string& name) {
        return at::matmul(parameter(*low, name + ".outer.weight"), parameter(*low, name + ".inner.weight"));
    };
    set(*full, "embedding.weight", product("embedding"));
    set(*full, "positions.weight", product("positions"));
    const Input input = sample_input(low->spec(), 2, 3);
    EXPECT_LT(difference(low->forward(input, 0), full->forward(input, 0)), 1e-12);
}

class SquareNets : public ::testing::TestWithParam<const char*> {};

TEST_P(SquareNets, EqualNetsOnIntegers) {
    const auto network = built(GetParam());
    const auto check = [&](const auto& weights, const auto& literal) {
        for (std::size_t l = 0; l < weights.layers.size(); ++l) {
            set(*network, "layers." + std::to_string(l) + ".weight", as_tensor(weights.layers[l]));
        }
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            const auto x = draw(3, 2, seed);
            Input input;
            input.values = as_tensor(x).unsqueeze(0);
            EXPECT_EQ(difference(network->forward(input, 0)[0], as_tensor(literal(weights, x))), 0);
        }
    };
    if (const auto* spec = std::get_if<arch::SquareMixerSpec>(&network->spec())) {
        check(nets::draw_square_mixer(ring, *spec, 5),
              [](const auto& weights, const auto& x) { return nets::square_mixer(ring, weights, x); });
    } else {
        check(nets::draw_square_mlp(ring, std::get<arch::SquareMlpSpec>(network->spec()), 5),
              [](const auto& weights, const auto& x) { return nets::square_mlp(ring, weights, x); });
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SquareNets,
    ::testing::Values(
        "square-mixer:rows=3,cols=2,depth=3",
        "square-mixer:rows=3,cols=2,depth=3,residual=1+3,permutations=random,permutation_seed=4",
        "square-mixer:rows=3,cols=2,depth=2,residual=2,odd=1+0+2+3+5+4,skip=5+4+3+2+1+0",
        "square-mlp:rows=3,cols=2,depth=3", "square-mlp:rows=3,cols=2,depth=3,residual=all"));

// Mixers and PK layers with squares, permuted or not.
class KroneckerNets : public ::testing::TestWithParam<const char*> {};

template <class Spec>
void check_kronecker(const Network& network, const Spec& spec, const torch::Tensor& values,
                     const std::vector<Integer>& x) {
    const auto layers = nets::draw_kronecker_net(ring, *nets::kronecker_spec(spec), 11);
    ASSERT_EQ(network.parameters().size(), layers.size());
    for (std::size_t k = 0; k < layers.size(); ++k) {
        set(network, network.parameters()[k].name, as_tensor(layers[k].weight));
    }
    IntegerMatrix expected(1, x.size());
    expected.data() = nets::kronecker_net(ring, layers, x);
    Input input;
    input.values = values;
    const torch::Tensor y = network.forward(input, 0);
    const torch::Tensor flat = y.dim() == 3 ? y.transpose(1, 2).flatten(1) : y;
    EXPECT_EQ(difference(flat, as_tensor(expected)), 0);
}

TEST_P(KroneckerNets, EqualNetsOnIntegersPermutationsIncluded) {
    const auto network = built(GetParam());
    const auto x = draw(2, 3, 1);  // (tokens, channels)
    const auto values = as_tensor(x).unsqueeze(0);
    const std::vector<Integer> flat = nets::vec(x);
    if (const auto* spec = std::get_if<arch::MixerSpec>(&network->spec())) {
        check_kronecker(*network, *spec, values, flat);
    } else {
        check_kronecker(*network, std::get<arch::PkSpec>(network->spec()), values.transpose(1, 2).flatten(1),
                        flat);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, KroneckerNets,
    ::testing::Values(
        "s-mixer:depth=1,tokens=2,channels=3,activation=square,norm=none,bias=off,skip=off",
        "s-mixer:depth=1,tokens=2,channels=3,activation=square,norm=none,bias=off",
        "s-mixer:depth=2,tokens=2,channels=3,activation=square,norm=none,bias=off,permuted=2,permutation_"
        "seed=3",
        "mixer:depth=1,tokens=2,channels=3,expansion=2,activation=square,norm=none,bias=off",
        "rp-mixer:depth=2,tokens=2,channels=3,token_hidden=3,channel_hidden=2,activation=square,norm=none,"
        "bias=off,permutation_seed=8",
        "pk:depth=2,width=6,blocks=3+2,permutations=commutation,activation=square",
        "pk:depth=2,width=6,blocks=3+2,permutations=none,activation=square,skip=on",
        "pk:depth=3,width=6,blocks=2,permutations=random,permutation_seed=5,activation=square"));

nets::Matrix<double> real_matrix(const torch::Tensor& x) {
    nets::Matrix<double> result(static_cast<std::size_t>(x.size(0)), static_cast<std::size_t>(x.size(1)));
    const torch::Tensor flat = x.contiguous();
    std::copy_n(flat.data_ptr<double>(), flat.numel(), result.data().begin());
    return result;
}

torch::Tensor real_tensor(const nets::Matrix<double>& x) {
    return at::tensor(x.data(), at::kDouble)
        .view({static_cast<std::int64_t>(x.rows()), static_cast<std::int64_t>(x.cols())});
}

// The heads of an encoder's layer 0, as nets has them.
std::vector<nets::Head<double>> heads_of(const Network& network, std::int64_t heads) {
    std::vector<nets::Head<double>> result;
    const auto rows = [&](const char* name, std::int64_t head) {
        const auto all = parameter(network, std::string("layers.0.attention.") + name + ".weight");
        return real_matrix(all.detach().chunk(heads, 0)[static_cast<std::size_t>(head)]);
    };
    const auto output = parameter(network, "layers.0.attention.output.weight").detach();
    for (std::int64_t h = 0; h < heads; ++h) {
        result.push_back({rows("query", h), rows("key", h), rows("value", h),
                          real_matrix(output.chunk(heads, 1)[static_cast<std::size_t>(h)])});
    }
    return result;
}

// LEVINE-BERT-LAYER is W2 ReLU(W1 z) with z = LayerNorm(attention(X) + X): an encoder with post norms and no
// feed-forward part gives z, and with one LayerNorm(W2 ReLU(W1 z) + z), BERT's own sum around it.
TEST(Encoder, ComputesLevinesBertLayer) {
    const std::string shape = "transformer:depth=1,width=6,heads=2,stack=encoder,norm_order=post,bias=off";
    const auto whole = built(shape + ",activation=relu");
    const auto part = built(shape + ",ffn=none");
    copy_namesakes(*whole, *part);
    testing::BertLayer layer{heads_of(*whole, 2),
                             real_matrix(parameter(*whole, "layers.0.ffn.up.weight").detach()),
                             real_matrix(parameter(*whole, "layers.0.ffn.down.weight").detach())};
    Input input;
    input.values = normal({1, 5, 6}, 3);
    const auto expected = real_tensor(testing::bert_layer(layer, real_matrix(input.values[0].t()), 1e-5)).t();
    const auto z = part->forward(input, 0)[0];
    const auto narrowed = at::matmul(at::relu(at::matmul(z, parameter(*whole, "layers.0.ffn.up.weight").t())),
                                     parameter(*whole, "layers.0.ffn.down.weight").t());
    EXPECT_LT(difference(narrowed, expected), 1e-12);
    const auto y = at::layer_norm(expected + z, {6}, {}, {}, 1e-5);
    EXPECT_LT(difference(whole->forward(input, 0)[0], y), 1e-12);
}

TEST(Encoder, WithLinearAttentionAloneIsTheAnalysedNetworkWithResidual) {
    const auto encoder = built(
        "transformer:depth=2,width=6,heads=2,stack=encoder,attention=linear,ffn=none,norm=none,bias=off");
    const auto analysed = built("attention:depth=2,width=6,heads=2,residual=on");
    for (const std::string layer : {"layers.0.", "layers.1."}) {
        for (const std::string part : {"query", "key", "value"}) {
            set(*encoder, layer + "attention." + part + ".weight",
                parameter(*analysed, layer + part).flatten(0, 1));
        }
        set(*encoder, layer + "attention.output.weight",
            parameter(*analysed, layer + "output").permute({1, 0, 2}).flatten(1));
    }
    Input input;
    input.values = normal({2, 5, 6}, 4);
    EXPECT_LT(difference(encoder->forward(input, 0), analysed->forward(input, 0)), 1e-10);
}

}  // namespace
}  // namespace plimsoll::model

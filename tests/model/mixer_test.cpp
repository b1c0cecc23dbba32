// Mixers and nets on flat vectors against their own formulas.
#include "tests/model/model_test_support.h"

namespace plimsoll::model {
namespace {

TEST(Mixer, SimpleBlockByHand) {
    const auto network =
        built("s-mixer:depth=1,tokens=2,channels=2,activation=relu,norm=none,bias=off,skip=on");
    set(*network, "blocks.0.tokens.weight", matrix({{1, 2}, {0, 1}}));
    set(*network, "blocks.0.channels.weight", matrix({{1, 0}, {1, 1}}));
    Input input;
    input.values = matrix({{1, -1}, {2, 3}}).unsqueeze(0);
    // W X = [5 5; 2 3], X + W X = [6 4; 4 6]; rows times V: [6 10; 4 10]; the sum of the two.
    EXPECT_EQ(difference(network->forward(input, 0)[0], matrix({{12, 14}, {8, 16}})), 0);
}

// LayerNorm(x) g + b over the last dimension, by hand.
torch::Tensor normed(const Network& network, const std::string& name, const torch::Tensor& x) {
    const auto mean = x.mean(-1, true);
    const auto variance = (x - mean).square().mean(-1, true);
    return (x - mean) / (variance + 1e-5).sqrt() * parameter(network, name + ".weight") +
           parameter(network, name + ".bias");
}

TEST(Mixer, BlockIsItsFormula) {
    const auto network =
        built("mixer:depth=1,tokens=3,channels=4,token_hidden=5,channel_hidden=6,classes=2", "navon");
    const auto get = [&](const std::string& name) { return parameter(*network, name); };
    for (const auto& [name, tensor] : network->parameters())
        set(*network, name, normal(tensor.sizes().vec(), 3));
    const auto x = normal({2, 3, 4}, 8);
    const auto column = [](const torch::Tensor& bias) { return bias.unsqueeze(1); };  // one number per token
    const auto hidden =
        at::gelu(at::matmul(get("blocks.0.tokens.up.weight"), normed(*network, "blocks.0.token_norm", x)) +
                 column(get("blocks.0.tokens.up.bias")));
    const auto u =
        x + at::matmul(get("blocks.0.tokens.down.weight"), hidden) + column(get("blocks.0.tokens.down.bias"));
    const auto wide = at::gelu(
        at::matmul(normed(*network, "blocks.0.channel_norm", u), get("blocks.0.channels.up.weight").t()) +
        get("blocks.0.channels.up.bias"));
    const auto y =
        u + at::matmul(wide, get("blocks.0.channels.down.weight").t()) + get("blocks.0.channels.down.bias");
    const auto logits =
        at::matmul(normed(*network, "final_norm", y).mean(1), get("head.weight").t()) + get("head.bias");
    Input input;
    input.values = x;
    EXPECT_LT(difference(network->forward(input, 0), logits), 1e-12);
}

TEST(Mixer, PatchesAreCutRowByRowAndChannelByChannel) {
    const auto network =
        built("mixer:depth=1,channels=4,patch=2,image=4,image_channels=1,norm=none,bias=off");
    set(*network, "patches.weight", at::eye(4, at::kDouble));
    for (const auto& [name, tensor] : network->parameters()) {
        if (name != "patches.weight") set(*network, name, at::zeros_like(tensor));
    }
    Input input;
    input.values = at::arange(16, at::kDouble).view({1, 1, 4, 4});
    const auto expected = matrix({{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}});
    EXPECT_EQ(difference(network->forward(input, 0)[0], expected), 0);
}

TEST(Mixer, PermutationsAreFrozenAndComeFromTheSpecsSeedAlone) {
    const std::string text = "rp-mixer:depth=2,tokens=3,channels=4,expansion=1,permutation_seed=";
    const auto one = built(text + "5", "navon"), same = built(text + "5", "bert"), other = built(text + "6");
    ASSERT_EQ(one->buffers().size(), 16U);  // before and after each of four matrices, in two blocks
    bool differs = false;
    for (std::size_t k = 0; k < one->buffers().size(); ++k) {
        const auto& [name, images] = one->buffers()[k];
        EXPECT_FALSE(images.requires_grad());
        EXPECT_TRUE(at::equal(images, same->buffers()[k].tensor)) << name;
        EXPECT_TRUE(at::equal(std::get<0>(images.sort()), at::arange(images.size(0), at::kLong)));
        differs = differs || !at::equal(images, other->buffers()[k].tensor);
    }
    EXPECT_TRUE(differs);
    EXPECT_FALSE(at::equal(one->buffers()[0].tensor, one->buffers()[8].tensor)) << "one per block";
}

// HAYASE-PK: with commutation and blocks C + S a PK net is the simple mixer on vec(X).
TEST(Pk, WithCommutationIsTheSimpleMixer) {
    const auto pk = built("pk:depth=4,width=12,blocks=4+3,permutations=commutation,activation=gelu");
    const auto mixer = built("s-mixer:depth=2,tokens=3,channels=4,norm=none,bias=off,skip=off");
    for (int block = 0; block < 2; ++block) {
        const std::string name = "blocks." + std::to_string(block) + ".";
        const auto weight = [&](int layer) {
            return parameter(*pk, "layers." + std::to_string(2 * block + layer) + ".block.weight");
        };
        set(*mixer, name + "tokens.weight", weight(0));
        set(*mixer, name + "channels.weight", weight(1));
    }
    Input grid, flat;
    grid.values = normal({2, 3, 4}, 2);
    flat.values = grid.values.transpose(1, 2).flatten(1);
    const auto expected = mixer->forward(grid, 0).transpose(1, 2).flatten(1);
    EXPECT_LT(difference(pk->forward(flat, 0), expected), 1e-13);
}

// HAYASE-MONARCH: W X V is a Monarch matrix with tied blocks on vec(X).
TEST(Monarch, WithTiedBlocksIsTheLinearMixer) {
    const auto network =
        built("monarch:depth=1,width=12,blocks=4,second_blocks=3,tied_blocks=on,activation=identity");
    const auto x = normal({2, 3, 4}, 2);
    Input input;
    input.values = x.transpose(1, 2).flatten(1);
    const auto w = parameter(*network, "layers.0.first")[0],
               v = parameter(*network, "layers.0.second")[0].t();
    const auto expected = at::matmul(at::matmul(w, x), v).transpose(1, 2).flatten(1);
    EXPECT_LT(difference(network->forward(input, 0), expected), 1e-13);
}

TEST(Monarch, BlocksThatAreEqualAreTiedBlocks) {
    const std::string text = "monarch:depth=1,width=8,hidden=16,blocks=2,second_blocks=4,bias=on,skip=on";
    const auto tied = built(text + ",tied_blocks=on"), apart = built(text);
    for (const auto& [name, tensor] : apart->parameters()) {
        const auto source = parameter(*tied, name);
        set(*apart, name, tensor.dim() == 3 ? source.expand_as(tensor) : source);
    }
    const Input input = sample_input(tied->spec(), 3, 4);
    EXPECT_LT(difference(tied->forward(input, 0), apart->forward(input, 0)), 1e-13);
}

// The dense matrix of which a sparse one stores the connections.
torch::Tensor dense(const Network& network, const std::string& name, std::int64_t rows, std::int64_t cols) {
    const auto cells = buffer(network, name + ".cells");
    return at::zeros({rows * cols}, at::kDouble)
        .index_put({cells}, parameter(network, name + ".values"))
        .view({rows, cols});
}

class SparseMlp : public ::testing::TestWithParam<const char*> {};

TEST_P(SparseMlp, IsTheDenseMaskedMatrixWithTheSameGradient) {
    const auto network = built(GetParam());
    const auto& spec = std::get<arch::SwMlpSpec>(network->spec());
    const Input input = sample_input(network->spec(), 3, 4);
    torch::Tensor x = input.values.clone().requires_grad_(true);
    Input leaf;
    leaf.values = x;
    const auto weights = normal({3, spec.net.width}, 9);
    (network->forward(leaf, 0) * weights).sum().backward();
    const auto values = parameter(*network, "layers.0.first.values");
    const auto own_values = values.grad().clone(), own_x = x.grad().clone();
    values.mutable_grad() = torch::Tensor();
    x.mutable_grad() = torch::Tensor();
    const std::int64_t hidden = spec.hidden == 0 ? spec.net.width : spec.hidden;
    torch::Tensor y = at::relu(at::matmul(x, dense(*network, "layers.0.first", hidden, spec.net.width).t()));
    if (spec.hidden > 0) y = at::matmul(y, dense(*network, "layers.0.second", spec.net.width, hidden).t());
    EXPECT_LT(difference(network->forward(input, 0), y), 1e-13);
    (y * weights).sum().backward();
    EXPECT_LT(difference(own_values, values.grad()), 1e-13);
    EXPECT_LT(difference(own_x, x.grad()), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Densities, SparseMlp,
                         ::testing::Values("sw-mlp:depth=1,width=7,connections=1",
                                           "sw-mlp:depth=1,width=7,connections=12",
                                           "sw-mlp:depth=1,width=7,connections=40,mask_seed=3",
                                           "sw-mlp:depth=1,width=7,density=1",
                                           "sw-mlp:depth=1,width=6,hidden=9,connections=17"));

TEST(SparseMlp, MasksAreReproducibleAndDifferByLayerAndSeed) {
    const std::string text = "sw-mlp:depth=2,width=50,connections=100,mask_seed=";
    const auto one = built(text + "1", "ntk"), same = built(text + "1"), other = built(text + "2");
    const std::string first = "layers.0.first.cells", second = "layers.1.first.cells";
    EXPECT_TRUE(at::equal(buffer(*one, first), buffer(*same, first)));
    EXPECT_FALSE(at::equal(buffer(*one, first), buffer(*other, first)));
    EXPECT_FALSE(at::equal(buffer(*one, first), buffer(*one, second)));
    EXPECT_EQ(std::get<0>(at::_unique(buffer(*one, first))).size(0), 100);
}

TEST(SparseMlp, WidthCostsNothingButItsVectors) {
    // A dense matrix of this width would have 10^12 cells.
    const auto network = built("sw-mlp:depth=1,width=1000000,connections=1000");
    Input input;
    input.values = at::ones({1, 1'000'000}, at::kDouble);
    EXPECT_EQ(network->forward(input, 0).size(1), 1'000'000);
}

}  // namespace
}  // namespace plimsoll::model

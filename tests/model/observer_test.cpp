// What a network shows of its layers while it runs.
#include "tests/model/model_test_support.h"
#include "tests/support/random_spec.h"

namespace plimsoll::model {
namespace {

std::vector<torch::Tensor> shown(const Network& network, Input input) {
    std::vector<torch::Tensor> layers;
    input.observe = [&](const torch::Tensor& x) { layers.push_back(x); };
    const torch::Tensor y = network.forward(input, 0);
    layers.push_back(y);
    return layers;
}

class Observer : public ::testing::TestWithParam<const char*> {};

// A network without norm and head after its last layer, so that the layer is the output.
TEST_P(Observer, SeesEveryLayerAndChangesNothing) {
    const auto network = built(GetParam());
    const Input input = sample_input(network->spec(), 3, 1);
    const auto layers = shown(*network, input);
    ASSERT_EQ(layers.size(), 4U);  // depth 3 and the output
    EXPECT_EQ(difference(layers[2].flatten(1), layers[3].flatten(1)), 0);
    EXPECT_GT(difference(layers[0], layers[1]), 0);
    EXPECT_EQ(layers[0].size(0), 3);
    EXPECT_EQ(difference(network->forward(input, 0), layers[3]), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Families, Observer,
    ::testing::Values("attention:depth=3,width=4,heads=2",
                      "transformer:depth=3,width=4,heads=2,final_norm=off",
                      "transformer:depth=3,width=4,heads=2,final_norm=off,order=parallel",
                      "square-mixer:rows=2,cols=2,depth=3", "square-mlp:rows=2,cols=2,depth=3",
                      "mixer:depth=3,tokens=2,channels=3,final_norm=off",
                      "s-mixer:depth=3,tokens=2,channels=3,final_norm=off", "pk:depth=3,width=6,blocks=2",
                      "sw-mlp:depth=3,width=6,connections=20",
                      "monarch:depth=3,width=4,blocks=2,second_blocks=2",
                      "vip:depth=3,channels=4,patch=2,image=4,final_norm=off",
                      "s2-mlp:depth=3,channels=4,patch=2,image=4,final_norm=off",
                      "hire-mlp:depth=3,channels=4,patch=2,image=4,final_norm=off"));

TEST(Observer, SeesTheSublayersOfAnAttentionFirstTransformer) {
    const auto network = built("transformer:depth=2,width=4,heads=2,order=attention-first");
    EXPECT_EQ(shown(*network, sample_input(network->spec(), 2, 1)).size(), 5U);
}

}  // namespace
}  // namespace plimsoll::model

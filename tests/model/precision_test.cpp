#include <cmath>

#include "tests/model/model_test_support.h"

namespace plimsoll::model {
namespace {

// The same network with its parameters, and what it reads, rounded to bfloat16, as the trainer makes them.
torch::Tensor rounded_forward(const Network& network, Input input) {
    for (const auto& parameter : network.parameters()) {
        torch::Tensor tensor = parameter.tensor;
        tensor.set_data(tensor.to(at::kBFloat16));
    }
    if (input.values.defined()) input.values = input.values.to(at::kBFloat16);
    return network.forward(input, 0);
}

class Bfloat16 : public ::testing::TestWithParam<const char*> {};

// A mask or table that stays float would meet a rounded weight in a product and end the run.
TEST_P(Bfloat16, ComputesAndDifferentiatesNearTheExactNetwork) {
    const auto network = built(std::string(GetParam()));
    const Input input = sample_input(network->spec(), 3, 5);
    const torch::Tensor exact = network->forward(input, 0).detach().clone();
    const torch::Tensor rounded = rounded_forward(*network, input);
    EXPECT_EQ(rounded.scalar_type(), at::kBFloat16);
    // 8 bits a rounding, some tens of roundings in a row: a few percent of the whole.
    const double error =
        (rounded.to(at::kDouble) - exact).norm().item<double>() / exact.norm().item<double>();
    EXPECT_LT(error, 0.1);
    EXPECT_GT(error, 0);
    rounded.sum().backward();
}

INSTANTIATE_TEST_SUITE_P(
    Families, Bfloat16,
    ::testing::Values("transformer:depth=2,width=16,heads=2,vocab=20,context=8",
                      "transformer:depth=2,width=16,heads=2,vocab=20,context=8,positions=rope",
                      "transformer:depth=2,width=16,heads=2,vocab=20,context=8,positions=alibi",
                      "transformer:depth=2,width=16,heads=2,vocab=20,context=8,positions=relative",
                      "transformer:depth=2,width=16,heads=2,vocab=20,context=8,positions=sinusoidal",
                      "transformer:depth=2,width=16,heads=2,vocab=20,context=8,attention=linear",
                      "transformer:depth=2,width=16,heads=2,patch=4,image=8,classes=5",
                      "mixer:depth=2,channels=16,patch=4,image=16,classes=5",
                      "mixer:depth=2,channels=16,tokens=8,vocab=20,causal=on",
                      "s-mixer:depth=2,channels=16,tokens=8,vocab=20,causal=on",
                      "rp-mixer:depth=2,channels=16,patch=4,image=16,classes=5",
                      "pk:depth=2,width=32,inputs=12,classes=5,blocks=4",
                      "sw-mlp:depth=2,width=32,inputs=12,classes=5,density=0.2",
                      "monarch:depth=2,width=32,inputs=12,classes=5"));

}  // namespace
}  // namespace plimsoll::model

// Gradients against central differences in double precision, and the loss falling, for every family.
#include <algorithm>
#include <cmath>

#include "plimsoll/base/json.h"
#include "tests/model/family_specs.h"
#include "tests/model/model_test_support.h"
#include "tests/support/random_spec.h"

namespace plimsoll::model {
namespace {

// A smooth number of the order of one that depends on every output; `size` is that of the outputs.
torch::Tensor loss_of(const Network& network, const Input& input, double size) {
    const torch::Tensor y = network.forward(input, 0) / size;
    return (at::sin(y) * normal(y.sizes().vec(), 17)).mean();
}

void zero_gradients(const Network& network) {
    for (const auto& [name, tensor] : network.parameters()) tensor.mutable_grad() = torch::Tensor();
}

// The slope of the loss when `tensor` moves along `direction`, by four points: exact to the fourth order.
double measured_slope(const Network& network, const Input& input, double size, const torch::Tensor& tensor,
                      const torch::Tensor& direction) {
    const at::NoGradGuard guard;
    const double step = 1e-4;
    const torch::Tensor before = tensor.clone();
    const auto loss_at = [&](double steps) {
        tensor.copy_(before + steps * step * direction);
        return loss_of(network, input, size).item<double>();
    };
    const double near = loss_at(1) - loss_at(-1), far = loss_at(2) - loss_at(-2);
    tensor.copy_(before);
    return (8 * near - far) / (12 * step);
}

void check_gradients(const Network& network) {
    const Input input = sample_input(network.spec(), 2, 5);
    zero_gradients(network);
    const double size = network.forward(input, 0).abs().max().item<double>();
    loss_of(network, input, size).backward();
    std::uint64_t seed = 0;
    for (const auto& [name, tensor] : network.parameters()) {
        const torch::Tensor direction = normal(tensor.sizes().vec(), ++seed);
        const double measured = measured_slope(network, input, size, tensor, direction);
        const double computed =
            tensor.grad().defined() ? (tensor.grad() * direction).sum().item<double>() : 0;
        EXPECT_NEAR(computed, measured, 1e-9 + 1e-6 * std::abs(measured)) << name;
    }
}

class Gradients : public ::testing::TestWithParam<const char*> {};

TEST_P(Gradients, AgreeWithDifferences) { check_gradients(*built(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Families, Gradients, ::testing::ValuesIn(family_specs));

// Smooth, and not a polynomial of high degree, whose rounding drowns a difference.
bool suits_differences(const arch::ArchSpec& spec) {
    const std::string activation = arch::to_json(spec).value("activation", "square");
    return is_small(spec) && activation != "relu" && activation != "square";
}

TEST(Gradients, AgreeWithDifferencesForDrawnSpecs) {
    testing::for_random_specs(3, [](const arch::ArchSpec& spec) {
        if (suits_differences(spec) && build(spec, {}).ok()) check_gradients(*built(spec));
    });
}

// A task that every network with enough outputs can learn: one fixed batch.
class Learning : public ::testing::TestWithParam<const char*> {};

torch::Tensor task_loss(const Network& network, const Input& input) {
    const torch::Tensor y = network.forward(input, 1).flatten(0, -2);
    const torch::Tensor label = at::arange(y.size(0), at::kLong).remainder(y.size(1));
    return at::nll_loss(at::log_softmax(y, 1), label);
}

// Stochastic gradient descent with momentum; steps are cut to length one.
void step(const Network& network, std::vector<torch::Tensor>& velocity, double rate) {
    const at::NoGradGuard guard;
    double square = 0;
    for (const auto& [name, tensor] : network.parameters()) {
        if (tensor.grad().defined()) square += tensor.grad().square().sum().item<double>();
    }
    const double cut = std::min(1.0, 1 / std::sqrt(square));
    for (std::size_t k = 0; k < velocity.size(); ++k) {
        const auto& tensor = network.parameters()[k].tensor;
        if (!tensor.grad().defined()) continue;
        velocity[k] = 0.9 * velocity[k] + cut * tensor.grad();
        tensor.sub_(rate * velocity[k]);
    }
}

TEST_P(Learning, LossFalls) {
    const auto network = built(GetParam(), "default");
    const Input input = sample_input(network->spec(), 4, 5);
    std::vector<torch::Tensor> velocity;
    for (const auto& [name, tensor] : network->parameters()) velocity.push_back(at::zeros_like(tensor));
    const double first = task_loss(*network, input).item<double>();
    for (int k = 0; k < 40; ++k) {
        zero_gradients(*network);
        task_loss(*network, input).backward();
        step(*network, velocity, 0.05);
    }
    EXPECT_LT(task_loss(*network, input).item<double>(), 0.7 * first);
}

INSTANTIATE_TEST_SUITE_P(
    Families, Learning,
    ::testing::Values(
        "attention:depth=1,width=8,heads=2,residual=on", "transformer:depth=2,width=16,heads=2,vocab=9",
        "transformer:depth=2,width=16,heads=2,vocab=9,attention=linear,order=attention-first",
        "transformer:depth=2,width=16,heads=2,vocab=9,stack=encoder,classes=4,pooler=on,segments=2",
        "transformer:depth=1,width=16,heads=2,patch=2,image=4,image_channels=1,classes=4",
        "square-mixer:rows=3,cols=4,depth=2,residual=all", "square-mlp:rows=3,cols=4,depth=2,residual=all",
        "mixer:depth=2,channels=8,patch=2,image=4,image_channels=1,classes=4",
        "mixer:depth=1,channels=8,tokens=4,vocab=9", "s-mixer:depth=2,tokens=4,channels=8,classes=4",
        "rp-mixer:depth=2,tokens=4,channels=8,classes=4",
        "pk:depth=2,width=16,blocks=4+2,inputs=6,classes=4,bias=on",
        "sw-mlp:depth=2,width=32,density=0.1,inputs=6,classes=4",
        "monarch:depth=2,width=16,inputs=6,classes=4",
        "s2-mlp:depth=1,channels=8,patch=2,image=4,image_channels=1,classes=4",
        "vip:depth=1,channels=8,patch=2,image=4,image_channels=1,classes=4",
        "hire-mlp:depth=1,channels=8,patch=2,image=8,image_channels=1,classes=4"));

}  // namespace
}  // namespace plimsoll::model

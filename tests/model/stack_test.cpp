// A network of K runs computes what its runs compute alone: values, gradients, dropout.
#include "tests/model/family_specs.h"
#include "tests/model/model_test_support.h"
#include "tests/support/random_spec.h"

namespace plimsoll::model {
namespace {

const std::vector<std::uint64_t> seeds{4, 9, 4, 77};

// Where a network is computed, in which numbers, and how far sums in another order may be apart: products of
// K matrices at once against one.
struct Setting {
    at::Device device = at::kCPU;
    torch::Dtype dtype = torch::kDouble;
    double rounding = 1e-11;
};
// In double the operations are LibTorch's, in float the kernels of ours.
const Setting doubles_on_gpu{at::kCUDA}, floats_on_gpu{at::kCUDA, torch::kFloat, 2e-5};

std::unique_ptr<Network> built_with(const arch::ArchSpec& spec, const std::vector<std::uint64_t>& init_seeds,
                                    double dropout = 0, const Setting& setting = {}) {
    BuildOptions options;
    options.init_seeds = init_seeds;
    options.init = "fan-in";
    options.dropout = dropout;
    options.dtype = setting.dtype;
    options.device = setting.device;
    return std::move(build(spec, options)).value();
}

Input moved(const Input& input, const Setting& setting) {
    const auto there = [&](const torch::Tensor& x) {
        if (!x.defined()) return x;
        return x.is_floating_point() ? x.to(setting.device, setting.dtype) : x.to(setting.device);
    };
    Input result;
    result.tokens = there(input.tokens);
    result.segments = there(input.segments);
    result.padding = there(input.padding);
    result.values = there(input.values);
    return result;
}

torch::Tensor joined(const std::vector<torch::Tensor>& parts) {
    return parts.front().defined() ? at::cat(parts) : torch::Tensor();
}

// The batches of the runs one after the other.
Input joined(const std::vector<Input>& inputs) {
    const auto all = [&](torch::Tensor Input::* field) {
        std::vector<torch::Tensor> parts;
        for (const auto& input : inputs) parts.push_back(input.*field);
        return joined(parts);
    };
    Input result;
    result.tokens = all(&Input::tokens);
    result.segments = all(&Input::segments);
    result.padding = all(&Input::padding);
    result.values = all(&Input::values);
    return result;
}

// A number that depends on every output of every run.
torch::Tensor sum_of(const torch::Tensor& y) { return (y / (1 + y.detach().abs())).sum(); }

void expect_near(const torch::Tensor& a, const torch::Tensor& b, double rounding, const std::string& what) {
    const double size = 1 + b.abs().max().item<double>();
    EXPECT_LT(difference(a, b), rounding * size) << what;
}

void check_stack(const arch::ArchSpec& spec, double dropout = 0, const Setting& setting = {}) {
    constexpr std::int64_t batch = 3;
    const auto stack = built_with(spec, seeds, dropout, setting);
    ASSERT_EQ(stack->runs(), std::ssize(seeds));
    std::vector<Input> inputs;
    for (std::size_t k = 0; k < seeds.size(); ++k)
        inputs.push_back(moved(sample_input(spec, batch, 20 + k), setting));
    DropoutSeeds masks;
    if (dropout > 0) masks = {5, 6, 5, 8};
    const torch::Tensor together = stack->forward(joined(inputs), masks);
    sum_of(together).backward();
    for (std::size_t k = 0; k < seeds.size(); ++k) {
        const auto alone = built_with(spec, {seeds[k]}, dropout, setting);
        const torch::Tensor y =
            alone->forward(inputs[k], dropout > 0 ? DropoutSeeds{masks[k]} : DropoutSeeds());
        sum_of(y).backward();
        expect_near(together.narrow(0, std::int64_t(k) * y.size(0), y.size(0)), y, setting.rounding,
                    "output");
        for (std::size_t i = 0; i < alone->parameters().size(); ++i) {
            const auto& [name, own] = alone->parameters()[i];
            const torch::Tensor shared = stack->parameters()[i].tensor;
            EXPECT_EQ(difference(shared[std::int64_t(k)], own), 0) << name;
            ASSERT_EQ(own.grad().defined(), shared.grad().defined()) << name;
            if (own.grad().defined())
                expect_near(shared.grad()[std::int64_t(k)], own.grad(), setting.rounding, name);
        }
    }
}

class Stacks : public ::testing::TestWithParam<const char*> {};

TEST_P(Stacks, ComputeWhatTheirRunsComputeAlone) { check_stack(arch::parse_spec(GetParam()).value()); }

TEST_P(Stacks, ComputeWhatTheirRunsComputeAloneOnAGpu) {
    if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "no GPU here";
    const arch::ArchSpec spec = arch::parse_spec(GetParam()).value();
    check_stack(spec, 0, doubles_on_gpu);
    // The analysed networks are polynomials of a high degree: a rounding in float grows with it.
    if (!arch::is_analysed(spec)) check_stack(spec, 0, floats_on_gpu);
}

INSTANTIATE_TEST_SUITE_P(Families, Stacks, ::testing::ValuesIn(family_specs));

// What no other list needs: parameters of shapes that only a stack treats in a way of their own.
INSTANTIATE_TEST_SUITE_P(
    Further, Stacks,
    ::testing::Values(
        "attention:depth=2,width=4,heads=2,vocab=5,residual=on", "attention:depth=1,width=4,heads=2",
        "transformer:depth=2,width=8,heads=4,kv_heads=2,head_dim=3,vocab=7,positions=rope,norm=rms,"
        "ffn_matrices=3,activation=silu,bias=off,qk_norm=head",
        "transformer:depth=2,width=8,heads=2,vocab=7,positions=relative,qk_norm=full",
        "transformer:depth=1,width=8,heads=2,patch=2,image=4,image_channels=1,classes=3,extra_tokens=1",
        "transformer:depth=1,width=8,heads=2,vocab=7,positions=sinusoidal"));

TEST(Stacks, ComputeWhatTheirRunsComputeAloneForDrawnSpecs) {
    testing::for_random_specs(4, [](const arch::ArchSpec& spec) {
        if (is_small(spec) && build(spec, {}).ok()) check_stack(spec);
    });
}

TEST(Stacks, DropWhatTheirRunsDropAlone) {
    for (const char* text :
         {"transformer:depth=2,width=8,heads=2,vocab=7,context=6",
          "mixer:depth=2,channels=4,tokens=4,vocab=6", "rp-mixer:depth=2,tokens=3,channels=4",
          "monarch:depth=2,width=8,blocks=2,second_blocks=4",
          "s2-mlp:depth=2,channels=8,patch=2,image=6,image_channels=1,classes=3"})
        check_stack(arch::parse_spec(text).value(), 0.3);
}

// What one run computes is its own: another run that is not a number does not touch a bit of it.
TEST(Stacks, ARunThatIsNotANumberTouchesNobody) {
    for (const char* text :
         {"transformer:depth=2,width=8,heads=2,vocab=7,context=6",
          "transformer:depth=1,width=8,heads=2,vocab=7,positions=relative",
          "mixer:depth=2,channels=4,patch=2,image=4,image_channels=3,classes=3",
          "sw-mlp:depth=2,width=8,connections=20,bias=on,inputs=5,classes=3",
          "monarch:depth=2,width=8,blocks=2,second_blocks=4,bias=on", "square-mixer:rows=3,cols=2,depth=2"}) {
        const arch::ArchSpec spec = arch::parse_spec(text).value();
        std::vector<torch::Tensor> outputs, gradients;
        for (const bool broken : {false, true}) {
            const auto stack = built_with(spec, {1, 2, 3});
            if (broken) {
                const at::NoGradGuard guard;
                for (const auto& [name, tensor] : stack->parameters()) tensor[1].fill_(NAN);
            }
            const Input one = sample_input(spec, 2, 5);
            const torch::Tensor y = stack->forward(joined(std::vector<Input>{one, one, one}), 0);
            sum_of(y).backward();
            const std::int64_t each = y.size(0) / 3;
            outputs.push_back(at::cat({y.narrow(0, 0, each), y.narrow(0, 2 * each, each)}).detach());
            std::vector<torch::Tensor> flat;
            for (const auto& [name, tensor] : stack->parameters())
                if (tensor.grad().defined())
                    flat.push_back(at::cat({tensor.grad()[0].flatten(), tensor.grad()[2].flatten()}));
            gradients.push_back(at::cat(flat));
        }
        EXPECT_TRUE(outputs[0].equal(outputs[1])) << text;
        EXPECT_TRUE(gradients[0].equal(gradients[1])) << text;
    }
}

}  // namespace
}  // namespace plimsoll::model

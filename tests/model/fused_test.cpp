// The kernels of plimsoll/model/cuda against LibTorch in double; where there is no GPU there is nothing to
// compare.
#include "plimsoll/model/fused.h"

#include <cmath>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "plimsoll/model/layers.h"

namespace plimsoll::model {
namespace {

struct Outcome {
    Tensor value;
    std::vector<Tensor> gradients;
};

class Fused : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!at::hasCUDA() || !at::globalContext().hasCUDA()) GTEST_SKIP() << "no GPU here";
    }

    // The same numbers on the GPU in `dtype` and on the CPU in double.
    static Tensor numbers(std::vector<std::int64_t> shape, at::ScalarType dtype) {
        return at::randn(shape, at::kFloat).to(dtype);
    }

    template <class Operation>
    static Outcome run(const Operation& operation, const std::vector<Tensor>& inputs, at::Device device,
                       at::ScalarType dtype, const Tensor& direction) {
        std::vector<Tensor> leaves;
        for (const Tensor& input : inputs)
            leaves.push_back(input.to(device, dtype).detach().requires_grad_(true));
        Outcome result{operation(leaves), {}};
        const auto found = torch::autograd::grad({result.value}, leaves, {direction.to(device, dtype)});
        result.gradients.assign(found.begin(), found.end());
        return result;
    }

    // Sums of `terms` numbers near one in float are off by about its unit times the root of their number; the
    // result is rounded to `dtype` at most twice (LibTorch rounds a product before it adds a bias).
    static void expect_near(const Tensor& got, const Tensor& wanted, at::ScalarType dtype, double terms,
                            const std::string& what) {
        const double unit = dtype == at::kBFloat16 ? 1.0 / 128 : 1e-6,
                     size = wanted.abs().max().item<double>();
        const double error = (got.cpu().to(at::kDouble) - wanted).abs().max().item<double>();
        EXPECT_LE(error, unit * size + 1e-6 * std::sqrt(terms) * 8) << what;
    }

    template <class Ours, class Theirs>
    static void compare(const Ours& ours, const Theirs& theirs, const std::vector<Tensor>& inputs,
                        std::vector<std::int64_t> out, double terms, const std::string& what) {
        const at::ScalarType dtype = inputs[0].scalar_type();
        const Tensor direction = numbers(std::move(out), dtype);
        const Outcome got = run(ours, inputs, at::kCUDA, dtype, direction),
                      wanted = run(theirs, inputs, at::kCPU, at::kDouble, direction);
        expect_near(got.value, wanted.value, dtype, terms, what);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            expect_near(got.gradients[i], wanted.gradients[i], dtype, terms,
                        what + ", gradient " + std::to_string(i));
    }
};

TEST_F(Fused, LayerNormIsLibTorchs) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
        for (const std::int64_t width : {8, 64, 66, 130, 144, 480, 1024}) {
            for (const std::int64_t rows : {1, 7, 5000}) {
                const std::vector<Tensor> inputs{numbers({rows, width}, dtype), numbers({width}, dtype),
                                                 numbers({width}, dtype)};
                compare(
                    [](const auto& in) { return layer_norm(in[0], in[1], in[2], 1e-5); },
                    [](const auto& in) { return at::layer_norm(in[0], in[1].sizes(), in[1], in[2], 1e-5); },
                    inputs, {rows, width}, static_cast<double>(rows * width),
                    std::to_string(rows) + " x " + std::to_string(width));
            }
        }
    }
}

TEST_F(Fused, LinearIsLibTorchs) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
        for (const std::int64_t out : {2, 10, 144, 576}) {
            const std::vector<Tensor> inputs{numbers({3, 700, 48}, dtype), numbers({out, 48}, dtype) / 8,
                                             numbers({out}, dtype)};
            compare([](const auto& in) { return linear(in[0], in[1], in[2]); },
                    [](const auto& in) { return at::linear(in[0], in[1], in[2]); }, inputs, {3, 700, out},
                    2100, std::to_string(out) + " outputs");
        }
    }
}

}  // namespace
}  // namespace plimsoll::model

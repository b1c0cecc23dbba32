// The operations of plimsoll/model/cpu against LibTorch's in double.
#include <cmath>
#include <limits>

#include "plimsoll/model/cpu/gelu.h"
#include "plimsoll/model/cpu/layer_norm.h"
#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/cpu/row_kernels.h"
#include "tests/model/cpu_test_support.h"

namespace plimsoll::model {
namespace {

using at::Tensor;

struct ProductShape {
    std::int64_t rows, terms, columns;
};
// Whole, cut by rows, cut by columns, cut in more than two pieces, and with sides that no piece divides.
constexpr ProductShape product_shapes[] = {{1, 1, 1},      {3, 5, 7},      {300, 129, 70},
                                           {70, 129, 301}, {67, 2000, 33}, {1001, 501, 431}};

Tensor ours(const std::vector<Tensor>& in) {
    return cpu::linear(in[0], in[1], in.size() > 2 ? in[2] : Tensor());
}
Tensor libtorchs(const std::vector<Tensor>& in) {
    return at::linear(in[0], in[1], in.size() > 2 ? in[2] : Tensor());
}

std::vector<Tensor> linear_inputs(const ProductShape& s, bool bias) {
    std::vector<Tensor> result{normal({s.rows, s.terms}, 1), normal({s.columns, s.terms}, 2)};
    if (bias) result.push_back(normal({s.columns}, 3));
    return result;
}

TEST(CpuLinear, IsLibTorchs) {
    for (const auto& shape : product_shapes) {
        for (const bool bias : {false, true})
            expect_same(ours, libtorchs, linear_inputs(shape, bias), normal({shape.rows, shape.columns}, 4),
                        std::to_string(shape.rows) + " rows, bias " + std::to_string(bias));
    }
}

TEST(CpuLinear, TakesAnyShapeAndStrides) {
    const std::vector<Tensor> rest{normal({70, 80}, 2).t(), normal({80}, 3)};
    const auto with = [&](const Tensor& x) { return std::vector<Tensor>{x, rest[0], rest[1]}; };
    expect_same(ours, libtorchs, with(normal({70}, 1)), normal({80}, 4), "a vector");
    expect_same(ours, libtorchs, with(normal({9, 70, 31}, 1).transpose(1, 2)),
                normal({31, 80, 9}, 4).permute({2, 0, 1}), "transposed");
    expect_same(ours, libtorchs, with(normal({9, 31, 70}, 1)), normal({}, 4).expand({9, 31, 80}),
                "one number");
    EXPECT_EQ(cpu::linear(at::empty({0, 70}, at::kDouble), rest[0], rest[1]).sizes(),
              (std::vector<std::int64_t>{0, 80}));
}

TEST(CpuLinear, ThreadsChangeNoBit) {
    for (const auto& shape : product_shapes)
        expect_same_bits(ours, linear_inputs(shape, true), normal({shape.rows, shape.columns}, 4));
}

// Relative to the value itself. LibTorch's own is about as good above zero and loses the tail below it to
// 1 + erf(x).
TEST(CpuGelu, IsExactToFourUnitsInTheLastPlace) {
    const Tensor x = at::linspace(-13, 13, 400'001, at::kFloat), exact_x = x.to(at::kDouble);
    const Tensor exact = 0.5 * exact_x * at::erfc(exact_x * -std::sqrt(0.5));
    const auto units = [&](const Tensor& y) {
        const Tensor error = (y.to(at::kDouble) - exact).abs();
        return (error / (exact.abs() * std::ldexp(1.0, -23) + 1e-37)).max().item<double>();
    };
    EXPECT_LE(units(cpu::gelu(x)), 4.0);
    EXPECT_GT(units(at::gelu(x)), 100.0);
}

TEST(CpuGelu, TheGradientIsExactToAFewRoundings) {
    const Tensor x = at::linspace(-13, 13, 400'001, at::kFloat).requires_grad_(true);
    const Tensor exact_x = x.detach().to(at::kDouble);
    const Tensor exact = 0.5 * at::erfc(exact_x * -std::sqrt(0.5)) +
                         exact_x * at::exp(-0.5 * exact_x.square()) / std::sqrt(2 * M_PI);
    const Tensor got = torch::autograd::grad({cpu::gelu(x)}, {x}, {at::ones_like(x)})[0].to(at::kDouble);
    EXPECT_LE((got - exact).abs().max().item<double>(), 2.5e-7);
}

TEST(CpuGelu, IsLibTorchsForAnyStrides) {
    expect_same([](const auto& in) { return cpu::gelu(in[0].transpose(0, 1)); },
                [](const auto& in) { return at::gelu(in[0].transpose(0, 1)).contiguous(); },
                {normal({37, 1001}, 1)}, normal({37, 1001}, 2).t(), "transposed");
}

TEST(CpuGelu, HoldsAtTheEnds) {
    constexpr float infinity = std::numeric_limits<float>::infinity(), huge = 1e30F;
    const Tensor y = cpu::gelu(at::tensor({huge, -huge, infinity, 0.0F, NAN, 50.0F, -50.0F}, at::kFloat));
    const float* got = y.data_ptr<float>();
    EXPECT_EQ(got[0], huge);
    EXPECT_EQ(got[1], 0);
    EXPECT_EQ(got[2], infinity);
    EXPECT_EQ(got[3], 0);
    EXPECT_TRUE(std::isnan(got[4]));
    EXPECT_EQ(got[5], 50);
    EXPECT_EQ(got[6], 0);
}

TEST(CpuGelu, ThreadsChangeNoBit) {
    expect_same_bits([](const auto& in) { return cpu::gelu(in[0]); }, {normal({100'003}, 1)},
                     normal({100'003}, 2));
}

TEST(CpuLayerNorm, IsLibTorchs) {
    for (const std::int64_t width : {1, 2, 15, 16, 17, 256, 301}) {
        for (const std::int64_t rows : {1, 64, 131}) {
            for (const bool bias : {false, true}) {
                std::vector<Tensor> inputs{normal({rows, width}, 1) * 3 + 2, normal({width}, 2)};
                if (bias) inputs.push_back(normal({width}, 3));
                const auto shift = [](const auto& in) { return in.size() > 2 ? in[2] : Tensor(); };
                expect_same(
                    [&](const auto& in) { return cpu::layer_norm(in[0], in[1], shift(in), 1e-2); },
                    [&](const auto& in) { return at::layer_norm(in[0], {width}, in[1], shift(in), 1e-2); },
                    inputs, normal({width, rows}, 4).t(),
                    std::to_string(rows) + " x " + std::to_string(width));
            }
        }
    }
}

TEST(CpuLayerNorm, ThreadsChangeNoBit) {
    expect_same_bits([](const auto& in) { return cpu::layer_norm(in[0], in[1], in[2], 1e-5); },
                     {normal({517, 96}, 1), normal({96}, 2), normal({96}, 3)}, normal({517, 96}, 4));
}

TEST(CpuKernels, ASoftmaxEndsWhereItIsToldTo) {
    float row[]{1, 2, 3, 100, 100};
    cpu::softmax_row<float>(row, nullptr, 1, 3, 4);
    EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-6);
    EXPECT_NEAR(row[2] / row[0], std::exp(2.0), 1e-5);
    EXPECT_EQ(row[3], 0);
    EXPECT_EQ(row[4], 100);
}

}  // namespace
}  // namespace plimsoll::model

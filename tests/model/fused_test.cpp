// The kernels of plimsoll/model/cuda against LibTorch in double; where there is no GPU there is nothing to
// compare.
#include "plimsoll/model/fused.h"

#include <cmath>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "plimsoll/model/layers.h"
#include "plimsoll/model/plain.h"
#include "plimsoll/model/positions.h"

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

constexpr at::ScalarType kinds[] = {at::kFloat, at::kBFloat16};

// A stack of three runs, each with weights of its own, is three networks.
TEST_F(Fused, NormsOfAStackAreThoseOfItsRuns) {
    constexpr std::int64_t runs = 3, examples = 5, tokens = 77;
    for (const at::ScalarType dtype : kinds) {
        for (const std::int64_t width : {8, 96, 144, 520}) {
            const std::vector<Tensor> inputs{numbers({runs * examples, tokens, width}, dtype),
                                             numbers({runs, width}, dtype), numbers({runs, width}, dtype)};
            const std::vector<std::int64_t> shape{runs * examples, tokens, width};
            const double terms = examples * tokens * static_cast<double>(width);
            compare([](const auto& in) { return layer_norm(in[0], in[1], in[2], 1e-5); },
                    [&](const auto& in) {
                        std::vector<Tensor> parts;
                        for (std::int64_t k = 0; k < runs; ++k)
                            parts.push_back(at::layer_norm(in[0].narrow(0, k * examples, examples), {width},
                                                           in[1][k], in[2][k], 1e-5));
                        return at::cat(parts);
                    },
                    inputs, shape, terms, "layer norm " + std::to_string(width));
            compare([](const auto& in) { return rms_norm(in[0], in[1], 1e-5); },
                    [](const auto& in) { return plain::rms_norm(in[0], in[1], 1e-5); },
                    {inputs[0], inputs[1]}, shape, terms, "RMS norm " + std::to_string(width));
        }
    }
}

// Widths that start at any multiple of two bytes, as parameters do in a flat row.
TEST_F(Fused, LinearOfAStackIsThatOfItsRuns) {
    constexpr std::int64_t runs = 3, rows = 700;
    for (const at::ScalarType dtype : kinds) {
        for (const std::int64_t out : {2, 10, 33, 144, 576}) {
            for (const std::int64_t in : {47, 48}) {
                compare([](const auto& in) { return linear(in[0], in[1], in[2]); },
                        [](const auto& in) {
                            return at::baddbmm(in[2].unsqueeze(1), in[0], in[1].transpose(1, 2));
                        },
                        {numbers({runs, rows, in}, dtype), numbers({runs, out, in}, dtype) / 8,
                         numbers({runs, out}, dtype)},
                        {runs, rows, out}, rows, std::to_string(in) + " to " + std::to_string(out));
            }
        }
    }
}

TEST_F(Fused, TransposedIsAView) {
    for (const at::ScalarType dtype : kinds) {
        for (const std::int64_t rows : {2, 64, 130}) {
            for (const std::int64_t columns : {2, 66, 128}) {
                const std::vector<Tensor> inputs{numbers({5, columns, rows}, dtype),
                                                 numbers({5, rows, columns}, dtype)};
                compare(
                    [](const auto& in) { return plus_transposed(in[0], transposed(transposed(in[1])), 0.5); },
                    [](const auto& in) { return at::add(in[0], in[1].transpose(1, 2), 0.5); }, inputs,
                    {5, columns, rows}, 1, std::to_string(rows) + " x " + std::to_string(columns));
            }
        }
    }
}

TEST_F(Fused, RmsNormIsItsFormula) {
    for (const at::ScalarType dtype : kinds) {
        for (const std::int64_t width : {8, 130, 1024}) {
            compare([](const auto& in) { return rms_norm(in[0], in[1], 1e-5); },
                    [](const auto& in) { return plain::rms_norm(in[0], in[1], 1e-5); },
                    {numbers({700, width}, dtype), numbers({width}, dtype)}, {700, width},
                    700 * static_cast<double>(width), std::to_string(width));
        }
    }
}

TEST_F(Fused, SumsOfRowsAreExact) {
    for (const at::ScalarType dtype : kinds) {
        for (const std::int64_t rows : {1, 63, 5000}) {
            const Tensor x = numbers({4, rows, 130}, dtype);
            expect_near(sums_of_rows(x.cuda()), x.to(at::kDouble).sum(1), dtype, static_cast<double>(rows),
                        std::to_string(rows) + " rows");
        }
    }
}

TEST_F(Fused, GatesAreTheirFormula) {
    for (const auto activation : {arch::Activation::silu, arch::Activation::gelu, arch::Activation::relu}) {
        for (const at::ScalarType dtype : kinds) {
            constexpr std::int64_t hidden = 58;
            ASSERT_TRUE(
                joins_gate(at::zeros({2, 2}, at::TensorOptions(at::kCUDA).dtype(dtype)), activation, hidden));
            compare([&](const auto& in) { return gated(activation, in[0]); },
                    [&](const auto& in) {
                        const auto parts = in[0].chunk(2, -1);
                        return activate(activation, parts[0]) * parts[1];
                    },
                    {numbers({3, 700, 2 * hidden}, dtype)}, {3, 700, hidden}, 1, "gate");
        }
    }
}

// Queries that lie between keys and values, of a stack of two runs.
TEST_F(Fused, HeadsAreNormedAndRotated) {
    constexpr std::int64_t examples = 4, tokens = 33, heads = 3;
    for (const at::ScalarType dtype : kinds) {
        for (const std::int64_t head_dim : {4, 24, 64, 68, 128, 256}) {
            for (const bool normed : {true, false}) {
                for (const std::int64_t runs : {1, 2}) {
                    const Tensor angles = rope_table(40, head_dim);
                    const std::int64_t width = heads * head_dim;
                    std::vector<Tensor> inputs{numbers({examples, tokens, width + 6}, dtype)};
                    if (normed) {
                        inputs.push_back(runs == 1 ? numbers({head_dim}, dtype)
                                                   : numbers({runs, head_dim}, dtype));
                    }
                    const auto queries = [&](const Tensor& x) { return x.narrow(2, 6, width); };
                    const auto split = [&](const Tensor& x) {
                        return x.view({examples, tokens, heads, head_dim}).transpose(1, 2);
                    };
                    compare(
                        [&](const auto& in) {
                            const HeadForm form{heads, normed ? in[1] : Tensor(), 1e-5,
                                                angles.to(at::kCUDA, at::kFloat)};
                            EXPECT_TRUE(forms_heads(queries(in[0]), form));
                            return form_heads(queries(in[0]), form);
                        },
                        [&](const auto& in) {
                            Tensor x = split(queries(in[0]).contiguous());
                            if (normed) x = plain::rms_norm(x, in[1], 1e-5);
                            return rotate(x, angles.to(at::kDouble));
                        },
                        inputs, {examples, heads, tokens, head_dim}, examples * tokens * heads,
                        "heads of " + std::to_string(head_dim));
                }
            }
        }
    }
}

// Rows of all ways that the kernels read them, some without a target, and rows with gaps.
TEST_F(Fused, CrossEntropiesAreLibTorchs) {
    for (const at::ScalarType dtype : kinds) {
        for (const std::int64_t classes : {2, 10, 257, 1024, 4000, 50257}) {
            for (const std::int64_t gap : {0, 7}) {
                const std::int64_t rows = 67;
                const Tensor targets = at::randint(0, classes, {rows}, at::kLong);
                targets.narrow(0, 5, 2).fill_(-100);
                const auto part = [&](const Tensor& x) { return x.narrow(1, 0, classes); };
                compare(
                    [&](const auto& in) {
                        return cross_entropies(part(in[0]), targets.cuda(), -100).to(dtype);
                    },
                    [&](const auto& in) {
                        return at::cross_entropy_loss(part(in[0]), targets, {}, at::Reduction::None, -100);
                    },
                    {4 * numbers({rows, classes + gap}, dtype)}, {rows}, static_cast<double>(classes),
                    std::to_string(classes) + " classes");
            }
        }
    }
}

}  // namespace
}  // namespace plimsoll::model

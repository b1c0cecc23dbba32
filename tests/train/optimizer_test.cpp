#include "plimsoll/train/optimizer.h"

#include <cmath>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace plimsoll::train {
namespace {

// One matrix and one bias, so that one of them decays and the other does not.
class TwoTensors final : public model::Network {
  public:
    TwoTensors() {
        parameters_ = {{"bias", torch::tensor({0.5}, torch::kDouble).requires_grad_(true)},
                       {"matrix", torch::tensor({{1.0, -2.0}}, torch::kDouble).requires_grad_(true)}};
    }
    using model::Network::forward;
    [[nodiscard]] torch::Tensor forward(const model::Input&, const model::DropoutSeeds&) const override {
        return (parameters_[1].tensor * parameters_[1].tensor).sum() + 3 * parameters_[0].tensor.sum();
    }
    [[nodiscard]] double at(std::size_t tensor, std::int64_t index) const {
        return parameters_[tensor].tensor.flatten()[index].item<double>();
    }
};

torch::Tensor rate(double value) { return torch::tensor({value}, torch::kDouble); }

void one_step(const TwoTensors& net, FlatParameters& flat, Optimizer& optimizer, double lr) {
    flat.differentiate(net.forward({}, 0), false);
    optimizer.step(rate(lr));
}

TEST(Optimizer, ParametersAreViewsOfOneVector) {
    const TwoTensors net;
    FlatParameters flat(net, false, update_scales(net, false));
    EXPECT_EQ(flat.segments().front().size, 2);  // the matrix comes first
    flat.values().fill_(7);
    EXPECT_EQ(net.at(0, 0), 7);
    EXPECT_EQ(net.at(1, 1), 7);
    const auto named = flat.named(flat.values()[0]);
    EXPECT_EQ(named[0].name, "matrix");
    EXPECT_EQ(named[0].tensor.sizes(), (std::vector<std::int64_t>{1, 2}));
}

// The formulas by hand, two steps.
TEST(Optimizer, AdamWIsLoshchilovsFormula) {
    const TwoTensors net;
    run::OptimizerSettings settings;
    settings.weight_decay = 0.1;
    FlatParameters flat(net, false, update_scales(net, false));
    Optimizer optimizer({settings}, flat);
    double w = 1.0, b = 0.5, mw = 0, vw = 0, mb = 0, vb = 0;
    for (int step = 1; step <= 2; ++step) {
        const auto update = [&](double& p, double& m, double& v, double g, double decay) {
            p *= 1 - 0.01 * decay;
            m = 0.9 * m + 0.1 * g;
            v = 0.999 * v + 0.001 * g * g;
            p -= 0.01 * (m / (1 - std::pow(0.9, step))) / (std::sqrt(v / (1 - std::pow(0.999, step))) + 1e-8);
        };
        const double gw = 2 * w;
        update(w, mw, vw, gw, 0.1);
        update(b, mb, vb, 3, 0);
        one_step(net, flat, optimizer, 0.01);
        EXPECT_NEAR(net.at(1, 0), w, 1e-15);  // a few roundings of numbers near one
        EXPECT_NEAR(net.at(0, 0), b, 1e-15);
    }
}

TEST(Optimizer, SgdWithNesterovAndDecayInTheGradient) {
    const TwoTensors net;
    run::OptimizerSettings settings;
    settings.kind = run::OptimizerKind::sgd;
    settings.momentum = 0.9;
    settings.nesterov = true;
    settings.weight_decay = 0.1;
    FlatParameters flat(net, false, update_scales(net, false));
    Optimizer optimizer({settings}, flat);
    double w = 1.0, buffer = 0;
    for (int step = 0; step < 3; ++step) {
        const double g = 2 * w + 0.1 * w;
        buffer = 0.9 * buffer + g;
        w -= 0.01 * (g + 0.9 * buffer);
        one_step(net, flat, optimizer, 0.01);
        EXPECT_NEAR(net.at(1, 0), w, 1e-15);
    }
}

TEST(Optimizer, AClippedGradientHasTheNormAskedFor) {
    const TwoTensors net;
    run::OptimizerSettings settings;
    settings.kind = run::OptimizerKind::sgd;
    settings.weight_decay = 0;
    settings.clip = 0.5;
    FlatParameters flat(net, false, update_scales(net, false));
    Optimizer optimizer({settings}, flat);
    flat.differentiate(net.forward({}, 0), false);
    const torch::Tensor before = flat.values().clone();
    const double norm = optimizer.step(rate(1)).item<double>();
    EXPECT_NEAR(norm, std::sqrt(9 + 4 + 16), 1e-12);
    EXPECT_NEAR((flat.values() - before).norm().item<double>(), 0.5, 1e-6);  // clip's own 1e-6 against zero
}

// A matrix with more numbers than one thread takes at a time, and its bias; the gradient is (matrix, bias).
class LongTensors final : public model::Network {
  public:
    LongTensors() {
        const auto numbers = [](std::vector<std::int64_t> shape, double shift) {
            const torch::Tensor x = at::arange(shape[0] * (shape.size() > 1 ? shape[1] : 1), at::kFloat);
            return at::sin(x + shift).view(shape).requires_grad_(true);
        };
        parameters_ = {{"matrix", numbers({200, 301}, 0)}, {"bias", numbers({301}, 0.5)}};
    }
    using model::Network::forward;
    [[nodiscard]] torch::Tensor forward(const model::Input&, const model::DropoutSeeds&) const override {
        return 0.5 * (parameters_[0].tensor.square().sum() + parameters_[1].tensor.square().sum());
    }
};

// Two runs with parameters of 200 x 301 and 301 numbers.
class LongStack final : public model::Network {
  public:
    LongStack(at::Device device, at::ScalarType dtype) {
        const auto numbers = [&](std::vector<std::int64_t> shape, std::int64_t count, double shift) {
            const torch::Tensor x = at::sin(at::arange(count, at::kDouble) + shift).view(shape);
            return x.to(device, dtype).requires_grad_(true);
        };
        parameters_ = {{"matrix", numbers({2, 200, 301}, 2 * 200 * 301, 0)},
                       {"bias", numbers({2, 301}, 602, 0.5)}};
        runs_ = 2;
    }
    using model::Network::forward;
    [[nodiscard]] torch::Tensor forward(const model::Input&, const model::DropoutSeeds&) const override {
        const torch::Tensor matrix = parameters_[0].tensor, bias = parameters_[1].tensor;
        return 0.5 * (matrix * matrix).sum().to(at::kFloat) + 0.5 * (bias * bias).sum().to(at::kFloat);
    }
};

// A stack of two runs, of which only one is updated, or both: float with masters on a GPU against the formula
// in double on the processor, three steps.
TEST(Optimizer, AdamWOnAGpuIsTheProcessors) {
    if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "no GPU here";
    run::OptimizerSettings first, second;
    first.weight_decay = 0.1, first.clip = 2.0;
    second.beta1 = 0.8, second.eps = 1e-3;
    for (const bool both : {true, false}) {
        for (const bool half : {false, true}) {
            std::vector<torch::Tensor> ends;
            for (const auto device : {torch::kCPU, torch::kCUDA}) {
                const LongStack net(device, device == torch::kCPU ? torch::kDouble : torch::kFloat);
                const bool rounded = half && device == torch::kCUDA;
                FlatParameters flat(net, rounded, update_scales(net, false));
                Optimizer optimizer({first, second}, flat);
                optimizer.set_active({true, both});
                const torch::Tensor rates =
                    torch::tensor({0.01, 0.02}, torch::TensorOptions(torch::kDouble).device(device));
                for (int step = 0; step < 3; ++step) {
                    flat.differentiate(net.forward({}, 0), false);
                    optimizer.step(rates);
                }
                ends.push_back(flat.values().to(at::kCPU, at::kDouble));
                if (rounded) EXPECT_TRUE(flat.working().equal(flat.values().to(at::kBFloat16)));
                EXPECT_EQ(optimizer.state(1)[1].tensor.item<double>(), both ? 3 : 0);
            }
            // The gradient is rounded to bf16 where the weights are: Adam's step changes by less than its
            // rate.
            EXPECT_LT((ends[0] - ends[1]).abs().max().item<double>(), half ? 2e-3 : 1e-6);
        }
    }
}

// In float, clipped, with any number of threads: the formula in double rounded, and always the same bits.
TEST(Optimizer, AdamWOfLongVectorsDoesNotDependOnThreads) {
    run::OptimizerSettings settings;
    settings.weight_decay = 0.1;
    settings.clip = 2.0;
    const int before = at::get_num_threads();
    std::vector<torch::Tensor> ends;
    for (const int threads : {1, 2, 5}) {
        at::set_num_threads(threads);
        const LongTensors net;
        FlatParameters flat(net, false, update_scales(net, false));
        Optimizer optimizer({settings}, flat);
        const torch::Tensor start = flat.values()[0].to(at::kDouble);
        flat.differentiate(net.forward({}, 0), false);
        const double norm = optimizer.step(rate(0.01)).item<double>();
        EXPECT_NEAR(norm, start.norm().item<double>(), 1e-4);  // of 174, 60501 squares in float
        const torch::Tensor g = start * (2.0 / (norm + 1e-6));
        torch::Tensor wanted = start - 0.01 * g / (g.abs() + 1e-8);
        const std::int64_t decayed = flat.segments().front().size;
        wanted.narrow(0, 0, decayed).sub_(0.01 * 0.1 * start.narrow(0, 0, decayed));
        EXPECT_LT((flat.values()[0] - wanted).abs().max().item<double>(), 5e-7);
        ends.push_back(flat.values().clone());
    }
    at::set_num_threads(before);
    EXPECT_TRUE(at::equal(ends[0], ends[1]));
    EXPECT_TRUE(at::equal(ends[0], ends[2]));
}

TEST(Optimizer, RoundedWeightsKeepTheirMasters) {
    const TwoTensors net;
    FlatParameters flat(net, true, update_scales(net, false));
    flat.values().fill_(1.0 + 1e-4);
    flat.publish();
    EXPECT_EQ(net.at(1, 0), 1.0);  // bf16 has 8 bits
    EXPECT_EQ(flat.values()[0][0].item<double>(), 1.0 + 1e-4);
}

}  // namespace
}  // namespace plimsoll::train

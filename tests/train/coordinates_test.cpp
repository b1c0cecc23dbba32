// Coordinate checks: the sizes of activations, and of what ten steps of Adam change in them, over width and
// depth.
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "tests/model/model_test_support.h"
#include "tests/train/scaled_training.h"

namespace plimsoll::train {
namespace {

using run::Parameterization;

constexpr int steps = 10;
constexpr std::int64_t base_width = 32, base_depth = 2;

double size_of(const torch::Tensor& x) { return x.square().mean().sqrt().item<double>(); }

// Of one network: what a residual sum and the logits are, and how far they moved.
struct Places {
    double stream = 0;                                  // largest size after a layer, at the start
    std::array<double, steps> moved{}, logits_moved{};  // largest over the layers, after each step
};

enum class Family { decoder, mixer, mlp };

arch::ArchSpec shape(Family family, std::int64_t width, std::int64_t depth) {
    if (family == Family::mlp)
        return arch::parse_spec(
                   fmt::format("mlp:depth={},width={},inputs=6,categories=3+5,classes=4", depth, width))
            .value();
    const std::string text =
        family == Family::decoder
            ? fmt::format("transformer:depth={},width={},heads=4,vocab=32,context=12", depth, width)
            : fmt::format("mixer:depth={},channels={},tokens=12,vocab=32,expansion=2,tied=off", depth, width);
    return arch::parse_spec(text).value();
}

Places measured(Family family, std::int64_t width, std::int64_t depth, Parameterization how) {
    const bool deep = how == Parameterization::completep, any = how != Parameterization::standard;
    run::RunConfig config =
        scaled_config(shape(family, width, depth), how, any ? base_width : 0, deep ? base_depth : 0);
    config.optimizer.lr = 2e-3;
    config.train.precision = run::Precision::fp32;
    ScaledTraining training(config);
    auto input = model::sample_input(config.model.spec, 6, 1);
    if (input.values.defined()) input.values = input.values.to(at::kFloat);
    const auto before = layers_of(training.network(), input);
    const auto target = model::normal(before.back().sizes().vec(), 2).to(at::kFloat);
    Places result;
    for (std::size_t l = 0; l + 1 < before.size(); ++l)
        result.stream = std::max(result.stream, size_of(before[l]));
    for (std::size_t step = 0; step < steps; ++step) {
        training.step(input, target);
        const auto now = layers_of(training.network(), input);
        for (std::size_t l = 0; l + 1 < now.size(); ++l)
            result.moved[step] = std::max(result.moved[step], size_of(now[l] - before[l]));
        result.logits_moved[step] = size_of(now.back() - before.back());
    }
    return result;
}

// How many times larger each size is than in the base shape: the extremes over all shapes and steps.
struct Spread {
    double least = 1, most = 1;
    void add(double ratio) { least = std::min(least, ratio), most = std::max(most, ratio); }
};
struct Spreads {
    Spread stream, moved, logits_moved;
};

Spreads spreads(Family family, Parameterization how, const std::vector<std::pair<int, int>>& shapes) {
    const Places base = measured(family, base_width, base_depth, how);
    Spreads result;
    for (const auto& [width, depth] : shapes) {
        const Places one = measured(family, width, depth, how);
        result.stream.add(one.stream / base.stream);
        for (std::size_t step = 0; step < steps; ++step) {
            result.moved.add(one.moved[step] / base.moved[step]);
            result.logits_moved.add(one.logits_moved[step] / base.logits_moved[step]);
        }
    }
    return result;
}

const std::vector<std::pair<int, int>> wider{{64, 2}, {128, 2}}, deeper{{32, 4}, {32, 8}, {32, 16}},
    both{{128, 16}};

// Nothing grows by 1.8 or more. What shrinks by less than 3 is the random start: logits as 1/sqrt(m), what
// the branches add as 1/sqrt(l), and with it what a step changes through them.
void expect_in_place(const Spreads& s, const std::string& where) {
    for (const Spread& spread : {s.stream, s.moved, s.logits_moved}) {
        EXPECT_LT(spread.most, 1.8) << where;
        EXPECT_GT(spread.least, 1.0 / 3) << where;
    }
}

class Coordinates : public ::testing::TestWithParam<Family> {};

TEST_P(Coordinates, StayOverWidthWithMup) {
    expect_in_place(spreads(GetParam(), Parameterization::mup, wider), "wider");
}

TEST_P(Coordinates, StayOverWidthAndDepthWithCompletep) {
    expect_in_place(spreads(GetParam(), Parameterization::completep, wider), "wider");
    expect_in_place(spreads(GetParam(), Parameterization::completep, deeper), "deeper");
    expect_in_place(spreads(GetParam(), Parameterization::completep, both), "wider and deeper");
}

// The checks can fail: what is not made for a direction drifts in it, as m and as l.
TEST_P(Coordinates, DriftWithStandardAndOverDepthWithMup) {
    EXPECT_GT(spreads(GetParam(), Parameterization::standard, wider).moved.most, 2.5);
    EXPECT_GT(spreads(GetParam(), Parameterization::standard, deeper).moved.most, 6);
    EXPECT_GT(spreads(GetParam(), Parameterization::mup, deeper).moved.most, 6);
}

INSTANTIATE_TEST_SUITE_P(Families, Coordinates,
                         ::testing::Values(Family::decoder, Family::mixer, Family::mlp),
                         [](const auto& info) {
                             return std::string(info.param == Family::decoder ? "decoder"
                                                : info.param == Family::mixer ? "mixer"
                                                                              : "mlp");
                         });

}  // namespace
}  // namespace plimsoll::train

// Singular values of weights: the law of independent entries, matrices known by hand, Kronecker products.
#include "plimsoll/probe/torch/spectra.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "plimsoll/probe/marchenko_pastur.h"
#include "plimsoll/probe/torch/subject.h"

namespace plimsoll::probe {
namespace {

SpectraReport spectra(const std::string& spec, const std::string& init = "fan-in") {
    SpectraQuestion question;
    question.subject.source = *arch::parse_spec(spec);
    question.subject.init = init;
    return measure_spectra(question).value();
}

MatrixSpectrum described(const torch::Tensor& matrix) {
    EXPECT_TRUE(rank::prepare_singular_values(1).ok());
    return spectrum_of({"test", matrix.unsqueeze(0).contiguous(), 1, 1});
}

std::unique_ptr<model::Network> network_of(const std::string& spec) {
    Subject subject{*arch::parse_spec(spec)};
    subject.init = "fan-in";
    return open_subject(subject, torch::kCPU).value().network;
}

// The singular values of a linear network as one matrix: column k is what it makes of unit vector k.
std::vector<double> values_of_map(const std::string& spec, std::vector<std::int64_t> sizes) {
    const auto network = network_of(spec);
    model::Input input;
    sizes.insert(sizes.begin(), -1);
    std::int64_t width = 1;
    for (std::size_t k = 1; k < sizes.size(); ++k) width *= sizes[k];
    input.values = at::eye(width, at::kDouble).view(sizes);
    const at::NoGradGuard no_grad;
    return described(network->forward(input, 0).flatten(1)).spectrum.values;
}

void expect_equal(const std::vector<double>& got, const std::vector<double>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], expected[k], 1e-12 * expected[0]) << k;
}

TEST(MarchenkoPastur, IsTheQuarterCircleOfASquareMatrix) {
    const MarchenkoPastur law(100, 100, 0.01);  // values of 0..2
    for (const double s : {0.001, 0.3, 1.0, 1.7, 1.999}) {
        const double share = (s * std::sqrt(1 - s * s / 4) / 2 + std::asin(s / 2)) * 2 / std::numbers::pi;
        EXPECT_NEAR(law.share_below(s), share, 1e-9);
    }
}

TEST(MarchenkoPastur, HasAllItsMassBetweenItsEdges) {
    for (const double cols : {1.0, 7.0, 99.0, 100.0, 500.0}) {
        const MarchenkoPastur law(100, cols, 2);
        EXPECT_NEAR(law.low_edge(), std::sqrt(2.0) * std::abs(10 - std::sqrt(cols)), 1e-12);
        EXPECT_NEAR(law.high_edge(), std::sqrt(2.0) * (10 + std::sqrt(cols)), 1e-12);
        EXPECT_NEAR(law.share_below(law.high_edge() - 1e-9), 1, 1e-6);
        EXPECT_EQ(law.share_below(law.low_edge()), 0);
        EXPECT_GT(law.chance_limit(), law.high_edge());
    }
}

TEST(MarchenkoPastur, ValueAtReversesShareBelow) {
    for (const double cols : {7.0, 100.0}) {
        const MarchenkoPastur law(100, cols, 2);
        for (const double share : {0.01, 0.25, 0.5, 0.9, 0.999})
            EXPECT_NEAR(law.share_below(law.value_at(share)), share, 1e-9);
    }
}

TEST(MarchenkoPastur, DistanceIsZeroForItsOwnQuantilesAndOneFarAway) {
    const MarchenkoPastur law(50, 50, 0.02);
    EXPECT_EQ(distance_to(law, std::vector<double>(20, 5.0)), 1);
    std::vector<double> quantiles;
    for (int k = 0; k < 100; ++k) {
        double low = 0, high = 2;  // bisection
        for (int step = 0; step < 50; ++step) {
            const double middle = (low + high) / 2;
            (law.share_below(middle) < (k + 0.5) / 100 ? low : high) = middle;
        }
        quantiles.push_back(low);
    }
    EXPECT_NEAR(distance_to(law, quantiles), 0.005, 1e-6);
}

TEST(Spectra, OfAnIdentityAndOfARotationAreOnes) {
    at::manual_seed(1);
    const MatrixSpectrum identity = described(at::eye(20, at::kDouble));
    const torch::Tensor gaussian = at::randn({20, 20}, at::kDouble);
    const MatrixSpectrum rotation = described(std::get<0>(at::linalg_qr(gaussian)));
    for (const auto& spectrum : {identity, rotation}) {
        EXPECT_NEAR(spectrum.spectrum.values.front(), 1, 1e-12);
        EXPECT_NEAR(spectrum.condition, 1, 1e-12);
        EXPECT_NEAR(spectrum.mean, 1, 1e-12);
        EXPECT_NEAR(spectrum.spectrum.effective_rank, 20, 1e-9);
    }
    EXPECT_GT(identity.distance, 0.3);  // nothing like independent entries
}

TEST(Spectra, OfASingularMatrixHaveNoCondition) {
    const MatrixSpectrum zero = described(at::zeros({3, 4}, at::kDouble));
    EXPECT_TRUE(std::isinf(zero.condition));
    EXPECT_EQ(zero.spectrum.numerical_rank, 0);
    EXPECT_TRUE(to_json(SpectraReport{{}, {zero}})["matrices"][0]["condition"].is_null());
}

// Deviation 1/sqrt(inputs): edges at |1 -+ sqrt(outputs / inputs)|. The largest value of a 100 x 400 matrix
// deviates by 1.1 % (Tracy and Widom), the smallest by 2.3 %: four deviations are allowed.
TEST(Spectra, OfFreshGaussianMatricesEndAtTheEdges) {
    const auto report = spectra("pk:depth=1,width=100,inputs=400,blocks=1");
    ASSERT_EQ(report.matrices.size(), 2U);
    const MatrixSpectrum& wide = report.matrices[0];
    EXPECT_EQ(wide.name, "input.weight");
    EXPECT_NEAR(wide.spectrum.values.front(), 1.5, 0.05 * 1.5);
    EXPECT_NEAR(wide.spectrum.values.back(), 0.5, 0.1 * 0.5);
    EXPECT_NEAR(wide.high_edge, 1.5, 0.01);  // the mean square of 40,000 entries is within 1 %
    EXPECT_NEAR(wide.low_edge, 0.5, 0.01);
    EXPECT_NEAR(report.matrices[1].spectrum.values.front(), 2, 0.1);
    for (const auto& matrix : report.matrices) {
        EXPECT_EQ(matrix.outside, 0);
        EXPECT_LT(matrix.distance, 0.05);
    }
}

TEST(Spectra, SeeASignalAboveTheEdge) {
    at::manual_seed(1);
    const torch::Tensor noise = at::randn({60, 60}, at::kDouble) / std::sqrt(60.0);
    const torch::Tensor spike = at::ones({60, 60}, at::kDouble) * (5.0 / 60);  // one value of 5
    EXPECT_EQ(described(noise).outside, 0);
    EXPECT_EQ(described(noise + spike).outside, 1);
}

TEST(Spectra, OfAPkLayerAreThoseOfItsBlockRepeated) {
    const std::string spec = "pk:depth=1,width=12,blocks=3,activation=identity";
    const MatrixSpectrum block = spectra(spec).matrices.front();
    EXPECT_EQ(block.copies, 3);
    EXPECT_EQ(block.rows, 4);
    std::vector<double> repeated;
    for (const double value : block.spectrum.values) repeated.insert(repeated.end(), 3, value);
    expect_equal(values_of_map(spec, {12}), repeated);
}

TEST(Spectra, OfAMixersBlockAreAllProducts) {
    const std::string spec =
        "s-mixer:depth=1,tokens=3,channels=4,activation=identity,norm=none,bias=off,skip=off,final_norm=off";
    const auto report = spectra(spec);
    ASSERT_EQ(report.matrices.size(), 2U);
    EXPECT_EQ(report.matrices[0].copies, 4);  // tokens: I_C (x) W
    EXPECT_EQ(report.matrices[1].copies, 3);
    std::vector<double> products;
    for (const double a : report.matrices[0].spectrum.values) {
        for (const double b : report.matrices[1].spectrum.values) products.push_back(a * b);
    }
    std::sort(products.begin(), products.end(), std::greater<>());
    expect_equal(values_of_map(spec, {3, 4}), products);
}

TEST(Spectra, OfASparseMatrixAreThoseOfTheMapItself) {
    const std::string spec = "sw-mlp:depth=1,width=16,connections=64,activation=identity";
    const MatrixSpectrum matrix = spectra(spec).matrices.front();
    EXPECT_EQ(matrix.density, 0.25);
    expect_equal(matrix.spectrum.values, values_of_map(spec, {16}));
}

TEST(Spectra, DoNotDependOnTheParametrisation) {
    const std::string spec = "sw-mlp:depth=1,width=16,connections=64";
    expect_equal(spectra(spec, "ntk").matrices[0].spectrum.values,
                 spectra(spec, "fan-in").matrices[0].spectrum.values);
}

TEST(Spectra, OfACausalMixerLeaveOutWhatIsMasked) {
    const auto network =
        network_of("s-mixer:depth=1,tokens=4,channels=3,causal=on,vocab=5,norm=none,final_norm=off");
    const auto matrices = weight_matrices(*network, "fan-in", "blocks.0.tokens");
    ASSERT_EQ(matrices.size(), 1U);
    EXPECT_EQ(matrices[0].values[0].triu(1).abs().max().item<double>(), 0);
    EXPECT_EQ(matrices[0].density, 10.0 / 16);
}

TEST(Spectra, OfHeadsAreTakenTogether) {
    const auto report = spectra("attention:depth=1,width=6,heads=2");
    ASSERT_EQ(report.matrices.size(), 4U);
    EXPECT_EQ(report.matrices[0].stack, 2);
    EXPECT_EQ(report.matrices[0].rows, 3);
    EXPECT_EQ(report.matrices[0].spectrum.values.size(), 6U);
}

// HAYASE-PRINCIPLE, the summary's "bounded singular values": at equal connections a mixer's layer keeps the
// edge of its small block, a random mask of few connections a row exceeds it.
TEST(Spectra, OfAVerySparseMaskExceedTheEdgeAndOfAMixerNot) {
    const auto mixer = spectra("s-mixer:depth=1,tokens=8,channels=64");  // 512 wide, 4096 connections
    const auto masked = spectra("sw-mlp:depth=1,width=512,connections=4096");
    EXPECT_EQ(mixer.matrices[0].outside, 0);
    EXPECT_LT(mixer.matrices[0].spectrum.values[0], 2);
    EXPECT_GT(masked.matrices[0].outside, 0);
    EXPECT_GT(masked.matrices[0].spectrum.values[0], 2.2);
}

TEST(Spectra, NameWhatIsMissing) {
    SpectraQuestion question;
    question.subject.source = *arch::parse_spec("square-mlp:rows=2,cols=2,depth=1");
    question.only = "attention";
    EXPECT_EQ(measure_spectra(question).error().text(), "only: no weight matrix has 'attention' in its name");
    question.subject.init = "nobody";
    EXPECT_EQ(measure_spectra(question).error().where, "init");
}

}  // namespace
}  // namespace plimsoll::probe

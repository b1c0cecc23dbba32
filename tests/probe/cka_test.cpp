// Centred kernel alignment: its invariances, a value by another way, and what independence gives.
#include <cmath>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "plimsoll/probe/probe.h"
#include "plimsoll/probe/torch/similarity.h"
#include "tests/support/error_text.h"

namespace plimsoll::probe {
namespace {

class Cka : public ::testing::TestWithParam<bool> {
  protected:
    Cka() { at::manual_seed(1); }
    static torch::Tensor gaussian(std::int64_t rows, std::int64_t cols) {
        return at::randn({rows, cols}, at::kDouble);
    }
    static torch::Tensor rotation(std::int64_t size) {
        return std::get<0>(at::linalg_qr(gaussian(size, size)));
    }
    static double between(const torch::Tensor& x, const torch::Tensor& y) {
        return cka(gram_of(x), gram_of(y), GetParam());
    }
};

INSTANTIATE_TEST_SUITE_P(Hsic, Cka, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "Unbiased" : "Plain"; });

TEST_P(Cka, OfAThingWithItselfIsOne) {
    const torch::Tensor x = gaussian(30, 7);
    EXPECT_NEAR(between(x, x), 1, 1e-12);
}

TEST_P(Cka, SeesNeitherRotationNorScaleNorShift) {
    const torch::Tensor x = gaussian(30, 7), y = at::matmul(x, gaussian(7, 5)) + gaussian(30, 5);
    const double value = between(x, y);
    EXPECT_NEAR(between(at::matmul(x, rotation(7)), y), value, 1e-12);
    EXPECT_NEAR(between(-3.5 * x, y), value, 1e-12);
    EXPECT_NEAR(between(1e200 * x, 1e-200 * y), value, 1e-12);
    EXPECT_NEAR(between(x + 2, y), value, 1e-10);
    EXPECT_NEAR(between(y, x), value, 1e-12);
    EXPECT_GT(std::abs(between(at::matmul(x, gaussian(7, 7)), y) - value), 1e-3);  // not any linear map
}

TEST_P(Cka, IsZeroForWhatDoesNotVary) {
    EXPECT_EQ(between(at::ones({10, 3}, at::kDouble), gaussian(10, 3)), 0);
}

// |Y^T X|^2 / (|X^T X| |Y^T Y|) of centred features (Kornblith et al. 2019, section 3).
TEST(CkaValue, IsThatOfTheFeatureMatrices) {
    at::manual_seed(2);
    const torch::Tensor x = at::randn({25, 6}, at::kDouble),
                        y = at::randn({25, 4}, at::kDouble) + x.narrow(1, 0, 4);
    const torch::Tensor a = x - x.mean(0), b = y - y.mean(0);
    const auto norm = [](const torch::Tensor& left, const torch::Tensor& right) {
        return at::matmul(left.t(), right).norm().item<double>();
    };
    EXPECT_NEAR(cka(gram_of(x), gram_of(y), false), norm(b, a) * norm(b, a) / (norm(a, a) * norm(b, b)),
                1e-12);
}

// The estimate without bias, summed over all quadruples of different examples (Song et al. 2012, eq. 4).
TEST(CkaValue, WithoutBiasIsTheSumOverQuadruples) {
    at::manual_seed(3);
    const std::int64_t n = 6;
    const torch::Tensor k = gram_of(at::randn({n, 3}, at::kDouble)),
                        l = gram_of(at::randn({n, 2}, at::kDouble));
    const auto at_ = [](const torch::Tensor& m, std::int64_t i, std::int64_t j) {
        return m[i][j].item<double>();
    };
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t q = 0; q < n; ++q)
                for (std::int64_t r = 0; r < n; ++r) {
                    if (i == j || i == q || i == r || j == q || j == r || q == r) continue;
                    sum += at_(k, i, j) * (at_(l, i, j) + at_(l, q, r) - 2 * at_(l, i, q));
                }
    // Each of the n (n-1) (n-2) (n-3) quadruples has the same weight; hsic() leaves out 1 / (n (n - 3)).
    const double expected = sum / static_cast<double>((n - 1) * (n - 2));
    EXPECT_NEAR(hsic(k, l, true), expected, 1e-9 * std::abs(expected));
}

// Independent Gaussians: E <K, L> = p q (n-1), E |K|^2 = p (n-1) (n+p), so CKA is near sqrt(p q / ((n+p)
// (n+q))); without bias it is near 0. At n = 400 it varies by about 1 / n.
TEST(CkaValue, OfIndependentGaussiansIsTheBiasAlone) {
    at::manual_seed(4);
    const double n = 400, p = 50, q = 200;
    const torch::Tensor x = at::randn({400, 50}, at::kDouble), y = at::randn({400, 200}, at::kDouble);
    EXPECT_NEAR(cka(gram_of(x), gram_of(y), false), std::sqrt(p * q / ((n + p) * (n + q))), 0.01);
    EXPECT_NEAR(cka(gram_of(x), gram_of(y), true), 0, 0.01);
}

CkaQuestion question_of(const std::string& first, const std::string& second) {
    CkaQuestion question;
    question.first.source = *arch::parse_spec(first);
    question.second.source = *arch::parse_spec(second);
    question.examples = 32;
    return question;
}

TEST(CkaOfNetworks, IsOneOnTheDiagonalOfANetworkWithItself) {
    const std::string spec = "s-mixer:depth=3,tokens=4,channels=6";
    const auto report = measure_cka(question_of(spec, spec)).value();
    EXPECT_EQ(report.first_layers, (std::vector<std::string>{"1", "2", "3", "output"}));
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(report.values(k, k), 1, 1e-12);
    EXPECT_LT(report.values(0, 2), 1);
    EXPECT_EQ(to_json(report)["cka"].size(), 4U);
}

TEST(CkaOfNetworks, HoldsBetweenFamiliesThatReadTheSame) {
    auto question = question_of("mixer:depth=2,channels=8,patch=2,image=8,image_channels=1,classes=3",
                                "sw-mlp:depth=1,width=20,inputs=64,connections=100,classes=3");
    const auto report = measure_cka(question).value();
    EXPECT_EQ(report.values.rows(), 3U);
    EXPECT_EQ(report.values.cols(), 2U);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
            EXPECT_GT(report.values(i, j), 0);
            EXPECT_LT(report.values(i, j), 1);
        }
    }
}

std::string refusal(const CkaQuestion& question) { return error_text(measure_cka(question)); }

TEST(CkaOfNetworks, RefusesNetworksThatReadDifferentThings) {
    EXPECT_EQ(refusal(question_of("square-mlp:rows=2,cols=3,depth=1", "square-mlp:rows=3,cols=3,depth=1")),
              "networks: do not read the same inputs: what square-mlp:rows=2,cols=3,depth=1 reads, "
              "square-mlp:rows=3,cols=3,depth=1 refuses (values: must be (batch, 3, 3), got (32, 2, 3))");
    auto tokens =
        question_of("attention:depth=1,width=2,heads=1,vocab=9", "attention:depth=1,width=2,heads=1,vocab=4");
    tokens.inputs.positions = 4;
    EXPECT_EQ(refusal(tokens),
              "networks: do not read the same inputs: attention:depth=1,width=2,heads=1,vocab=4 knows ids "
              "below 4, got 8");
    auto few = question_of("square-mlp:rows=2,cols=3,depth=1", "square-mlp:rows=2,cols=3,depth=1");
    few.examples = 3;
    EXPECT_EQ(refusal(few), "examples: must be 4 to 20000, got 3");
    auto deep = question_of("square-mlp:rows=8,cols=2,depth=60", "square-mlp:rows=8,cols=2,depth=1");
    EXPECT_NE(refusal(deep).find("is not finite: the network overflows on these inputs"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll::probe

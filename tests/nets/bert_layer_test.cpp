#include "tests/support/bert_layer.h"

#include <cmath>

#include <gtest/gtest.h>

namespace plimsoll::nets {
namespace {

using testing::bert_layer;
using testing::BertLayer;
using testing::softmax_attention;

BertLayer random_layer(std::size_t width, std::size_t heads, std::uint64_t seed) {
    const RealRing ring;
    const std::size_t head_dim = width / heads;
    RandomStream stream(seed, "tests/bert");
    BertLayer layer;
    for (std::size_t h = 0; h < heads; ++h) {
        layer.heads.push_back(
            {random_matrix(ring, head_dim, width, stream), random_matrix(ring, head_dim, width, stream),
             random_matrix(ring, head_dim, width, stream), random_matrix(ring, width, head_dim, stream)});
    }
    layer.widen = random_matrix(ring, 4 * width, width, stream);
    layer.narrow = random_matrix(ring, width, 4 * width, stream);
    return layer;
}

std::size_t parameters(const BertLayer& layer) {
    std::size_t total = layer.widen.data().size() + layer.narrow.data().size();
    for (const auto& head : layer.heads) {
        total += head.query.data().size() + head.key.data().size() + head.value.data().size() +
                 head.output.data().size();
    }
    return total;
}

TEST(BertLayer, HasTwelveTimesTheSquareOfTheWidthParameters) {
    EXPECT_EQ(parameters(random_layer(6, 1, 1)), 12U * 36U);
    EXPECT_EQ(parameters(random_layer(6, 3, 1)), 12U * 36U);
}

TEST(BertLayer, EqualScoresAverageTheValues) {
    const RealRing ring;
    auto layer = random_layer(4, 2, 2);
    RandomStream stream(3, "tests/x");
    const auto x = random_matrix(ring, 4, 5, stream);
    for (auto& head : layer.heads) head.query = Matrix<double>(2, 4);
    const auto y = softmax_attention(layer.heads, x);
    for (std::size_t p = 0; p < 4; ++p) {
        double mean = 0;
        for (const auto& head : layer.heads) {
            const auto values = product(ring, head.output, product(ring, head.value, x));
            for (std::size_t j = 0; j < 5; ++j) mean += values(p, j) / 5;
        }
        // 1e-14: a few roundings of numbers of order one.
        for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(y(p, i), mean, 1e-14);
    }
}

TEST(BertLayer, PermutingThePositionsPermutesTheOutput) {
    const RealRing ring;
    const auto layer = random_layer(4, 2, 4);
    RandomStream stream(5, "tests/x");
    const auto x = random_matrix(ring, 4, 3, stream);
    auto turned = x;
    for (std::size_t p = 0; p < 4; ++p) {
        for (std::size_t j = 0; j < 3; ++j) turned(p, (j + 1) % 3) = x(p, j);
    }
    const auto y = bert_layer(layer, x), z = bert_layer(layer, turned);
    // 1e-12: sums of the same numbers in another order, values of order ten.
    for (std::size_t p = 0; p < 4; ++p) {
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(z(p, (j + 1) % 3), y(p, j), 1e-12);
    }
}

TEST(BertLayer, LargeScoresDoNotOverflow) {
    const RealRing ring;
    const auto layer = random_layer(4, 1, 6);
    RandomStream stream(7, "tests/x");
    const auto x = scale(ring, 1e4, random_matrix(ring, 4, 3, stream));
    for (const double value : bert_layer(layer, x).data()) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace plimsoll::nets

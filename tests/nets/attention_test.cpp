#include "plimsoll/nets/attention.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/nets/expansion.h"
#include "tests/support/attention_oracles.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

using testing::convolve;
using testing::map_weights;
using testing::patches;

using arch::AttentionSpec;

AttentionSpec attention_spec(std::int64_t depth, std::int64_t width, std::int64_t heads,
                             std::int64_t head_dim) {
    return {.depth = depth, .width = width, .heads = heads, .head_dim = head_dim, .embedding_rank = width};
}

// Shapes with heads * head_dim equal to, below and above the width.
std::vector<AttentionSpec> specs() {
    std::vector<AttentionSpec> all = {attention_spec(1, 1, 1, 1), attention_spec(1, 3, 1, 3),
                                      attention_spec(2, 4, 2, 2), attention_spec(2, 3, 2, 4),
                                      attention_spec(3, 2, 2, 1), attention_spec(3, 4, 1, 2)};
    for (std::size_t i = 0, plain = all.size(); i < plain; ++i) {
        all.push_back(all[i]);
        all.back().residual = true;
    }
    return all;
}

template <Ring R>
MatrixOver<R> random_input(const R& ring, const AttentionSpec& spec, std::size_t positions,
                           std::uint64_t seed) {
    RandomStream stream(seed, "tests/input");
    return random_matrix(ring, static_cast<std::size_t>(spec.width), positions, stream);
}

template <Ring R>
Attention<R> random_net(const R& ring, const AttentionSpec& spec, std::uint64_t seed) {
    return {ring, draw_attention(ring, spec, 5, seed)};
}

TEST(Attention, MatrixFormIsColumnForm) {
    const PrimeField field;
    for (const auto& spec : specs()) {
        const auto net = random_net(field, spec, 11);
        const auto x = random_input(field, spec, 5, 12);
        EXPECT_EQ(net.forward(x), net.forward_by_columns(x));
    }
}

TEST(Attention, GramFormIsTheNetwork) {
    const PrimeField field;
    for (const auto& spec : specs()) {
        const auto net = random_net(field, spec, 21);
        const auto x = random_input(field, spec, 5, 22);
        const auto gram = product(field, x, transpose(x));
        EXPECT_EQ(net.forward(x), product(field, net.gram_transform(gram), x));
    }
}

TEST(Attention, LemmaOneExpansionIsTheNetwork) {
    const PrimeField field;
    for (const auto& [depth, width, heads, head_dim, terms] :
         {std::array<std::int64_t, 5>{1, 3, 3, 2, 3}, std::array<std::int64_t, 5>{2, 3, 1, 3, 1},
          std::array<std::int64_t, 5>{2, 2, 3, 2, 81}, std::array<std::int64_t, 5>{3, 2, 1, 2, 1},
          std::array<std::int64_t, 5>{3, 2, 2, 1, 8192}}) {
        const auto spec = attention_spec(depth, width, heads, head_dim);
        const auto net = random_net(field, spec, 31);
        const auto x = random_input(field, spec, 3, 32);
        const auto expansion = expand(field, net.weights());
        EXPECT_EQ(expansion.size(), static_cast<std::size_t>(terms));  // H^C(L)
        EXPECT_EQ(expansion.front().factors.size(), depth == 1 ? 1U : depth == 2 ? 4U : 13U);
        EXPECT_EQ(evaluate(field, expansion, x), net.forward(x));
    }
}

TEST(Attention, IsHomogeneousOfDegreeThreeToTheDepth) {
    const PrimeField field;
    const std::uint64_t t = 123456789;
    for (const auto& spec : specs()) {
        if (spec.residual) continue;
        const auto net = random_net(field, spec, 41);
        const auto x = random_input(field, spec, 4, 42);
        const std::uint64_t degree = spec.depth == 1 ? 3 : spec.depth == 2 ? 9 : 27;
        EXPECT_EQ(net.forward(scale(field, t, x)), scale(field, power(field, t, degree), net.forward(x)));
    }
}

TEST(Attention, PermutingTheOtherPositionsChangesNothing) {
    const PrimeField field;
    for (const auto& spec : specs()) {
        const auto net = random_net(field, spec, 51);
        const auto x = random_input(field, spec, 5, 52);
        auto shuffled = x;
        for (std::size_t p = 0; p < x.rows(); ++p) {
            shuffled(p, 1) = x(p, 4), shuffled(p, 2) = x(p, 1), shuffled(p, 4) = x(p, 2);
        }
        const auto y = net.forward(x), z = net.forward(shuffled);
        for (std::size_t p = 0; p < x.rows(); ++p) EXPECT_EQ(y(p, 0), z(p, 0));
    }
}

TEST(Attention, IntegersDoublesAndResiduesAgree) {
    const IntegerRing integers(2);
    const RealRing reals;
    const PrimeField field;
    for (const auto& spec : {attention_spec(1, 3, 2, 2), attention_spec(2, 2, 2, 1)}) {
        const auto weights = draw_attention(integers, spec, 3, 61);
        const auto x = random_input(integers, spec, 3, 62);
        const auto exact = Attention(integers, weights).forward(x);
        const auto to_field = [&](const Integer& a) { return field.reduce(a); };
        const auto to_real = [](const Integer& a) { return static_cast<double>(a); };
        EXPECT_EQ(Attention(field, map_weights(weights, to_field)).forward(map(x, to_field)),
                  map(exact, to_field));
        // Every partial sum stays below 2^53, so the doubles are exact.
        EXPECT_EQ(Attention(reals, map_weights(weights, to_real)).forward(map(x, to_real)),
                  map(exact, to_real));
    }
}

TEST(Attention, SameSeedSameWeightsOtherSeedOtherWeights) {
    const PrimeField field;
    const auto spec = attention_spec(2, 3, 2, 2);
    const auto first = draw_attention(field, spec, 4, 1), second = draw_attention(field, spec, 4, 1),
               other = draw_attention(field, spec, 4, 2);
    EXPECT_EQ(first.layers[1][1].value, second.layers[1][1].value);
    EXPECT_NE(first.layers[1][1].value, other.layers[1][1].value);
    EXPECT_NE(first.layers[0][0].query, first.layers[0][0].key);
    EXPECT_NE(first.layers[0][0].query, first.layers[1][0].query);
}

TEST(Attention, EmbeddingAndPositionsHaveTheRanksOfTheSpec) {
    const PrimeField field;
    auto spec = attention_spec(1, 5, 1, 5);
    spec.embedding = arch::InputEmbedding::vocab;
    spec.vocab = 7;
    spec.embedding_rank = 2;
    spec.positions = arch::Positions::ranked;
    spec.position_rank = 3;
    const auto weights = draw_attention(field, spec, 6, 71);
    EXPECT_EQ(shape(weights.embedding), std::make_pair(std::size_t{5}, std::size_t{7}));
    EXPECT_EQ(shape(weights.positions), std::make_pair(std::size_t{5}, std::size_t{6}));
    EXPECT_EQ(testing::rank_mod_p(field, weights.embedding), 2U);
    EXPECT_EQ(testing::rank_mod_p(field, weights.positions), 3U);
    spec.positions = arch::Positions::free;
    EXPECT_EQ(testing::rank_mod_p(field, draw_attention(field, spec, 6, 71).positions), 5U);
}

TEST(Attention, VocabularyEmbeddingPicksColumnsAndAddsPositions) {
    const PrimeField field;
    auto spec = attention_spec(1, 3, 1, 3);
    spec.embedding = arch::InputEmbedding::vocab;
    spec.vocab = 4;
    spec.embedding_rank = 3;
    spec.positions = arch::Positions::free;
    const Attention<PrimeField> net(field, draw_attention(field, spec, 3, 81));
    const auto x = net.embed(one_hot(field, {2, 0, 2}, 4));
    for (std::size_t p = 0; p < 3; ++p) {
        const auto token = net.weights().embedding(p, 2);
        EXPECT_EQ(x(p, 0), field.add(token, net.weights().positions(p, 0)));
        EXPECT_EQ(x(p, 2), field.add(token, net.weights().positions(p, 2)));
    }
    EXPECT_THROW((void)one_hot(field, {4}, 4), Bug);
}

TEST(Attention, ConvolutionIsOneMatrixOnThePatches) {
    const IntegerRing integers(5);
    RandomStream stream(91, "tests/conv");
    const auto pixels = random_matrix(integers, 3, 8, stream);  // d_input = 3, M = 8
    std::vector<Matrix<Integer>> kernels;
    for (int j = 0; j < 4; ++j) kernels.push_back(random_matrix(integers, 2, 3, stream));
    Matrix<Integer> embedding(2, 12);  // the kernels side by side: (d_x, M / N * d_input)
    for (std::size_t p = 0; p < 2; ++p) {
        for (std::size_t v = 0; v < 12; ++v) embedding(p, v) = kernels[v / 3](p, v % 3);
    }
    EXPECT_EQ(convolve(integers, kernels, pixels), product(integers, embedding, patches(pixels, 2)));
}

}  // namespace
}  // namespace plimsoll::nets

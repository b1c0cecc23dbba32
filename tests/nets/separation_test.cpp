// Separation ranks measured by literal evaluation modulo 2^61 - 1 and plain elimination. Every value here is
// exact but for a chance below 2^-40: degree at most 27, size at most 250, p about 2^61.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/nets/attention.h"
#include "plimsoll/nets/kronecker.h"
#include "plimsoll/nets/lemma4.h"
#include "plimsoll/nets/monomial_net.h"
#include "plimsoll/nets/square_nets.h"
#include "tests/support/kronecker_mixers.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

using testing::simple_mixer;

using testing::FieldMatrix;
using testing::halves_with_zero;
using testing::sampled_rank;
using testing::split_columns;
using testing::split_entries;
using testing::split_rows;

const PrimeField sample_field;

struct AttentionCase {
    std::int64_t depth, width, heads;
    std::size_t positions;
    std::size_t rank;
};

std::vector<std::size_t> first_half(std::size_t count) {
    std::vector<std::size_t> half(count / 2);
    for (std::size_t i = 0; i < half.size(); ++i) half[i] = i;
    return half;
}

Attention<PrimeField> random_attention(std::int64_t depth, std::int64_t width, std::int64_t heads,
                                       std::uint64_t seed) {
    const arch::AttentionSpec spec{
        .depth = depth, .width = width, .heads = heads, .head_dim = width / heads, .embedding_rank = width};
    return {sample_field, draw_attention(sample_field, spec, 8, seed)};
}

std::size_t attention_rank(const Attention<PrimeField>& net, std::size_t width, std::size_t positions,
                           const std::vector<std::size_t>& left, std::size_t size,
                           std::size_t output_position = 0) {
    return sampled_rank(sample_field, split_columns(width, positions, left), size, 77,
                        [&](const FieldMatrix& x) { return net.forward(x)(0, output_position); });
}

void expect_rank(const AttentionCase& c) {
    const auto net = random_attention(c.depth, c.width, c.heads, 5);
    const auto width = static_cast<std::size_t>(c.width);
    EXPECT_EQ(attention_rank(net, width, c.positions, first_half(c.positions), c.rank + 8), c.rank)
        << "L=" << c.depth << " d=" << c.width << " H=" << c.heads << " N=" << c.positions;
}

TEST(SeparationRank, OneAttentionLayerHasWidthPlusOne) {
    for (const std::int64_t d : {1, 2, 3, 4, 6}) {
        for (const std::size_t n : {2U, 4U, 6U}) {
            expect_rank({1, d, 1, n, static_cast<std::size_t>(d) + 1});
            if (d % 2 == 0) expect_rank({1, d, 2, n, static_cast<std::size_t>(d) + 1});
        }
    }
}

TEST(SeparationRank, TwoAttentionLayers) {
    for (const AttentionCase& c :
         {AttentionCase{2, 2, 1, 4, 18}, AttentionCase{2, 2, 2, 4, 17}, AttentionCase{2, 2, 1, 2, 15},
          AttentionCase{2, 3, 1, 4, 49}, AttentionCase{2, 3, 1, 2, 35}, AttentionCase{2, 3, 3, 6, 43},
          AttentionCase{2, 4, 1, 4, 110}, AttentionCase{2, 4, 2, 4, 107}, AttentionCase{2, 4, 4, 8, 85}}) {
        expect_rank(c);
    }
}

// 232 and 215 exceed 196, all that the grouping step in the proof of LEVINE-T4 would allow (E1).
TEST(SeparationRank, ThreeAttentionLayersExceedTheGroupingOfTheoremFour) {
    expect_rank({3, 2, 1, 4, 232});
    expect_rank({3, 2, 2, 4, 215});
    expect_rank({3, 2, 1, 2, 105});
}

// LEVINE-CLAIM1, with the output position on either side.
TEST(SeparationRank, BalancedPartitionsOfAttentionAreAlike) {
    const auto net = random_attention(2, 2, 2, 6);
    for (const auto& half : halves_with_zero(4)) {
        EXPECT_EQ(attention_rank(net, 2, 4, half, 25), 17U);
        EXPECT_EQ(attention_rank(net, 2, 4, half, 25, 3), 17U);
    }
    EXPECT_EQ(halves_with_zero(4).size(), 3U);
    EXPECT_NE(attention_rank(net, 2, 4, {0}, 25), 17U);
}

// LEVINE-CLAIM1 fails once every position has its own vector.
TEST(SeparationRank, PositionalVectorsMakePartitionsDiffer) {
    arch::AttentionSpec spec{.depth = 1, .width = 2, .heads = 1, .head_dim = 2, .embedding_rank = 2};
    spec.positions = arch::Positions::free;
    auto weights = draw_attention(sample_field, spec, 4, 7);
    for (std::size_t p = 0; p < 2; ++p) weights.positions(p, 2) = weights.positions(p, 3) = 0;
    // An embedding of rank one in which only positions 0 and 1 carry a vector of their own.
    RandomStream stream(8, "tests/embedding");
    weights.embedding = random_matrix(sample_field, 2, 1, stream);
    const Attention<PrimeField> net(sample_field, weights);
    std::vector<std::size_t> ranks;
    for (const auto& half : halves_with_zero(4)) {
        ranks.push_back(
            sampled_rank(sample_field, split_columns(1, 4, half), 12, 9,
                         [&](const FieldMatrix& input) { return net.forward(net.embed(input))(0, 0); }));
    }
    EXPECT_NE(*std::min_element(ranks.begin(), ranks.end()), *std::max_element(ranks.begin(), ranks.end()));
}

// WIES: an embedding of rank r without positions measures like a network of width r.
TEST(SeparationRank, LowRankEmbeddingIsABottleneck) {
    for (const auto& [r, rank] : {std::pair<std::int64_t, std::size_t>{1, 5}, {2, 18}, {3, 49}}) {
        const arch::AttentionSpec spec{.depth = 2,
                                       .width = 4,
                                       .heads = 1,
                                       .head_dim = 4,
                                       .embedding = arch::InputEmbedding::vocab,
                                       .vocab = 5,
                                       .embedding_rank = r};
        const Attention<PrimeField> net(sample_field, draw_attention(sample_field, spec, 4, 10));
        EXPECT_EQ(sampled_rank(sample_field, split_columns(5, 4, {0, 1}), rank + 6, 11,
                               [&](const FieldMatrix& w) { return net.forward(net.embed(w))(0, 0); }),
                  rank);
    }
}

// WIES: positional vectors widen the bottleneck, the more the higher their rank (L = 2, d_x = 6, N = 8).
TEST(SeparationRank, PositionsWidenTheBottleneck) {
    arch::AttentionSpec spec{.depth = 2,
                             .width = 6,
                             .heads = 1,
                             .head_dim = 6,
                             .embedding = arch::InputEmbedding::vocab,
                             .vocab = 2,
                             .embedding_rank = 1};
    const auto rank = [&] {
        const Attention<PrimeField> net(sample_field, draw_attention(sample_field, spec, 8, 23));
        return sampled_rank(sample_field, split_columns(2, 8, {0, 1, 2, 3}), 36, 24,
                            [&](const FieldMatrix& w) { return net.forward(net.embed(w))(0, 0); });
    };
    EXPECT_EQ(rank(), 5U);
    spec.positions = arch::Positions::ranked;
    spec.position_rank = 1;
    EXPECT_EQ(rank(), 12U);
    spec.positions = arch::Positions::free;
    EXPECT_EQ(rank(), 31U);
}

// SEP-GENERIC: special weights never beat random ones.
TEST(SeparationRank, RandomWeightsReachWhatSpecialWeightsReach) {
    const MonomialNet special{2, {{0, 0}, {0, 1}}};
    const Attention<PrimeField> net(sample_field, monomial_weights(sample_field, special));
    const std::size_t at_special = attention_rank(net, 2, 4, {0, 1}, 25);
    EXPECT_EQ(at_special, 12U);
    EXPECT_GE(attention_rank(random_attention(2, 2, 2, 12), 2, 4, {0, 1}, 25), at_special);

    const PrimeField complex_field(prime_with_root_of_minus_one);
    const Lemma4Shape shape{.depth = 3, .heads = 2, .head_dim = 3, .positions = 2};
    const arch::AttentionSpec spec{.depth = 3, .width = 6, .heads = 2, .head_dim = 3, .embedding_rank = 6};
    const auto rank_at = [&](const AttentionWeights<std::uint64_t>& weights) {
        const Attention<PrimeField> attention(complex_field, weights);
        return sampled_rank(complex_field, split_columns(6, 2, {0}), 30, 13,
                            [&](const FieldMatrix& x) { return attention.forward(x)(0, 0); });
    };
    EXPECT_GE(rank_at(draw_attention(complex_field, spec, 2, 14)),
              rank_at(lemma4_weights(complex_field, shape)));
}

// SEP-GRID: the matricised grid tensor of M templates, rows and columns indexed as in LEV B.1.1.
TEST(SeparationRank, GridTensorsNeverExceedIt) {
    const auto net = random_attention(2, 2, 1, 15);
    RandomStream stream(16, "tests/templates");
    std::vector<std::size_t> ranks;
    for (const std::size_t m : {1U, 2U, 3U, 5U}) {
        const auto templates = random_matrix(sample_field, 2, m, stream);
        FieldMatrix grid(m * m, m * m);  // N = 4: M^(N/2) rows and columns
        for (std::size_t row = 0; row < m * m; ++row) {
            for (std::size_t col = 0; col < m * m; ++col) {
                const std::array<std::size_t, 4> index{row / m, row % m, col / m, col % m};
                FieldMatrix x(2, 4);
                for (std::size_t j = 0; j < 4; ++j) {
                    for (std::size_t p = 0; p < 2; ++p) x(p, j) = templates(p, index[j]);
                }
                grid(row, col) = net.forward(x)(0, 0);
            }
        }
        ranks.push_back(testing::rank_mod_p(sample_field, grid));
    }
    EXPECT_EQ(ranks.front(), 1U);  // one template: a single number
    for (const std::size_t rank : ranks) EXPECT_LE(rank, 18U);
}

std::size_t mixer_rank(const arch::SquareMixerSpec& spec, const testing::Split& split, std::size_t size,
                       std::size_t row = 0, std::size_t col = 0) {
    const auto weights = draw_square_mixer(sample_field, spec, 17);
    return sampled_rank(sample_field, split, size, 18, [&](const FieldMatrix& x) {
        return square_mixer(sample_field, weights, x)(row, col);
    });
}

TEST(SeparationRank, MixersDependOnThePartition) {
    const std::array<std::size_t, 4> by_rows{3, 9, 25, 81}, by_columns{1, 3, 9, 25};
    for (std::int64_t p = 1; p <= 4; ++p) {
        const arch::SquareMixerSpec spec{.rows = 2, .cols = 2, .depth = p};
        const auto k = static_cast<std::size_t>(p - 1);
        EXPECT_EQ(mixer_rank(spec, split_rows(2, 2, {0}), by_rows[k] + 8), by_rows[k]);
        EXPECT_EQ(mixer_rank(spec, split_columns(2, 2, {0}), by_columns[k] + 8), by_columns[k]);
    }
    const arch::SquareMixerSpec wide{.rows = 2, .cols = 4, .depth = 3};
    EXPECT_EQ(mixer_rank(wide, split_rows(2, 4, {0}), 113), 105U);
    EXPECT_EQ(mixer_rank(wide, split_columns(2, 4, {0, 1}), 17), 9U);
}

// NAVON-SUPINF over the three balanced partitions and the four entries of a 2 x 2 mixer.
TEST(SeparationRank, SupAndInfOfAMixerAreItsRowAndColumnValues) {
    const arch::SquareMixerSpec spec{.rows = 2, .cols = 2, .depth = 3};
    std::size_t largest = 0, smallest = SIZE_MAX;
    for (const auto& half : halves_with_zero(4)) {
        for (std::size_t entry = 0; entry < 4; ++entry) {
            const auto rank = mixer_rank(spec, split_entries(2, 2, half), 33, entry / 2, entry % 2);
            largest = std::max(largest, rank);
            smallest = std::min(smallest, rank);
        }
    }
    EXPECT_EQ(largest, 25U);
    EXPECT_EQ(smallest, 9U);
}

// Over all 10 balanced partitions of the six entries, output (0, 0).
TEST(SeparationRank, OblongMixersOverAllPartitions) {
    struct Case {
        std::int64_t rows, cols, depth;
        std::size_t sup, inf;
    };
    for (const Case& c : {Case{2, 3, 2, 14, 6}, Case{3, 2, 2, 9, 3}, Case{2, 3, 3, 55, 22}}) {
        std::vector<std::size_t> ranks;
        for (const auto& half : halves_with_zero(6)) {
            const auto split =
                split_entries(static_cast<std::size_t>(c.rows), static_cast<std::size_t>(c.cols), half);
            const arch::SquareMixerSpec spec{.rows = c.rows, .cols = c.cols, .depth = c.depth};
            ranks.push_back(mixer_rank(spec, split, c.sup + 8));
        }
        EXPECT_EQ(ranks.size(), 10U);
        EXPECT_EQ(*std::max_element(ranks.begin(), ranks.end()), c.sup);
        EXPECT_EQ(*std::min_element(ranks.begin(), ranks.end()), c.inf);
    }
}

// NAVON-ORDER on measured values: one attention layer is less expressive than three row-split mixer layers.
TEST(SeparationRank, OrderComparesSupWithInf) {
    const auto net = random_attention(1, 2, 1, 19);
    const std::size_t sup_attention = attention_rank(net, 2, 2, {0}, 12);
    const std::size_t inf_mixer =
        mixer_rank({.rows = 2, .cols = 2, .depth = 3}, split_columns(2, 2, {0}), 20);
    EXPECT_LT(sup_attention, inf_mixer);
}

TEST(SeparationRank, PermutedKroneckerNetsMeasureLikeMixers) {
    const auto layers = draw_kronecker_net(sample_field, simple_mixer(2, 2, 1), 20);
    const auto y = [&](const FieldMatrix& x) { return kronecker_net(sample_field, layers, vec(x))[0]; };
    EXPECT_EQ(sampled_rank(sample_field, split_rows(2, 2, {0}), 17, 21, y), 9U);
    EXPECT_EQ(sampled_rank(sample_field, split_columns(2, 2, {0}), 17, 21, y), 3U);
}

// SEP-DEF: known functions have known ranks, and exchanging the sides changes nothing.
TEST(SeparationRank, OfSimpleFunctions) {
    const auto split = split_columns(2, 2, {0}), other = split_columns(2, 2, {1});
    const auto rank = [&](const testing::Split& s, const testing::ScalarFunction& y) {
        return sampled_rank(sample_field, s, 12, 22, y);
    };
    const auto monomial = [](const FieldMatrix& x) { return sample_field.multiply(x(0, 0), x(1, 1)); };
    const auto inner = [](const FieldMatrix& x) {
        return sample_field.add(sample_field.multiply(x(0, 0), x(0, 1)),
                                sample_field.multiply(x(1, 0), x(1, 1)));
    };
    EXPECT_EQ(rank(split, [](const FieldMatrix&) { return std::uint64_t{0}; }), 0U);
    EXPECT_EQ(rank(split, monomial), 1U);
    EXPECT_EQ(rank(split, inner), 2U);
    EXPECT_EQ(rank(split, [&](const FieldMatrix& x) { return power(sample_field, inner(x), 3); }), 4U);
    EXPECT_EQ(rank(other, inner), rank(split, inner));
    EXPECT_LE(rank(split, [&](const FieldMatrix& x) { return sample_field.add(inner(x), monomial(x)); }), 3U);
}

}  // namespace
}  // namespace plimsoll::nets

#include "plimsoll/nets/kronecker.h"

#include <gtest/gtest.h>

#include "plimsoll/nets/square_nets.h"
#include "tests/support/kronecker_mixers.h"

namespace plimsoll::nets {
namespace {

using testing::random_mixer;
using testing::simple_mixer;
using testing::wide_matrix;

const IntegerRing integers(9);

Matrix<Integer> random_integers(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    RandomStream stream(seed, "tests/kronecker");
    return random_matrix(integers, rows, cols, stream);
}

TEST(Kronecker, VecOfAProductIsAKroneckerProduct) {
    for (std::size_t s = 1; s <= 4; ++s) {
        for (std::size_t c = 1; c <= 4; ++c) {
            const auto w = random_integers(s + 1, s, 1), x = random_integers(s, c, 2),
                       v = random_integers(c, c + 2, 3);
            EXPECT_EQ(vec(product(integers, w, x, v)),
                      apply(integers, kronecker(integers, transpose(v), w), vec(x)));
            EXPECT_EQ(vec(product(integers, w, x)),
                      apply(integers, kronecker(integers, identity(integers, c), w), vec(x)));
            EXPECT_EQ(vec(product(integers, x, v)),
                      apply(integers, kronecker(integers, transpose(v), identity(integers, s)), vec(x)));
        }
    }
}

TEST(Kronecker, VecAndUnvecAreInverse) {
    const auto x = random_integers(3, 4, 4);
    EXPECT_EQ(unvec(vec(x), 3, 4), x);
    EXPECT_EQ(vec(Matrix<Integer>{{1, 3}, {2, 4}}), (std::vector<Integer>{1, 2, 3, 4}));
}

TEST(Kronecker, CommutationTransposes) {
    for (std::size_t s = 1; s <= 4; ++s) {
        for (std::size_t c = 1; c <= 4; ++c) {
            const auto x = random_integers(s, c, 5);
            const auto j_c = commutation(s, c);
            EXPECT_EQ(permute(j_c, vec(x)), vec(transpose(x)));
            EXPECT_EQ(inverse(j_c), commutation(c, s));
            // V^T kron I_S = J_c^T (I_S kron V^T) J_c, and J^T = J^-1.
            const auto v = random_integers(c, c, 6);
            const auto j = permutation_matrix(integers, j_c);
            EXPECT_EQ(
                kronecker(integers, transpose(v), identity(integers, s)),
                product(integers, transpose(j), kronecker(integers, identity(integers, s), transpose(v)), j));
            EXPECT_EQ(product(integers, transpose(j), j), identity(integers, s * c));
        }
    }
}

TEST(Kronecker, SimpleMixerIsTheSquareMixer) {
    const PrimeField field;
    for (const auto& [s, c, blocks] :
         {std::array<std::int64_t, 3>{3, 2, 1}, std::array<std::int64_t, 3>{2, 4, 2}}) {
        const auto layers = draw_kronecker_net(field, simple_mixer(s, c, blocks), 7);
        // HAYASE-COMM's block is phi(phi(W X) V): odd layers hold W, even layers V with V^T stored.
        auto weights = draw_square_mixer(field, {.rows = s, .cols = c, .depth = 2 * blocks}, 7);
        for (std::size_t k = 0; k < layers.size(); ++k) {
            weights.layers[k] = k % 2 == 0 ? layers[k].weight : transpose(layers[k].weight);
        }
        RandomStream stream(8, "tests/x");
        const auto x = random_matrix(field, static_cast<std::size_t>(s), static_cast<std::size_t>(c), stream);
        EXPECT_EQ(kronecker_net(field, layers, vec(x)), vec(square_mixer(field, weights, x)));
    }
}

// HAYASE-COMM's own form: J_c after either layer instead of around the second.
TEST(Kronecker, CommutationAfterEveryLayerIsTheSimpleMixer) {
    const PrimeField field;
    auto spec = simple_mixer(3, 4, 2);
    const auto conjugated = draw_kronecker_net(field, spec, 16);
    for (auto& layer : spec.layers) layer.shuffle = Shuffle::commutation;
    const auto chained = draw_kronecker_net(field, spec, 16);
    RandomStream stream(17, "tests/x");
    const auto x = random_matrix(field, 12, 1, stream).data();
    EXPECT_EQ(kronecker_net(field, conjugated, x), kronecker_net(field, chained, x));
}

TEST(Kronecker, EveryLayerIsItsWideSparseMatrix) {
    const PrimeField field;
    for (auto spec : {simple_mixer(3, 4, 1), random_mixer(3, 4, 1, 5)}) {
        spec.square = false;
        const auto layers = draw_kronecker_net(field, spec, 9);
        RandomStream stream(10, "tests/x");
        const auto x = random_matrix(field, 12, 1, stream).data();
        auto y = x;
        std::size_t non_zero = 0;
        for (const auto& layer : layers) {
            const auto wide = wide_matrix(field, layer);
            for (const auto entry : wide.data()) non_zero += entry != 0 ? 1 : 0;
            y = apply(field, wide, y);
        }
        EXPECT_EQ(kronecker_net(field, layers, x), y);
        EXPECT_EQ(non_zero, 4U * 9U + 3U * 16U);  // C S^2 + S C^2
    }
}

// HAYASE-MONARCH: without activation the block is (permuted block-diagonal)(block-diagonal), all blocks tied.
TEST(Kronecker, LinearBlockIsAMonarchMatrixWithTiedBlocks) {
    const PrimeField field;
    const std::size_t s = 3, c = 2;
    auto spec = simple_mixer(3, 2, 1);
    spec.square = false;
    const auto layers = draw_kronecker_net(field, spec, 11);
    const auto right = kronecker(field, identity(field, c), layers[0].weight);  // block-diagonal, tied
    const auto left = kronecker(field, identity(field, s), layers[1].weight);   // block-diagonal, tied
    const auto j = permutation_matrix(field, commutation(s, c));
    const auto monarch = product(field, transpose(j), left, j, right);
    EXPECT_EQ(product(field, wide_matrix(field, layers[1]), wide_matrix(field, layers[0])), monarch);
    for (std::size_t block = 1; block < c; ++block) {
        for (std::size_t i = 0; i < s; ++i) {
            for (std::size_t k = 0; k < s; ++k) {
                EXPECT_EQ(right(block * s + i, block * s + k), right(i, k));
            }
        }
    }
}

TEST(Kronecker, RandomPermutationsWithIdentityInsteadAreTheBlocks) {
    const PrimeField field;
    auto layers = draw_kronecker_net(field, random_mixer(2, 3, 1, 0), 12);
    EXPECT_TRUE(is_permutation(layers[0].before) && is_permutation(layers[1].after));
    EXPECT_NE(layers[0].before, layers[0].after);
    layers.resize(1);
    layers[0].before = layers[0].after = identity_permutation(6);
    RandomStream stream(13, "tests/x");
    const auto x = random_matrix(field, 2, 3, stream);
    EXPECT_EQ(kronecker_net(field, layers, vec(x)),
              vec(hadamard_power(field, product(field, layers[0].weight, x), 2)));
}

TEST(Kronecker, SkipAddsTheInput) {
    const PrimeField field;
    auto spec = simple_mixer(2, 2, 1);
    spec.skip = true;
    auto layers = draw_kronecker_net(field, spec, 14);
    RandomStream stream(15, "tests/x");
    const auto x = random_matrix(field, 4, 1, stream).data();
    const auto with = kronecker_net(field, {layers[0]}, x);
    layers[0].skip = false;
    const auto without = kronecker_net(field, {layers[0]}, x);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(with[i], field.add(without[i], x[i]));
}

}  // namespace
}  // namespace plimsoll::nets

#include "plimsoll/nets/square_nets.h"

#include <gtest/gtest.h>

namespace plimsoll::nets {
namespace {

using arch::Permutations;
using arch::SquareMixerSpec;

SquareMixerSpec mixer_spec(std::int64_t rows, std::int64_t cols, std::int64_t depth) {
    return {.rows = rows, .cols = cols, .depth = depth};
}

template <Ring R>
MatrixOver<R> random_input(const R& ring, std::size_t rows, std::size_t cols, std::uint64_t seed) {
    RandomStream stream(seed, "tests/input");
    return random_matrix(ring, rows, cols, stream);
}

TEST(SquareMixer, OneLayerIsWrittenOut) {
    const IntegerRing ring;
    SquareMixerWeights<Integer> weights{.layers = {{{1, 2}, {3, -1}}},
                                        .residual = {true},
                                        .odd = identity_permutation(2),
                                        .even = identity_permutation(2),
                                        .skip = identity_permutation(2)};
    // W x = (1 + 2 * 4, 3 - 4) = (9, -1), squared (81, 1), plus x = (1, 4).
    EXPECT_EQ(square_mixer(ring, weights, Matrix<Integer>{{1}, {4}}), (Matrix<Integer>{{82}, {5}}));
}

TEST(SquareMixer, TransposingTurnsRowMixingIntoColumnMixing) {
    const PrimeField field;
    const auto weights = draw_square_mixer(field, mixer_spec(3, 2, 5), 1);
    const auto x = random_input(field, 3, 2, 2);
    // The transposed net starts with a column-mixing layer; an identity row layer in front would square its
    // input, so the layers are applied by hand: Z -> (Z W^T)^2 on odd, (W^T Z)^2 on even layers.
    auto z = transpose(x);
    for (std::size_t k = 0; k < 5; ++k) {
        const auto w = transpose(weights.layers[k]);
        z = hadamard_power(field, k % 2 == 0 ? product(field, z, w) : product(field, w, z), 2);
    }
    EXPECT_EQ(transpose(square_mixer(field, weights, x)), z);
}

TEST(SquareMixer, IdentityPermutationsChangeNothing) {
    const PrimeField field;
    auto spec = mixer_spec(2, 3, 4);
    spec.residual = {1, 4};
    const auto plain = draw_square_mixer(field, spec, 3);
    spec.permutations = Permutations::given;
    spec.odd = spec.even = spec.skip = {0, 1, 2, 3, 4, 5};
    const auto permuted = draw_square_mixer(field, spec, 3);
    const auto x = random_input(field, 2, 3, 4);
    EXPECT_EQ(square_mixer(field, plain, x), square_mixer(field, permuted, x));
}

TEST(SquareMixer, PermutationsMoveEntriesToTheirImages) {
    const PrimeField field;
    EXPECT_EQ(permute_entries({2, 0, 1, 3}, Matrix<std::uint64_t>{{10, 11}, {12, 13}}),
              (Matrix<std::uint64_t>{{11, 12}, {10, 13}}));
    auto spec = mixer_spec(2, 2, 2);
    spec.permutations = Permutations::given;
    spec.odd = {2, 0, 1, 3};
    spec.even = {3, 2, 1, 0};
    spec.skip = {1, 0, 3, 2};
    spec.residual = {2};
    const auto weights = draw_square_mixer(field, spec, 5);
    const auto x = random_input(field, 2, 2, 6);
    const auto middle =
        hadamard_power(field, product(field, weights.layers[0], permute_entries(weights.odd, x)), 2);
    const auto last =
        hadamard_power(field, product(field, permute_entries(weights.even, middle), weights.layers[1]), 2);
    EXPECT_EQ(square_mixer(field, weights, x), sum(field, last, permute_entries(weights.skip, middle)));
}

TEST(SquareMixer, RandomPermutationsComeFromTheirOwnSeed) {
    const PrimeField field;
    auto spec = mixer_spec(3, 4, 2);
    spec.permutations = Permutations::random;
    spec.permutation_seed = 9;
    const auto first = draw_square_mixer(field, spec, 1), second = draw_square_mixer(field, spec, 2);
    EXPECT_TRUE(is_permutation(first.odd) && is_permutation(first.even) && is_permutation(first.skip));
    EXPECT_EQ(first.odd, second.odd);
    EXPECT_NE(first.layers[0], second.layers[0]);
    EXPECT_NE(first.odd, first.even);
}

TEST(SquareMixer, IsHomogeneousOfDegreeTwoToTheDepth) {
    const PrimeField field;
    const std::uint64_t t = 987654321;
    for (std::int64_t depth = 1; depth <= 4; ++depth) {
        const auto weights = draw_square_mixer(field, mixer_spec(2, 3, depth), 7);
        const auto x = random_input(field, 2, 3, 8);
        const auto factor = power(field, t, std::uint64_t{1} << depth);
        EXPECT_EQ(square_mixer(field, weights, scale(field, t, x)),
                  scale(field, factor, square_mixer(field, weights, x)));
    }
}

TEST(SquareMlp, IsARowMixerInEveryLayer) {
    const PrimeField field;
    const auto weights = draw_square_mlp(field, {.rows = 3, .cols = 2, .depth = 3, .residual = {2}}, 9);
    const auto x = random_input(field, 3, 2, 10);
    auto y = hadamard_power(field, product(field, weights.layers[0], x), 2);
    y = sum(field, hadamard_power(field, product(field, weights.layers[1], y), 2), y);
    y = hadamard_power(field, product(field, weights.layers[2], y), 2);
    EXPECT_EQ(square_mlp(field, weights, x), y);
}

TEST(SquareMlp, ColumnsNeverMeet) {
    const PrimeField field;
    const auto weights = draw_square_mlp(field, {.rows = 3, .cols = 2, .depth = 3, .residual = {}}, 11);
    const auto x = random_input(field, 3, 2, 12);
    auto changed = x;
    for (std::size_t i = 0; i < 3; ++i) changed(i, 1) = 5;
    const auto y = square_mlp(field, weights, x), z = square_mlp(field, weights, changed);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(y(i, 0), z(i, 0));
}

TEST(SquareNets, IntegersDoublesAndResiduesAgree) {
    const IntegerRing integers(1);
    const PrimeField field;
    const RealRing reals;
    auto spec = mixer_spec(2, 2, 3);
    spec.residual = {2};
    const auto weights = draw_square_mixer(integers, spec, 13);
    const auto x = random_input(integers, 2, 2, 14);
    const auto exact = square_mixer(integers, weights, x);
    SquareMixerWeights<std::uint64_t> reduced{{}, weights.residual, weights.odd, weights.even, weights.skip};
    SquareMixerWeights<double> rounded{{}, weights.residual, weights.odd, weights.even, weights.skip};
    const auto to_field = [&](const Integer& a) { return field.reduce(a); };
    const auto to_real = [](const Integer& a) { return static_cast<double>(a); };
    for (const auto& layer : weights.layers) {
        reduced.layers.push_back(map(layer, to_field));
        rounded.layers.push_back(map(layer, to_real));
    }
    EXPECT_EQ(square_mixer(field, reduced, map(x, to_field)), map(exact, to_field));
    // Sums of small integers stay below 2^53, so the doubles are exact.
    EXPECT_EQ(square_mixer(reals, rounded, map(x, to_real)), map(exact, to_real));
}

}  // namespace
}  // namespace plimsoll::nets

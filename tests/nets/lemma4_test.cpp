#include "plimsoll/nets/lemma4.h"

#include <gtest/gtest.h>

#include "plimsoll/nets/sphere_rows.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

const PrimeField root_field(prime_with_root_of_minus_one);

struct Case {
    Lemma4Shape shape;
    std::size_t rank;  // ((H m, lambda))
};

// The cases listed in docs/ERRATA.md under E6.
const std::vector<Case> cases = {
    {{.depth = 2, .heads = 2, .head_dim = 3, .positions = 4}, 2},
    {{.depth = 3, .heads = 2, .head_dim = 3, .positions = 4}, 4},
    {{.depth = 4, .heads = 2, .head_dim = 3, .positions = 4}, 10},
    {{.depth = 3, .heads = 2, .head_dim = 5, .positions = 4}, 20},
    {{.depth = 3, .heads = 1, .head_dim = 7, .positions = 2}, 10},
    {{.depth = 3, .heads = 3, .head_dim = 3, .positions = 4}, 10},
};

// Two rows more than the rank, so that a larger rank would show.
MatrixOver<PrimeField> rows_for(const Case& c, std::uint64_t seed) {
    RandomStream stream(seed, "tests/lemma4");
    return unit_rows(root_field, c.rank + 2, static_cast<std::size_t>(lemma4_columns(c.shape)), stream);
}

TEST(Lemma4, EveryEntryIsTheClosedForm) {
    for (const Case& c : cases) {
        const auto v = rows_for(c, 1);
        EXPECT_EQ(lemma4_submatrix(root_field, c.shape, lemma4_weights(root_field, c.shape), v),
                  lemma4_closed_form(root_field, c.shape, v));
    }
}

TEST(Lemma4, RankIsTheMultisetCoefficient) {
    for (const Case& c : cases) {
        const auto v = rows_for(c, 2);
        const auto lambda = static_cast<std::int64_t>(lemma4_power(c.shape));
        EXPECT_EQ(compositions(lambda, lemma4_columns(c.shape)).size(), c.rank);
        const auto literal = lemma4_submatrix(root_field, c.shape, lemma4_weights(root_field, c.shape), v);
        EXPECT_EQ(testing::rank_mod_p(root_field, literal), c.rank);
    }
}

TEST(Lemma4, EveryOutputAtEveryPositionIsTheSame) {
    const Lemma4Shape shape{.depth = 3, .heads = 2, .head_dim = 3, .positions = 4};
    RandomStream stream(3, "tests/lemma4");
    const auto v = unit_rows(root_field, 1, 2, stream);
    const auto templates = lemma4_templates(root_field, shape, v);
    MatrixOver<PrimeField> x(6, 4);
    for (std::size_t j = 0; j < 4; ++j) {
        for (std::size_t p = 0; p < 6; ++p) x(p, j) = templates(p, j == 0 ? 0 : j == 2 ? 1 : 2);
    }
    const auto y = Attention<PrimeField>(root_field, lemma4_weights(root_field, shape)).forward(x);
    for (const auto value : y.data()) EXPECT_EQ(value, y(0, 0));
}

// The closed form needs rows of one norm: |v~|^2 = |v_s|^2 - |v_t|^2 + 2i <v_s, v_t>.
TEST(Lemma4, RowsOfDifferentNormsBreakTheClosedForm) {
    const Case& c = cases[1];
    auto v = rows_for(c, 4);
    for (std::size_t j = 0; j < v.cols(); ++j) v(0, j) = root_field.multiply(v(0, j), 2);
    EXPECT_NE(lemma4_submatrix(root_field, c.shape, lemma4_weights(root_field, c.shape), v),
              lemma4_closed_form(root_field, c.shape, v));
}

// E6 (a): the printed index phi(j) = floor((j-1)/d_a) (d_a - 1) + ((j-1) mod d_a) + 1 leaves V.
TEST(Lemma4, PrintedColumnIndexExceedsTheColumnsOfV) {
    const auto printed = [](std::int64_t j, std::int64_t d_a) {
        return (j - 1) / d_a * (d_a - 1) + (j - 1) % d_a + 1;
    };
    const auto largest = [&](std::int64_t heads, std::int64_t d_a) {
        return printed((heads - 1) * d_a + (d_a - 1) / 2, d_a);  // last j that reads V in the last head
    };
    EXPECT_EQ(largest(2, 3), 3);      // of H (d_a - 1) / 2 = 2 columns
    EXPECT_EQ(largest(16, 65), 992);  // of 512
}

// E6 (b), (c): as printed 1/N multiplies every entry of the first value matrix and the rows meant for 1 - v~
// hold only the constant. The network then no longer computes a multiple of the Hadamard power.
TEST(Lemma4, PrintedFirstLayerDoesNotGiveTheHadamardPower) {
    const Case& c = cases[1];
    const auto v = rows_for(c, 5);
    auto weights = lemma4_weights(root_field, c.shape);
    const auto d_a = static_cast<std::size_t>(c.shape.head_dim), m = d_a / 2;
    const auto one_over_n = root_field.inverse(root_field.from_integer(c.shape.positions));
    for (std::size_t h = 0; h < weights.layers[0].size(); ++h) {
        auto& value = weights.layers[0][h].value;
        for (std::size_t a = 0; a < m; ++a) {
            for (std::size_t j = h * d_a; j + 1 < (h + 1) * d_a; ++j) {
                value(a, j) = root_field.multiply(value(a, j), one_over_n);
                value(m + a, j) = 0;
            }
        }
    }
    const auto printed = lemma4_submatrix(root_field, c.shape, weights, v);
    const auto power_matrix =
        hadamard_power(root_field, product(root_field, v, transpose(v)), lemma4_power(c.shape));
    const auto ratio = root_field.multiply(printed(0, 0), root_field.inverse(power_matrix(0, 0)));
    EXPECT_NE(printed, scale(root_field, ratio, power_matrix));
}

TEST(Lemma4, ImpossibleShapesAreRefused) {
    EXPECT_THROW((void)lemma4_weights(root_field, {.depth = 1, .heads = 1, .head_dim = 3, .positions = 2}),
                 Bug);
    EXPECT_THROW((void)lemma4_weights(root_field, {.depth = 2, .heads = 1, .head_dim = 4, .positions = 2}),
                 Bug);
    EXPECT_THROW((void)lemma4_weights(root_field, {.depth = 2, .heads = 1, .head_dim = 3, .positions = 3}),
                 Bug);
    EXPECT_THROW((void)lemma4_weights(PrimeField(mersenne_prime_61), {}), Bug);
}

}  // namespace
}  // namespace plimsoll::nets

#include <gtest/gtest.h>

#include "plimsoll/nets/attainment/d1.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

const PrimeField d1_field(prime_with_root_of_minus_one);

struct D1Case {
    D1Shape shape;
    std::size_t rank;  // ((n + 2, lambda)) - ((n + 2, lambda - 2))
};

const std::vector<D1Case> d1_cases = {
    {{.depth = 2, .heads = 1, .head_dim = 2, .positions = 2}, 3},
    {{.depth = 2, .heads = 2, .head_dim = 2, .positions = 3}, 4},
    {{.depth = 2, .heads = 3, .head_dim = 4, .positions = 4}, 11},
    {{.depth = 3, .heads = 1, .head_dim = 2, .positions = 2}, 7},
    {{.depth = 3, .heads = 1, .head_dim = 3, .positions = 5}, 16},
    {{.depth = 3, .heads = 2, .head_dim = 2, .positions = 2}, 16},
    {{.depth = 3, .heads = 3, .head_dim = 2, .positions = 3}, 30},
    {{.depth = 3, .heads = 1, .head_dim = 3, .positions = 2, .width = 5}, 16},
    {{.depth = 4, .heads = 1, .head_dim = 2, .positions = 2}, 19},
    {{.depth = 3, .heads = 2, .head_dim = 3, .positions = 2, .rank = 3}, 16},
    {{.depth = 3, .heads = 3, .head_dim = 2, .positions = 3, .rank = 2}, 7},
    {{.depth = 2, .heads = 2, .head_dim = 3, .positions = 3, .shared = true}, 7},
    {{.depth = 3, .heads = 2, .head_dim = 2, .positions = 2, .shared = true}, 30},
    {{.depth = 3, .heads = 3, .head_dim = 1, .positions = 4, .shared = true}, 16},
    {{.depth = 3, .heads = 2, .head_dim = 2, .positions = 3, .width = 3, .shared = true}, 16},
    {{.depth = 4, .heads = 2, .head_dim = 1, .positions = 2, .shared = true}, 19},
};

MatrixOver<PrimeField> draw_rows(const D1Case& c, const char* side) {
    RandomStream stream(11, side);
    return random_matrix(d1_field, c.rank + 2, d1_free(c.shape), stream);
}

TEST(AttainD1, EveryOutputAtEveryPositionIsTheClosedForm) {
    for (const D1Case& c : d1_cases) {
        const auto a = draw_rows(c, "tests/d1/a").data(), b = draw_rows(c, "tests/d1/b").data();
        const std::size_t n = d1_free(c.shape), last = static_cast<std::size_t>(c.shape.positions) - 1;
        const FieldVector first(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n));
        const FieldVector second(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n));
        const Attention<PrimeField> net(d1_field, d1_weights(c.shape));
        const auto promised = d1_closed_form(d1_field, c.shape, first, second);
        for (const auto& [i, j] : {std::pair{std::size_t{0}, last}, std::pair{last, last - 1}}) {
            if (i == j) continue;
            const auto x = net.embed(d1_input(c.shape, first, i, second, j));
            for (const auto value : net.forward(x).data()) EXPECT_EQ(value, promised);
            EXPECT_EQ(net.forward(x), net.forward_by_columns(x));
        }
    }
}

TEST(AttainD1, RankIsTheNumberOfHarmonicForms) {
    for (const D1Case& c : d1_cases) {
        const auto literal = d1_submatrix(d1_field, c.shape, d1_weights(c.shape), draw_rows(c, "tests/d1/a"),
                                          draw_rows(c, "tests/d1/b"));
        EXPECT_EQ(testing::rank_mod_p(d1_field, literal), c.rank);
    }
}

// M = (I; R) for a random R, read back by (I - C R, C) for a random C.
TEST(AttainD1, TokensMayLieInAnySubspace) {
    const D1Shape shape{.depth = 3, .heads = 2, .head_dim = 3, .positions = 3, .rank = 4};
    const std::size_t d = 6, r = 4;
    RandomStream stream(12, "tests/d1");
    const auto below = random_matrix(d1_field, d - r, r, stream),
               free = random_matrix(d1_field, r, d - r, stream);
    const auto correction = product(d1_field, free, below);
    MatrixOver<PrimeField> embedding(d, r), reader(r, d);
    for (std::size_t i = 0; i < r; ++i) {
        embedding(i, i) = 1;
        for (std::size_t j = 0; j < r; ++j)
            reader(i, j) = d1_field.subtract(i == j ? 1 : 0, correction(i, j));
        for (std::size_t k = 0; k < d - r; ++k) {
            embedding(r + k, i) = below(k, i);
            reader(i, r + k) = free(i, k);
        }
    }
    const auto a = random_matrix(d1_field, 1, 3, stream), b = random_matrix(d1_field, 1, 3, stream);
    const auto literal = d1_submatrix(d1_field, shape, d1_weights(shape, embedding, reader), a, b);
    EXPECT_EQ(literal(0, 0), d1_closed_form(d1_field, shape, a.data(), b.data()));
}

TEST(AttainD1, ImpossibleShapesAreRefused) {
    EXPECT_THROW((void)d1_weights({.depth = 1}), Bug);
    EXPECT_THROW((void)d1_weights({.heads = 3, .head_dim = 1}), Bug);
    EXPECT_THROW((void)d1_weights({.heads = 1, .head_dim = 1, .width = 2, .shared = true}), Bug);
    EXPECT_THROW((void)d1_weights({.positions = 1}), Bug);
    EXPECT_THROW((void)d1_weights({.rank = 1}), Bug);
    EXPECT_THROW((void)d1_weights({.head_dim = 3, .width = 2}), Bug);
    EXPECT_THROW((void)d1_input({}, {1}, 0, {2}, 0), Bug);
}

}  // namespace
}  // namespace plimsoll::nets

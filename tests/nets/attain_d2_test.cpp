#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "plimsoll/nets/attainment/d2.h"
#include "plimsoll/nets/attainment/tangent_form.h"
#include "plimsoll/nets/attainment/zero_points.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

const PrimeField d2_field(prime_for_zeros);

struct D2Case {
    D2Kind kind;
    D2Shape shape;
    std::int64_t q;  // positions on each side
};

// One head; heads that share a subspace, with L0 = 1, d_a short, long and with H d_a > d; a block per head.
const std::vector<D2Case> d2_cases = {
    {D2Kind::one_head, {.depth = 2, .core = 1, .width = 2}, 2},
    {D2Kind::one_head, {.depth = 3, .core = 1, .width = 3}, 2},
    {D2Kind::one_head, {.depth = 3, .core = 2, .width = 4}, 4},
    {D2Kind::one_head, {.depth = 5, .core = 3, .width = 3}, 3},
    {D2Kind::shared, {.depth = 2, .core = 1, .width = 4, .heads = 2, .head_dim = 2}, 4},
    {D2Kind::shared, {.depth = 4, .core = 2, .width = 4, .heads = 2, .head_dim = 2}, 4},
    {D2Kind::shared, {.depth = 3, .core = 2, .width = 5, .heads = 2, .head_dim = 3}, 2},
    {D2Kind::shared, {.depth = 4, .core = 3, .width = 6, .heads = 3, .head_dim = 3}, 6},
    {D2Kind::shared, {.depth = 3, .core = 2, .width = 6, .heads = 2, .head_dim = 5}, 5},
    {D2Kind::blocks, {.depth = 3, .core = 2, .width = 4, .heads = 2, .head_dim = 2}, 4},
    {D2Kind::blocks, {.depth = 4, .core = 2, .width = 6, .heads = 2, .head_dim = 3}, 6},
    {D2Kind::blocks, {.depth = 4, .core = 3, .width = 6, .heads = 3, .head_dim = 4}, 6},
    {D2Kind::blocks, {.depth = 3, .core = 2, .width = 8, .heads = 4, .head_dim = 2}, 8},
};

std::string name_of(const D2Case& c) {
    return ::testing::PrintToString(std::vector{static_cast<std::int64_t>(c.kind), c.shape.depth,
                                                c.shape.core, c.shape.width, c.shape.heads, c.shape.head_dim,
                                                c.q});
}

TEST(AttainD2, OutputIsPhiTimesAPowerOfG) {
    for (const D2Case& c : d2_cases) {
        RandomStream stream(21, "tests/d2");
        const auto positions = static_cast<std::size_t>(2 * c.q);
        const auto a = random_matrix(d2_field, 1, d2_free(c.shape, c.kind, c.q), stream).data();
        const auto x = random_matrix(d2_field, static_cast<std::size_t>(c.shape.width), positions, stream);
        const Attention<PrimeField> net(d2_field, d2_weights(d2_field, c.shape, c.kind, a));
        const auto y = net.forward(x);
        EXPECT_EQ(y, net.forward_by_columns(x)) << name_of(c);
        const auto form =
            d2_closed_form(d2_field, c.shape, c.kind, a.size(), product(d2_field, x, transpose(x)));
        for (std::size_t i = 0; i < positions; ++i) {
            MatrixOver<PrimeField> column_i(x.rows(), 1);
            for (std::size_t p = 0; p < x.rows(); ++p) column_i(p, 0) = x(p, i);
            EXPECT_EQ(y(0, i), d2_value(d2_field, c.shape, form, a, column_i)) << name_of(c) << " at " << i;
        }
    }
}

// g = r G r^T: the quadratic form of the text follows from its row.
TEST(AttainD2, QuadraticFormIsThatOfTheRow) {
    for (const D2Case& c : d2_cases) {
        RandomStream stream(22, "tests/d2");
        const auto d = static_cast<std::size_t>(c.shape.width), n = d2_free(c.shape, c.kind, c.q);
        const auto x = random_matrix(d2_field, d, d, stream), gram = product(d2_field, x, transpose(x));
        const auto form = d2_closed_form(d2_field, c.shape, c.kind, n, gram);
        EXPECT_EQ(form.quadratic, product(d2_field, form.row, gram, transpose(form.row))) << name_of(c);
    }
}

// kd - k(k-1)/2: the dimension of the symmetric matrices of rank k.
std::int64_t symmetric_of_rank(std::int64_t width, std::int64_t k) { return k * width - k * (k - 1) / 2; }

// The rank the text gives the second derivative; of blocks the measured one, n(n+1)/2 above the proved one.
std::int64_t expected_rho(const D2Case& c) {
    const std::int64_t d = c.shape.width, n = static_cast<std::int64_t>(d2_free(c.shape, c.kind, c.q));
    const auto m = static_cast<std::int64_t>(power_of_three(c.shape.core));
    if (c.kind == D2Kind::one_head) return symmetric_of_rank(d, std::min({d, c.q, m - 1}));
    const std::int64_t letters = std::min(c.shape.head_dim, m / 3);
    if (c.kind == D2Kind::shared) return symmetric_of_rank(d, std::min({d, c.q, 2 * letters}));
    const std::int64_t r = std::min(n, d - n);
    return n * (n + 1) / 2 + n * (d - n) + r * (d - n) - r * (r - 1) / 2;
}

bool vanishes(const FieldVector& v) {
    return std::all_of(v.begin(), v.end(), [](std::uint64_t x) { return x == 0; });
}

void expect_tangent_form(const D2Case& c) {
    const TangentForm form = d2_tangent_form(d2_field, c.shape, c.kind, c.q, 23);
    EXPECT_EQ(testing::rank_mod_p(d2_field, form.second), static_cast<std::size_t>(expected_rho(c)))
        << name_of(c);
    EXPECT_FALSE(vanishes(form.first_left)) << name_of(c);
    EXPECT_FALSE(vanishes(form.first_right)) << name_of(c);
}

TEST(AttainD2, SecondDerivativeOnTheZeroSetHasRankRho) {
    for (const D2Case& c : d2_cases) {
        if (c.shape.width <= 6) expect_tangent_form(c);
    }
}

// With one position a side the zero set of g is not reduced, and the theorem says nothing.
TEST(AttainD2, GradientVanishesForOnePositionASide) {
    for (const std::int64_t core : {1, 2}) {
        const TangentForm form =
            d2_tangent_form(d2_field, {.depth = core, .core = core, .width = 3}, D2Kind::one_head, 1, 24);
        EXPECT_TRUE(vanishes(form.first_left));
    }
}

// Euler: g has degree m, so its derivative along G itself is m g; and g = 0 where it was asked.
TEST(AttainD2, ZeroDataAreZerosAndTheGradientObeysEuler) {
    RandomStream stream(27, "tests/d2");
    const auto a = random_matrix(d2_field, 1, 4, stream).data();
    for (const std::int64_t core : {1, 2}) {
        const auto value = [&](const MatrixOver<PrimeField>& gram) {
            const auto m = matrix_power(d2_field, gram, power_of_three(core));
            return product(d2_field, transpose(column(a)), m, column(a))(0, 0);
        };
        const auto x = zero_data(d2_field, a, core, 3, stream), y = random_matrix(d2_field, 4, 4, stream);
        EXPECT_EQ(value(product(d2_field, x, transpose(x))), 0U);
        const auto gram = product(d2_field, y, transpose(y));
        const auto along = product(d2_field, gram_power_gradient(d2_field, a, core, gram), gram);
        std::uint64_t trace = 0;
        for (std::size_t i = 0; i < 4; ++i) trace = d2_field.add(trace, along(i, i));
        EXPECT_EQ(trace, d2_field.multiply(power_of_three(core), value(gram)));
    }
}

// (tr grad g(A) B)^i over zeros A of g and all B: what the theorem on powers counts from below.
std::size_t tangent_power_rank(std::size_t d, std::uint64_t i, std::size_t size) {
    RandomStream stream(28, "tests/d2");
    const auto a = random_matrix(d2_field, 1, d, stream).data();
    MatrixOver<PrimeField> left(size, d * d), right(size, d * d);
    for (std::size_t s = 0; s < size; ++s) {
        const auto x = zero_data(d2_field, a, 1, d, stream), y = random_matrix(d2_field, d, d, stream);
        const auto slope = gram_power_gradient(d2_field, a, 1, product(d2_field, x, transpose(x)));
        const auto gram = product(d2_field, y, transpose(y));
        std::copy(slope.data().begin(), slope.data().end(), &left(s, 0));
        std::copy(gram.data().begin(), gram.data().end(), &right(s, 0));
    }
    return testing::rank_mod_p(d2_field,
                               hadamard_power(d2_field, product(d2_field, left, transpose(right)), i));
}

TEST(AttainD2, PowersOfTheTangentFormHaveTheRanksOfTheText) {
    const std::vector<std::size_t> width_three = {6, 20, 49}, width_four = {10, 49};
    for (std::size_t i = 1; i <= width_three.size(); ++i)
        EXPECT_EQ(tangent_power_rank(3, i, width_three[i - 1] + 3), width_three[i - 1]);
    for (std::size_t i = 1; i <= width_four.size(); ++i)
        EXPECT_EQ(tangent_power_rank(4, i, width_four[i - 1] + 3), width_four[i - 1]);
}

// The whole separation rank of collapsed networks with N = 2d (ATTAINMENT section 8): above ((rho, Lambda)).
TEST(AttainD2, CollapsedNetworksHaveTheRanksOfTheText) {
    for (const auto& [d, rank] : {std::pair{std::size_t{2}, std::size_t{17}}, {3, 41}}) {
        RandomStream stream(25, "tests/d2");
        const D2Shape shape{.depth = 2, .core = 1, .width = static_cast<std::int64_t>(d)};
        const auto a = random_matrix(d2_field, 1, d, stream).data();
        const Attention<PrimeField> net(d2_field, d2_weights(d2_field, shape, D2Kind::one_head, a));
        std::vector<std::size_t> left(d);
        std::iota(left.begin(), left.end(), std::size_t{0});
        const auto y = [&](const MatrixOver<PrimeField>& x) { return net.forward(x)(0, 0); };
        EXPECT_EQ(testing::sampled_rank(d2_field, testing::split_columns(d, 2 * d, left), rank + 3, 26, y),
                  rank);
    }
}

TEST(AttainD2, ImpossibleShapesAreRefused) {
    const auto build = [](const D2Shape& shape, D2Kind kind, std::size_t n) {
        (void)d2_weights(d2_field, shape, kind, FieldVector(n, 1));
    };
    EXPECT_THROW((void)d2_tangent_form(PrimeField(mersenne_prime_61), {}, D2Kind::one_head, 2, 1), Bug);
    EXPECT_THROW((void)d2_tangent_form(d2_field, {}, D2Kind::one_head, 3, 1), Bug);
    EXPECT_THROW(build({.depth = 1, .core = 2}, D2Kind::one_head, 2), Bug);
    EXPECT_THROW(build({.width = 4, .heads = 2, .head_dim = 1}, D2Kind::shared, 4), Bug);
    EXPECT_THROW(build({.width = 4, .heads = 2, .head_dim = 2}, D2Kind::one_head, 4), Bug);
    EXPECT_THROW(build({.core = 1, .width = 4, .heads = 2, .head_dim = 2}, D2Kind::blocks, 4), Bug);
    EXPECT_THROW(build({.core = 2, .width = 4, .heads = 2, .head_dim = 2}, D2Kind::shared, 3), Bug);
}

}  // namespace
}  // namespace plimsoll::nets

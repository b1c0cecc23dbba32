#include <gtest/gtest.h>

#include "plimsoll/nets/attainment/d3.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

const PrimeField d3_field(prime_with_root_of_minus_one);
using D3Matrix = MatrixOver<PrimeField>;

D3Data draw_data(std::size_t n, const D3Matrix& x, RandomStream& stream) {
    const auto p = random_matrix(d3_field, 2, n, stream).data();
    const auto middle = p.begin() + static_cast<std::ptrdiff_t>(n);
    return {.x = x, .p = {p.begin(), middle}, .p_prime = {middle, p.end()}, .theta = d3_field.random(stream)};
}

std::uint64_t literal_output(const D3Shape& shape, const D3Data& data, const D3Matrix& x_b) {
    const Attention<PrimeField> net(d3_field, d3_weights(d3_field, shape));
    return net.forward(d3_input(d3_field, shape, data, x_b))(0, 0);
}

TEST(AttainD3, AnySymmetricMatrixIsAGramMatrix) {
    RandomStream stream(31, "tests/d3");
    const auto half = random_matrix(d3_field, 5, 5, stream), gram = sum(d3_field, half, transpose(half));
    const auto x = gram_columns(d3_field, gram);
    EXPECT_EQ(product(d3_field, x, transpose(x)), gram);
}

TEST(AttainD3, LiteralOutputIsTheClosedForm) {
    for (const D3Shape& shape : {D3Shape{.depth = 2, .core = 1, .block = 1},
                                 {.depth = 3, .core = 2, .block = 2},
                                 {.depth = 4, .core = 2, .block = 2, .width = 7},
                                 {.depth = 4, .core = 3, .block = 2},
                                 {.depth = 3, .core = 2, .block = 3}}) {
        RandomStream stream(32, "tests/d3");
        const auto n = static_cast<std::size_t>(shape.block);
        for (int draw = 0; draw < 3; ++draw) {
            const D3Data data = draw_data(n, random_matrix(d3_field, n, n, stream), stream);
            const auto x_b = random_matrix(d3_field, n, n, stream);
            EXPECT_EQ(literal_output(shape, data, x_b), d3_closed_form(d3_field, shape, data, x_b));
        }
    }
}

// f(s) of degree D has D! times its leading coefficient as D-th difference.
std::uint64_t leading_times_factorial(std::uint64_t degree,
                                      const std::function<std::uint64_t(std::uint64_t)>& f) {
    std::vector<std::uint64_t> row;
    for (std::uint64_t s = 0; s <= degree; ++s) row.push_back(f(s));
    for (std::uint64_t k = 0; k < degree; ++k) {
        for (std::size_t j = 0; j + 1 < row.size(); ++j) row[j] = d3_field.subtract(row[j + 1], row[j]);
        row.pop_back();
    }
    return row.front();
}

// The word X_A X_B X_A .. X_A alone has the highest power of X_A when X_A^2 = 0, whatever theta is.
TEST(AttainD3, KernelIsTheLeadingCoefficientOfTheLiteralOutput) {
    for (const std::int64_t depth : {3, 4}) {
        const D3Shape shape{.depth = depth, .core = 2, .block = 3};
        RandomStream stream(33, "tests/d3");
        const D3Data data = draw_data(3, random_square_zero(d3_field, 3, 1, stream), stream);
        const auto x_b = random_matrix(d3_field, 3, 3, stream);
        const std::uint64_t k = d3_letters(shape), lambda = collapse_power(depth - 2),
                            degree = (k + 1) * lambda;
        const auto found = leading_times_factorial(degree, [&](std::uint64_t s) {
            D3Data scaled = data;
            scaled.x = scale(d3_field, s, data.x);
            return literal_output(shape, scaled, x_b);
        });
        std::uint64_t promised = d3_kernel(d3_field, data, x_b, k, lambda);
        for (std::uint64_t j = 2; j <= degree; ++j) promised = d3_field.multiply(promised, j);
        promised = d3_field.multiply(promised, power(d3_field, 2, lambda));
        EXPECT_EQ(found, d3_field.multiply(promised, data.theta));
    }
}

TEST(AttainD3, RandomMatrixSquaresToZeroAndHasItsRank) {
    RandomStream stream(34, "tests/d3");
    const auto x = random_square_zero(d3_field, 5, 2, stream);
    EXPECT_EQ(product(d3_field, x, x), D3Matrix(5, 5));
    EXPECT_EQ(testing::rank_mod_p(d3_field, x), 2U);
}

struct KernelCase {
    std::size_t n, nu;
    std::uint64_t k, lambda;
    std::size_t rank;  // the sum of dim V over all q, ATTAINMENT section 8
};

D3Matrix kernel_matrix(const KernelCase& c) {
    RandomStream stream(35, "tests/d3/kernel");
    std::vector<D3Data> left;
    std::vector<D3Matrix> right;
    for (std::size_t s = 0; s < c.rank + 3; ++s) {
        left.push_back(draw_data(c.n, random_square_zero(d3_field, c.n, c.nu, stream), stream));
        right.push_back(random_matrix(d3_field, c.n, c.n, stream));
    }
    D3Matrix result(left.size(), right.size());
    for (std::size_t s = 0; s < left.size(); ++s) {
        for (std::size_t t = 0; t < right.size(); ++t)
            result(s, t) = d3_kernel(d3_field, left[s], right[t], c.k, c.lambda);
    }
    return result;
}

TEST(AttainD3, RankOfTheKernelIsTheSumOfTheModules) {
    for (const KernelCase& c : {KernelCase{2, 1, 3, 1, 7}, {2, 1, 3, 4, 25}, {3, 1, 1, 1, 8}})
        EXPECT_EQ(testing::rank_mod_p(d3_field, kernel_matrix(c)), c.rank) << c.n << " " << c.lambda;
}

TEST(AttainD3, ImpossibleShapesAreRefused) {
    EXPECT_THROW((void)d3_weights(d3_field, {.block = 2, .width = 5}), Bug);
    EXPECT_THROW((void)d3_weights(d3_field, {.depth = 1, .core = 2}), Bug);
    EXPECT_THROW((void)gram_columns(PrimeField(mersenne_prime_61), D3Matrix(2, 2)), Bug);
    RandomStream stream(36, "tests/d3");
    EXPECT_THROW((void)random_square_zero(d3_field, 3, 2, stream), Bug);
}

}  // namespace
}  // namespace plimsoll::nets

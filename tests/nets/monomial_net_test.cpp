#include "plimsoll/nets/monomial_net.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

const PrimeField large_field;

// The networks of docs/ERRATA.md, E1: 8 wide and 7, 9 or 10 deep, 4 wide and 12 deep, 6 wide and 10 deep.
const std::vector<MonomialNet> published = {
    {8, {{1, 1}, {2, 5}, {3, 5}, {5, 6}, {2, 6}, {3, 7}, {1, 2}}},
    {8, {{3, 6}, {3, 3}, {3, 5}, {2, 3}, {1, 5}, {2, 6}, {6, 7}, {2, 6}, {1, 5}}},
    {4, {{1, 2}, {2, 2}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}},
    {6, {{1, 2}, {2, 2}, {2, 4}, {1, 4}, {2, 5}, {0, 3}, {1, 4}, {0, 3}, {3, 5}, {1, 5}}},
    {8, {{1, 1}, {3, 4}, {2, 7}, {5, 7}, {3, 7}, {1, 5}, {2, 6}, {5, 7}, {1, 7}, {4, 6}}},
};

// With head_dim = 3: 16 heads, width 48, 21 deep.
const MonomialNet padded_net = {
    16, {{10, 14}, {1, 6}, {1, 2},  {11, 13}, {3, 9},  {1, 14}, {4, 4},  {1, 10}, {6, 14},  {7, 15}, {1, 8},
         {3, 11},  {6, 6}, {6, 14}, {5, 14},  {4, 10}, {0, 13}, {9, 13}, {1, 11}, {11, 12}, {8, 10}}};

std::int64_t number_of_factors(std::size_t depth) {
    std::int64_t c = 0;
    for (std::size_t l = 0; l < depth; ++l) c = 3 * c + 1;
    return c;
}

// prod (k_st + 1) modulo p, enough to tell the published products.
std::uint64_t product_formula(const Exponents& exponents) {
    std::uint64_t product = 1;
    for (const std::int64_t k : exponents.triangle()) {
        product = large_field.multiply(product, static_cast<std::uint64_t>(k) + 1);
    }
    return product;
}

MatrixOver<PrimeField> random_input(std::size_t width, std::size_t positions, std::uint64_t seed) {
    RandomStream stream(seed, "tests/input");
    return random_matrix(large_field, width, positions, stream);
}

void expect_literal_output_is_the_monomial(const MonomialNet& net, std::int64_t head_dim) {
    const auto d = static_cast<std::size_t>(net.width);
    const auto x = random_input(d * static_cast<std::size_t>(head_dim), 2 * d, 1);
    const auto y =
        Attention<PrimeField>(large_field, monomial_weights(large_field, net, head_dim)).forward(x);
    const auto gram = product(large_field, x, transpose(x));
    for (std::size_t p = 0; p < d; ++p) {
        const auto exponents = monomial_exponents(net, static_cast<std::int64_t>(p));
        for (std::size_t i = 0; i < 2 * d; ++i) {
            EXPECT_EQ(y(p, i), evaluate_monomial(large_field, exponents, gram, x(p, i)));
        }
    }
    for (std::size_t p = d; p < y.rows(); ++p) EXPECT_EQ(y(p, 0), 0U);
}

TEST(MonomialNet, LiteralOutputIsTheMonomial) {
    for (const auto& net : published) expect_literal_output_is_the_monomial(net, 1);
}

TEST(MonomialNet, ZeroPaddedHeadsGiveTheSameMonomial) {
    expect_literal_output_is_the_monomial({3, {{0, 1}, {1, 2}, {2, 2}}}, 3);
    expect_literal_output_is_the_monomial(padded_net, 3);
    const MonomialNet& net = published[2];
    const auto x = random_input(12, 8, 2);
    MatrixOver<PrimeField> top(4, 8);
    for (std::size_t p = 0; p < 4; ++p) {
        for (std::size_t i = 0; i < 8; ++i) top(p, i) = x(p, i);
    }
    const auto padded = Attention<PrimeField>(large_field, monomial_weights(large_field, net, 3)).forward(x);
    const auto plain = Attention<PrimeField>(large_field, monomial_weights(large_field, net)).forward(top);
    for (std::size_t p = 0; p < 4; ++p) {
        for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(padded(p, i), plain(p, i));
    }
}

TEST(MonomialNet, ExponentsSumToTheNumberOfFactorsAndUseEveryGramEntry) {
    std::vector<MonomialNet> all = published;
    all.push_back(padded_net);
    for (const auto& net : all) {
        const auto exponents = monomial_exponents(net, 0);
        EXPECT_EQ(exponents.total(), number_of_factors(net.shifts.size()));
        for (const std::int64_t k : exponents.triangle()) EXPECT_GT(k, 0);
    }
}

TEST(MonomialNet, ProductsAreThePublishedSeparationRanks) {
    // 42626199320887320772141665443276390400000000 and two more, modulo 2^61 - 1, by independent arithmetic.
    EXPECT_EQ(product_formula(monomial_exponents(published[0], 0)), 912583353875388112U);
    EXPECT_EQ(product_formula(monomial_exponents(published[1], 0)), 1273189536210629955U);
    EXPECT_EQ(product_formula(monomial_exponents(published[2], 0)), 104662753314585087U);
}

// log_3 of prod (k_st + 1); a few hundred roundings of numbers below 10^4, so good to 1e-9.
double log3_product(const Exponents& exponents) {
    double total = 0;
    for (const std::int64_t k : exponents.triangle()) total += std::log(static_cast<double>(k) + 1);
    return total / std::log(3.0);
}

// LEVINE-T4 and LEVINE-T2-UPPER in log_3, for width d and depth L.
double log3_theorem_four(double d, double depth) {
    const double c = (std::pow(3.0, depth) - 1) / 2;
    const double log_multiset = std::lgamma(d + 2 * c) - std::lgamma(d) - std::lgamma(2 * c + 1);
    return (std::log(d) + std::log(c + 1) + log_multiset + d * std::log(2 * c / d + 1)) / std::log(3.0);
}
double log3_theorem_two(double d, double depth) {
    return 2 * d * depth + depth + (std::log(d) - 2 * d * (std::log(d / 2) - 1)) / std::log(3.0);
}

// E1. The margins, 0.2 to 60, dwarf the rounding of doubles; `plimsoll bounds` certifies the same with balls.
TEST(MonomialNet, SeparationRanksExceedTheoremFourAndTheoremTwo) {
    const auto log3_sep = [](const MonomialNet& net) { return log3_product(monomial_exponents(net, 0)); };
    EXPECT_GT(log3_sep(published[0]), log3_theorem_four(8, 7));
    EXPECT_GT(log3_sep(published[1]), log3_theorem_two(8, 9));
    EXPECT_GT(log3_sep(published[2]), log3_theorem_four(4, 12));
    EXPECT_GT(log3_sep(published[3]), log3_theorem_two(6, 10));
    EXPECT_GT(log3_sep(padded_net), log3_theorem_two(48, 21));
    EXPECT_NEAR(log3_sep(published[0]), 91.4436, 1e-4);
    EXPECT_NEAR(log3_theorem_four(8, 7), 90.3920, 1e-4);
}

TEST(MonomialNet, ExponentsOfASmallNetAreThoseFoundByHand) {
    // Layer 1: x_h -> G_hh x_h. Layer 2: x_0 -> (G_00 G_11 G_01) G_00 x_0.
    EXPECT_EQ(monomial_exponents({2, {{0, 0}, {0, 1}}}, 0).triangle(), (std::vector<std::int64_t>{2, 1, 1}));
    EXPECT_EQ(monomial_exponents({2, {}}, 1).triangle(), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(MonomialNet, MeasuredRankIsTheProduct) {
    struct Case {
        MonomialNet net;
        std::size_t rank;
    };
    for (const auto& [net, rank] :
         {Case{{2, {{0, 0}, {0, 1}}}, 12}, Case{{2, {{0, 0}, {1, 1}}}, 8}, Case{{3, {{0, 0}, {1, 2}}}, 16},
          Case{{2, {{0, 0}, {0, 1}, {0, 1}}}, 150}}) {
        const auto d = static_cast<std::size_t>(net.width);
        EXPECT_EQ(product_formula(monomial_exponents(net, 0)), rank);
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < d; ++i) left.push_back(i);
        const Attention<PrimeField> attention(large_field, monomial_weights(large_field, net));
        const auto split = testing::split_columns(d, 2 * d, left);
        EXPECT_EQ(testing::sampled_rank(large_field, split, rank + 8, 3,
                                        [&](const auto& x) { return attention.forward(x)(0, 0); }),
                  rank);
    }
}

// With fewer than d positions on a side the Gram entries are no longer independent.
TEST(MonomialNet, ProductIsOnlyAnUpperBoundForShortInputs) {
    const MonomialNet net{2, {{0, 0}, {0, 1}, {0, 1}}};
    const Attention<PrimeField> attention(large_field, monomial_weights(large_field, net));
    const auto rank = testing::sampled_rank(large_field, testing::split_columns(2, 2, {0}), 158, 4,
                                            [&](const auto& x) { return attention.forward(x)(0, 0); });
    EXPECT_LT(rank, 150U);
}

TEST(MonomialNet, DeepestExponentsFitAndDeeperOnesAreRefused) {
    MonomialNet net{1, std::vector<std::array<std::int64_t, 2>>(max_monomial_depth, {0, 0})};
    EXPECT_EQ(monomial_exponents(net, 0).total(), number_of_factors(max_monomial_depth));
    net.shifts.push_back({0, 0});
    EXPECT_THROW((void)monomial_exponents(net, 0), Bug);
    EXPECT_THROW((void)monomial_exponents({2, {}}, 2), Bug);
}

}  // namespace
}  // namespace plimsoll::nets

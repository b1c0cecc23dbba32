// D1, D2 and D2-H: each number two ways, and the ranks behind them measured modulo a prime.
#include <gtest/gtest.h>

#include "plimsoll/base/check.h"
#include "plimsoll/nets/attention.h"
#include "plimsoll/theory/attainment/gram_powers.h"
#include "plimsoll/theory/attainment/norm_powers.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "tests/support/sampled_rank.h"
#include "tests/theory/hessian_rank.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

const nets::PrimeField kernel_field;

std::size_t norm_power_rank(std::size_t n, std::uint64_t power, std::size_t samples) {
    const auto split = testing::split_columns(n, 2, {0});
    return testing::sampled_rank(kernel_field, split, samples, 7, [&](const FieldMatrix& x) {
        std::uint64_t norm = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto u = kernel_field.add(x(i, 0), x(i, 1));
            norm = kernel_field.add(norm, kernel_field.multiply(u, u));
        }
        return nets::power(kernel_field, norm, power);
    });
}

TEST(AttainmentD1, IsTheRankOfAPowerOfTheNorm) {
    for (const auto& [n, L] : {std::pair{1, 2}, {2, 2}, {5, 2}, {1, 3}, {2, 3}, {3, 3}, {1, 4}, {2, 4}}) {
        const auto expected = static_cast<std::size_t>(d1_attained(L, n).to_int64());
        EXPECT_EQ(
            norm_power_rank(static_cast<std::size_t>(n), power_of_three(L - 2).to_int64(), expected + 3),
            expected)
            << n << " " << L;
    }
}

TEST(AttainmentD1, LogarithmContainsTheIntegerAndDefinitionsAgree) {
    for (std::int64_t L = 2; L <= 6; ++L) {
        for (std::int64_t n = 1; n <= 12; ++n) {
            const Integer lam = power_of_three(L - 2), value = d1_attained(L, n);
            EXPECT_EQ(value, multiset(n + 1, lam) + multiset(n + 1, lam - 1));
            EXPECT_TRUE(d1_attained_log3(L, n, 64).contains(log3(Ball(value, 300)))) << L << " " << n;
            EXPECT_NEAR(fast::d1_attained_log3(L, static_cast<double>(n)), log3(Ball(value, 64)).middle(),
                        1e-9);
            EXPECT_LT(value, d1_attained(L, n + 1));
            EXPECT_LT(value, d1_attained(L + 1, n));
        }
    }
    const double deep = d1_attained_log3(900, 767, 64).middle();  // beyond the range of doubles
    EXPECT_NEAR(fast::d1_attained_log3(900, 767), deep, 1e-9 * deep);
    EXPECT_THROW((void)d1_attained(1, 3), Bug);
    EXPECT_THROW((void)d1_attained(3, 0), Bug);
}

// Levine's construction is never the larger one, so that it needs no place among the routes.
TEST(AttainmentD1, ExceedsTheConstructionOfLemma4) {
    for (std::int64_t L = 2; L <= 5; ++L) {
        for (std::int64_t H = 1; H <= 4; ++H) {
            for (std::int64_t da = 3; da <= 7; ++da) {
                const Integer directions = d1_directions(H, da, std::nullopt);
                EXPECT_GT(d1_attained(L, directions), ms_lower_construct(L, H, da));
                EXPECT_GE(Integer(d1_shared_directions(H * da, H, da)), directions);
            }
        }
    }
    EXPECT_EQ(d1_directions(3, 4, Integer(6)), Integer(5));
    EXPECT_EQ(d1_directions(3, 4, Integer(20)), Integer(9));
    EXPECT_EQ(d1_shared_directions(768, 12, 64), 767);
    EXPECT_EQ(d1_shared_directions(50, 12, 64), 49);
    EXPECT_EQ(d1_shared_directions(8, 8, 1), 7);
}

// The network of att-d1.md with one constant for all heads: coordinates 0..n-1 are u, n is the constant.
nets::AttentionWeights<std::uint64_t> shared_constant_network(std::size_t L, std::size_t H, std::size_t da) {
    const std::size_t width = H * da, n = width - 1;
    const auto zero_head = [&] {
        return nets::Head<std::uint64_t>{FieldMatrix(da, width), FieldMatrix(da, width),
                                         FieldMatrix(da, width), FieldMatrix(width, da)};
    };
    nets::AttentionWeights<std::uint64_t> weights;
    weights.layers.assign(L, std::vector(H, zero_head()));
    for (std::size_t l = 0; l < L; ++l) {
        for (std::size_t h = 0; h < H; ++h) {
            auto& head = weights.layers[l][h];
            for (std::size_t i = 0; i < da; ++i) {
                const std::size_t c = h * da + i;
                if (l == 0) head.query(0, n) = head.key(0, n) = head.value(i, c) = head.output(c, i) = 1;
                if (l == 1 && c < n) head.query(i, c) = head.key(i, c) = 1;
            }
            if (l == 1 || (l > 1 && h == 0)) head.value(0, n) = head.output(n, 0) = 1;
            if (l > 1 && h == 0) head.query(0, n) = head.key(0, n) = 1;
        }
    }
    return weights;
}

TEST(AttainmentD1, OneConstantServesAllHeads) {
    for (const auto& [L, H, da] :
         {std::tuple{2, 2, 2}, {2, 3, 1}, {3, 2, 2}, {3, 3, 1}, {4, 2, 1}, {3, 1, 3}}) {
        const auto width = static_cast<std::size_t>(H * da);
        const std::size_t n = width - 1;
        const nets::Attention network(kernel_field, shared_constant_network(L, H, da));
        const auto expected =
            static_cast<std::size_t>(d1_attained(L, d1_shared_directions(H * da, H, da)).to_int64());
        const auto rank = testing::sampled_rank(kernel_field, testing::split_columns(n, 2, {0}), expected + 2,
                                                3, [&](const FieldMatrix& u) {
                                                    FieldMatrix x(width, 2);
                                                    for (std::size_t j = 0; j < 2; ++j) {
                                                        for (std::size_t i = 0; i < n; ++i) x(i, j) = u(i, j);
                                                        x(n, j) = 1;
                                                    }
                                                    return network.forward(x)(n, 0);
                                                });
        EXPECT_EQ(rank, expected) << L << " " << H << " " << da;
    }
}

struct HessianCase {
    std::int64_t d, q, H, da, L0;
};

std::size_t measured_rank(const HessianCase& c, std::int64_t n, const FormMatrix& form) {
    return hessian_rank(static_cast<std::size_t>(c.d), static_cast<std::size_t>(c.q),
                        static_cast<std::size_t>(n), form);
}

std::size_t size_of_power(std::int64_t exponent) {
    return static_cast<std::size_t>(power_of_three(exponent).to_int64());
}

// On g = 0 the Hessian of g = a^T G^m a has the rank of the formula, on data of rank q.
TEST(AttainmentD2, RankIsThatOfTheHessian) {
    for (const auto& c : {HessianCase{2, 2, 1, 2, 1},
                          {3, 3, 1, 3, 1},
                          {4, 4, 1, 4, 1},
                          {4, 2, 1, 4, 1},
                          {5, 5, 1, 5, 1},
                          {3, 3, 1, 3, 2},
                          {4, 3, 1, 4, 2},
                          {4, 2, 1, 4, 2}}) {
        const auto rank =
            measured_rank(c, c.d, [&](const BiDual& gram) { return power(gram, size_of_power(c.L0)); });
        EXPECT_EQ(rank, static_cast<std::size_t>(d2_rank(c.d, c.q, c.L0)))
            << c.d << " " << c.q << " " << c.L0;
    }
}

// D2-H(b), L0 >= 2: F = (Pi G^3 Pi)^(3^(L0-1)).
TEST(AttainmentD2, RankWithHeadsIsThatOfTheHessian) {
    for (const auto& c :
         {HessianCase{4, 4, 2, 2, 2}, {5, 4, 3, 2, 2}, {5, 5, 3, 2, 2}, {5, 3, 2, 3, 2}, {4, 2, 2, 2, 2}}) {
        const std::int64_t n = std::min({c.da, power_of_three(c.L0 - 1).to_int64(), c.q});
        const auto rank = measured_rank(c, n, [&](const BiDual& gram) {
            return power(cut(power(gram, 3), 0, static_cast<std::size_t>(n)), size_of_power(c.L0 - 1));
        });
        EXPECT_EQ(rank, static_cast<std::size_t>(d2_heads_rank_b(c.d, c.q, c.da, c.L0))) << c.d << " " << c.q;
    }
}

// D2-H(c), L0 = 2, blocks of at most two: F = sum_{h,h'} W_hh W_hh' W_h'h'. The measured rank has n(n+1)/2
// more.
TEST(AttainmentD2, RankByBlocksIsBelowThatOfTheHessian) {
    for (const auto& c : {HessianCase{4, 4, 2, 2, 2}, {5, 5, 3, 2, 2}, {5, 5, 2, 3, 2}, {6, 6, 2, 3, 2}}) {
        const std::int64_t n = d2_block_size(c.d, c.H, c.da, c.L0), size = (n + c.H - 1) / c.H;
        const auto rank = measured_rank(c, n, [&](const BiDual& gram) {
            const BiDual w = cut(power(gram, 3), 0, static_cast<std::size_t>(n));
            BiDual blocks = cut(w, 0, 0);
            for (std::int64_t first = 0; first < n; first += size) {
                const std::int64_t last = std::min(n, first + size);
                blocks = sum(blocks, cut(w, static_cast<std::size_t>(first), static_cast<std::size_t>(last)));
            }
            return product(product(blocks, w), blocks);
        });
        EXPECT_EQ(rank, static_cast<std::size_t>(d2_heads_rank_c(c.d, n) + n * (n + 1) / 2))
            << c.d << " " << c.H;
    }
}

TEST(AttainmentD2, ValuesOfTheTheorem) {
    EXPECT_EQ(d2_rank(768, 768, 6), 294'476);
    EXPECT_EQ(d2_rank(9, 9, 2), 44);
    EXPECT_EQ(d2_attained(4, 1, d2_rank(3, 3, 1)), Integer(2380));
    EXPECT_EQ(d2_heads_rank_b(768, 768, 64, 5), 90'176);
    EXPECT_EQ(d2_heads_rank_c(768, d2_block_size(768, 12, 64, 3)), 88'096);
    EXPECT_EQ(d2_block_size(12'288, 96, 128, 2), 128);
    EXPECT_EQ(d2_block_size(64, 4, 16, 2), 8);
    EXPECT_THROW((void)collapsed_power(4, 4), Bug);
    EXPECT_THROW((void)collapsed_power(4, 0), Bug);
}

TEST(AttainmentD2, RanksGrowWithEverythingAndEndAtTheWholeSpace) {
    for (std::int64_t d = 2; d <= 12; ++d) {
        const std::int64_t D = d * (d + 1) / 2;
        for (std::int64_t L0 = 1; L0 <= 4; ++L0) {
            for (std::int64_t q = 2; q <= d; ++q) {
                EXPECT_LE(d2_rank(d, q, L0), d2_rank(d, q, L0 + 1));
                EXPECT_LE(d2_rank(d, q, L0), d2_rank(d, q + 1, L0));
                EXPECT_LE(d2_rank(d, q, L0), d2_rank(d + 1, q, L0));
                for (std::int64_t da = 1; da <= d; ++da) {
                    EXPECT_LE(d2_heads_rank_b(d, q, da, L0), d2_rank(d, q, L0));
                    EXPECT_LE(d2_heads_rank_b(d, q, da, L0), d2_heads_rank_b(d, q, da + 1, L0));
                }
            }
            for (std::int64_t n = 2; n < d; ++n) EXPECT_LE(d2_heads_rank_c(d, n) + n * (n + 1) / 2, D);
        }
        for (std::int64_t largest = 2; largest < d; ++largest) {
            const std::int64_t best = d2_best_block(d, largest);
            ASSERT_LE(best, largest);
            for (std::int64_t n = 2; n <= largest; ++n)
                EXPECT_GE(d2_heads_rank_c(d, best), d2_heads_rank_c(d, n)) << d << " " << largest << " " << n;
        }
        EXPECT_EQ(d2_rank(d, d, 3), D);
        EXPECT_EQ(d2_rank(d, 10 * d, 90), D);
    }
}

TEST(AttainmentD2, IntegerLogarithmAndDoubleAgree) {
    for (const auto& [L, L0, rho] : {std::tuple{2, 1, 3}, {4, 1, 5}, {4, 2, 21}, {5, 3, 44}, {6, 2, 100}}) {
        const Integer value = d2_attained(L, L0, rho);
        const Ball ball = d2_attained_log3(L, L0, rho, 64);
        EXPECT_TRUE(ball.contains(log3(Ball(value, 300))));
        EXPECT_NEAR(fast::d2_attained_log3(L, L0, rho), ball.middle(), 1e-9 * ball.middle());
    }
    // Beyond the range of doubles, 3^646.
    const double deep = d2_attained_log3(900, 6, 294'476, 64).middle();
    EXPECT_NEAR(fast::d2_attained_log3(900, 6, 294'476), deep, 1e-9 * deep);
}

// All L0, not only those that the search looks at.
TEST(AttainmentD2, BestCollapseIsTheBestOfAll) {
    for (const auto& [L, d, H, da] : {std::tuple{6, 8, 1, 8},
                                      {12, 8, 1, 8},
                                      {12, 768, 1, 768},
                                      {24, 64, 1, 64},
                                      {12, 768, 12, 64},
                                      {24, 96, 4, 24},
                                      {5, 16, 16, 1},
                                      {9, 10, 2, 5}}) {
        const CollapseShape shape{L, d, d, H, da};
        const Collapse best = best_collapse(shape);
        const Ball value = d2_attained_log3(L, best.first_layers, best.rank, 128);
        for (std::int64_t L0 = 1; L0 < L; ++L0) {
            std::vector<std::int64_t> ranks{H == 1 ? d2_rank(d, d, L0) : d2_heads_rank_b(d, d, da, L0)};
            const std::int64_t n = d2_block_size(d, H, da, L0);
            if (H > 1 && n >= 2 && n < d) ranks.push_back(d2_heads_rank_c(d, n));
            for (const auto rank : ranks)
                EXPECT_NE(less(value, d2_attained_log3(L, L0, rank, 128)), Verdict::proved) << L0;
        }
    }
    EXPECT_EQ(best_collapse({24, 768, 768, 1, 768}).first_layers, 6);
    EXPECT_EQ(best_collapse({24, 768, 768, 12, 64}).form, 'c');
    EXPECT_EQ(best_collapse({48, 768, 768, 2, 384}).form, 'b');
    EXPECT_THROW((void)best_collapse({24, 768, 1, 1, 768}), Bug);
}

}  // namespace
}  // namespace plimsoll::theory

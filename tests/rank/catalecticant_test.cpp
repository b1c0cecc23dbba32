#include "plimsoll/rank/constructions/catalecticant.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rank/score_support.h"

namespace plimsoll::rank {
namespace {

TEST(Monomials, AreCountedInOrder) {
    const Monomials monomials(3, 4);
    EXPECT_EQ(monomials.count(0), 1U);
    EXPECT_EQ(monomials.count(1), 3U);
    EXPECT_EQ(monomials.count(4), 15U);
    EXPECT_THAT(monomials.factors(2, 0), ::testing::ElementsAre(0, 0));
    EXPECT_THAT(monomials.factors(2, 3), ::testing::ElementsAre(1, 1));
    EXPECT_THAT(monomials.factors(2, 5), ::testing::ElementsAre(2, 2));
    for (std::size_t degree = 1; degree <= 4; ++degree) {
        for (std::uint32_t m = 1; m < monomials.count(degree); ++m) {
            EXPECT_LT(monomials.factors(degree, m - 1), monomials.factors(degree, m));
        }
    }
}

TEST(Monomials, ProductsAreMerged) {
    for (const std::size_t variables : {1U, 2U, 6U}) {
        const Monomials monomials(variables, 5);
        for (std::size_t degree = 0; degree < 5; ++degree) {
            for (std::uint32_t m = 0; m < monomials.count(degree); ++m) {
                for (std::uint32_t v = 0; v < variables; ++v) {
                    auto factors = monomials.factors(degree, m);
                    factors.insert(std::upper_bound(factors.begin(), factors.end(), v), v);
                    EXPECT_EQ(monomials.factors(degree + 1, monomials.times(degree, m, v)), factors);
                }
            }
        }
    }
}

// sum_k x_k sum_m c_k(m) G^m with the coefficients is the network.
TEST(Catalecticant, CoefficientsAreThePolynomial) {
    for (const char* text :
         {"attention:depth=1,width=3,heads=1", "attention:depth=2,width=3,heads=3",
          "attention:depth=3,width=2,heads=2", "attention:depth=2,width=4,heads=1,head_dim=2"}) {
        const auto network = network_of(text, 4);
        const auto polynomial = gram_polynomial(*network->as_attention(), 1);
        const nets::PrimeField field(network->prime());
        const BalancedField residues = polynomial->field;
        RandomStream stream(2, "tests/x");
        const auto x = nets::random_matrix(field, polynomial->width, 4, stream);
        const auto gram = nets::product(field, x, nets::transpose(x));
        std::vector<std::uint64_t> variables;
        for (std::size_t i = 0; i < gram.rows(); ++i) {
            for (std::size_t j = i; j < gram.cols(); ++j) variables.push_back(gram(i, j));
        }
        std::uint64_t total = 0;
        for (std::uint32_t m = 0; m < polynomial->monomials.count(polynomial->degree); ++m) {
            std::uint64_t power = 1, factorial = 1, run = 0, last = UINT64_MAX;
            for (const std::uint32_t v : polynomial->monomials.factors(polynomial->degree, m)) {
                run = v == last ? run + 1 : 1, last = v;
                power = field.multiply(power, variables[v]);
                factorial = field.multiply(factorial, run);
            }
            for (std::size_t k = 0; k < polynomial->width; ++k) {
                const auto weighted = residues.to_integer(polynomial->weighted[m * polynomial->width + k]);
                const auto coefficient = field.multiply(weighted, field.inverse(factorial));
                total = field.add(total, field.multiply(coefficient, field.multiply(power, x(k, 2))));
            }
        }
        EXPECT_EQ(total, network->evaluate(x, {1, 2})) << text;
    }
}

// Catalecticant and graded samples, piece by piece.
TEST(Catalecticant, EveryPieceHasTheRankOfTheSampledOne) {
    for (const auto& [text, positions] : {std::pair{"attention:depth=2,width=3,heads=1", 6},
                                          {"attention:depth=2,width=4,heads=2", 8},
                                          {"attention:depth=2,width=3,heads=2,head_dim=1", 6},
                                          {"attention:depth=3,width=2,heads=2", 4}}) {
        const auto network = network_of(text, positions);
        const Partition partition = partition_of(*network, "half");
        const auto exact = pieces_for({.network = network,
                                       .partition = partition,
                                       .output = {},
                                       .construction = Construction::catalecticant})
                               .value();
        const auto sampled = pieces_for({.network = network,
                                         .partition = partition,
                                         .output = {},
                                         .construction = Construction::graded})
                                 .value();
        ASSERT_EQ(exact.pieces.size(), sampled.pieces.size());
        for (std::size_t j = 0; j < exact.pieces.size(); ++j) {
            const Piece& piece = exact.pieces[j];
            EXPECT_EQ(piece.source->max_rows(), *piece.bound_rows);
            EXPECT_EQ(piece.source->max_cols(), *piece.bound_cols);
            EXPECT_FALSE(piece.source->generic_profile());
            const std::size_t size = std::min(*piece.bound_rows, *piece.bound_cols) + 6;
            EXPECT_EQ(rank_of(*piece.source, SIZE_MAX), rank_of(*sampled.pieces[j].source, size))
                << text << " j=" << j;
        }
    }
}

TEST(Catalecticant, BlocksFitTogether) {
    const auto network = network_of("attention:depth=2,width=3,heads=1", 6);
    const auto source = catalecticant(gram_polynomial(*network->as_attention(), 0), 2);
    const auto whole = block_of(*source, source->max_rows(), source->max_cols());
    nets::Matrix<double> part(10, 5);
    source->fill(20, 7, part.view());
    const BalancedField residues = source->field();
    for (std::size_t i = 0; i < 10; ++i) {
        for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(residues.to_integer(part(i, j)), whole(20 + i, 7 + j));
    }
}

// L = 3, d = 4: 4 x 497,420 coefficients.
TEST(Catalecticant, MemoryIsKnownBeforehand) {
    const auto bytes = [](std::int64_t depth, std::int64_t width) {
        return gram_polynomial_bytes({.depth = depth, .width = width, .embedding_rank = width});
    };
    EXPECT_GT(bytes(3, 4), 4 * 497420 * 12.0);
    EXPECT_LT(bytes(3, 4), 64 * 1024.0 * 1024.0);
    EXPECT_GT(bytes(4, 8), 1e12);
}

}  // namespace
}  // namespace plimsoll::rank

#include <gtest/gtest.h>

#include "plimsoll/rank/constructions/sampled_scores.h"
#include "tests/rank/score_support.h"

namespace plimsoll::rank {
namespace {

// The evaluations of grade j read c_j off sum_j c_j s^j.
TEST(Graded, EvaluationsInterpolate) {
    for (const std::uint32_t p : {17U, 251U, default_prime}) {
        const nets::PrimeField field(p);
        const BalancedField residues{p};
        RandomStream stream(1, "tests/coefficients");
        for (const std::size_t degree : {0U, 1U, 4U, 13U}) {
            const auto c = nets::random_matrix(field, 1, degree + 1, stream).data();
            for (std::size_t j = 0; j <= degree; ++j) {
                std::uint64_t total = 0;
                for (const Evaluation& e : graded_evaluations({p}, degree, j)) {
                    std::uint64_t value = 0;
                    for (std::size_t k = degree + 1; k-- > 0;) {
                        value = field.add(
                            c[k], field.multiply(value, residues.to_integer(residues.reduce(e.scale))));
                    }
                    total = field.add(total, field.multiply(residues.to_integer(e.weight), value));
                }
                EXPECT_EQ(total, c[j]) << "p=" << p << " degree=" << degree << " j=" << j;
            }
        }
    }
}

// The pieces add up to the whole, number by number, and none of them is idle.
TEST(Graded, PiecesAddUpToTheWhole) {
    for (const auto& [text, positions] :
         {std::pair{"attention:depth=3,width=3,heads=1", 4},
          {"attention:depth=2,width=2,heads=2", 6},
          {"attention:depth=2,width=4,heads=1,embedding=conv,vocab=5,embedding_rank=2", 4},
          {"square-mixer:rows=2,cols=3,depth=3", 0},
          {"pk:depth=2,width=6,blocks=2,activation=square", 0}}) {
        const auto network = network_of(text, positions);
        const Partition partition = partition_of(*network, "half");
        const nets::PrimeField field(network->prime());
        const auto whole = pieces_for({.network = network,
                                       .partition = partition,
                                       .output = {},
                                       .construction = Construction::gram})
                               .value();
        const auto graded = pieces_for({.network = network,
                                        .partition = partition,
                                        .output = {},
                                        .construction = Construction::graded})
                                .value();
        EXPECT_EQ(graded.pieces.size(), network->facts().grades + 1);
        nets::Matrix<std::uint64_t> total(7, 11);
        for (const Piece& piece : graded.pieces)
            total = nets::sum(field, total, block_of(*piece.source, 7, 11));
        EXPECT_EQ(total, block_of(*whole.pieces[0].source, 7, 11)) << text;
    }
}

// L = 3, d = 2, N = 4: min(h(j), a(13 - j)), all of them reached.
TEST(Graded, PiecesReachTheirBounds) {
    const auto network = network_of("attention:depth=3,width=2,heads=1", 4);
    const auto list = pieces_for({.network = network,
                                  .partition = partition_of(*network, "half"),
                                  .output = {},
                                  .construction = Construction::graded})
                          .value();
    const std::size_t expected[] = {1, 3, 6, 10, 15, 21, 28, 36, 42, 30, 20, 12, 6, 2};
    ASSERT_EQ(list.pieces.size(), std::size(expected));
    for (std::size_t j = 0; j < list.pieces.size(); ++j) {
        EXPECT_EQ(list.pieces[j].name, "j=" + std::to_string(j));
        EXPECT_EQ(std::min(*list.pieces[j].bound_rows, *list.pieces[j].bound_cols), expected[j]);
        EXPECT_EQ(rank_of(*list.pieces[j].source, expected[j] + 5), expected[j]);
    }
    EXPECT_EQ(*list.rank_bound, 232U);
    EXPECT_TRUE(list.full_rank_propagates);
}

// Full ranks spread only where both Gram matrices are free.
TEST(Graded, PropagationNeedsFreeGramMatrices) {
    const auto propagates = [](const char* text, std::int64_t positions) {
        const auto network = network_of(text, positions);
        return pieces_for({.network = network,
                           .partition = partition_of(*network, "half"),
                           .output = {},
                           .construction = Construction::graded})
            .value()
            .full_rank_propagates;
    };
    EXPECT_TRUE(propagates("attention:depth=2,width=2,heads=1", 4));
    EXPECT_FALSE(propagates("attention:depth=2,width=2,heads=1", 2));
    EXPECT_FALSE(propagates("attention:depth=2,width=3,heads=1,embedding=conv,vocab=3,embedding_rank=2", 6));
    EXPECT_FALSE(propagates("square-mixer:rows=2,cols=2,depth=3", 0));
}

}  // namespace
}  // namespace plimsoll::rank

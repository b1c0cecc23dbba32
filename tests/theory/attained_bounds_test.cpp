// Proved from below never exceeds proved from above nor a measured rank: drawn shapes and real sizes.
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/nets/attention.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "tests/support/sampled_rank.h"
#include "tests/theory/drawn_shapes.h"

namespace plimsoll::theory {
namespace {

double proved_upper(const AttainedShape& s) {
    const HeadShape heads{s.width, s.heads, s.head_dim};
    const double by_capacity = enclose_capacity(s.depth, std::min(s.width, s.rank), s.context).upper.upper();
    return std::min(by_capacity, heads_bound_log3(s.depth, heads, 64).upper());
}

TEST(AttainedBounds, NeverAboveTheProvedUpperBound) {
    int found = 0;
    for_seeds(300, [&](RandomStream& stream) {
        const AttainedShape shape = drawn_shape(stream);
        const auto attained = attained_log3(shape, 64);
        if (!attained) return;
        ++found;
        EXPECT_LE(attained->log3.lower(), proved_upper(shape)) << shown_shape(shape) << " " << attained->id;
    });
    EXPECT_GE(found, 200);
}

// Random weights reach at least what is proved for almost all.
TEST(AttainedBounds, RanksOfDrawnNetworksReachIt) {
    const nets::PrimeField field;
    struct Small {
        std::int64_t L, d, H, N;
    };
    for (const auto& [L, d, H, N] : {Small{2, 2, 1, 4},
                                     {2, 3, 1, 6},
                                     {2, 4, 2, 4},
                                     {2, 4, 4, 8},
                                     {2, 6, 3, 5},
                                     {3, 2, 1, 4},
                                     {3, 2, 2, 3},
                                     {3, 3, 1, 6},
                                     {3, 4, 2, 2},
                                     {3, 3, 3, 5}}) {
        const AttainedShape shape = plain_shape(L, d, H, N);
        const double proved = attained_log3(shape, 64)->log3.lower();
        arch::AttentionSpec spec;
        spec.depth = L;
        spec.width = d;
        spec.heads = H;
        spec.head_dim = d / H;
        spec.embedding_rank = d;
        const auto weights = nets::draw_attention(field, spec, N, 11);
        const nets::Attention network(field, weights);
        std::vector<std::size_t> left;
        for (std::int64_t i = 0; i < N / 2; ++i) left.push_back(static_cast<std::size_t>(i));
        const auto split =
            testing::split_columns(static_cast<std::size_t>(d), static_cast<std::size_t>(N), left);
        const auto samples = static_cast<std::size_t>(std::pow(3.0, proved) + 2);
        const auto rank = testing::sampled_rank(field, split, samples, 2, [&](const testing::FieldMatrix& x) {
            return network.forward(x)(0, 0);
        });
        EXPECT_GE(std::log(static_cast<double>(rank)) / std::log(3.0), proved - 1e-9) << shown_shape(shape);
    }
}

// The enclosure for one head and N >= 2d: never wider than a factor of 3.5, widest at d = 12,288, L = 28.
TEST(AttainedBounds, EnclosureOnTheGrid) {
    double least = 1;
    for (const std::int64_t d : {64, 128, 768, 2048, 12'288}) {
        for (const std::int64_t L : {4, 6, 8, 12, 16, 20, 24, 28, 33, 48, 96}) {
            const AttainedShape shape = plain_shape(L, d, 1, 2 * d);
            const double upper = full_bound_log3(L, d, 64).upper(), lower = fast::attained_log3(shape);
            EXPECT_LE(lower, upper) << shown_shape(shape);
            least = std::min(least, lower / upper);
        }
    }
    EXPECT_NEAR(least, 0.286, 5e-4);
}

// At real sizes, with heads, few positions and small ranks: certified and in doubles.
TEST(AttainedBounds, TheTwinAtRealSizes) {
    for_seeds(60, [](RandomStream& stream) {
        const std::int64_t d = 64 * random_between(stream, 1, 64), H = random_between(stream, 1, 32);
        const AttainedShape shape{random_between(stream, 2, 60),
                                  d,
                                  H,
                                  std::max<std::int64_t>(1, d / H),
                                  random_between(stream, 2, 3 * d),
                                  random_between(stream, 2, d)};
        const double value = attained_log3(shape, 64)->log3.middle();
        EXPECT_NEAR(fast::attained_log3(shape), value, 1e-6 * value) << shown_shape(shape);
        EXPECT_LE(value, full_bound_log3(shape.depth, shape.rank, 64).upper()) << shown_shape(shape);
        EXPECT_LE(value, heads_bound_log3(shape.depth, {d, H, shape.head_dim}, 64).upper())
            << shown_shape(shape);
    });
}

}  // namespace
}  // namespace plimsoll::theory

// The one number that every face prints: never above what is proved from above, never above a measured rank.
#include "plimsoll/theory/attainment/attained.h"

#include <gtest/gtest.h>

#include "plimsoll/nets/attention.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "tests/support/sampled_rank.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

std::string shown_shape(const AttainedShape& s) {
    return "L=" + std::to_string(s.depth) + " d=" + std::to_string(s.width) +
           " H=" + std::to_string(s.heads) + " da=" + std::to_string(s.head_dim) +
           " N=" + std::to_string(s.context) + " r=" + std::to_string(s.rank);
}

AttainedShape plain_shape(std::int64_t L, std::int64_t d, std::int64_t H, std::int64_t N) {
    return {L, d, H, d / H, N, d};
}

AttainedShape drawn_shape(RandomStream& stream) {
    const std::int64_t d = random_between(stream, 1, stream.below(3) == 0 ? 300 : 24);
    const std::int64_t H = random_between(stream, 1, std::min<std::int64_t>(d, 9));
    return {
        random_between(stream, 1, 14), d, H, random_between(stream, 1, d), random_between(stream, 1, 3 * d),
        random_between(stream, 1, d)};
}

double proved_upper(const AttainedShape& s) {
    const HeadShape heads{s.width, s.heads, s.head_dim};
    const double by_capacity = enclose_capacity(s.depth, std::min(s.width, s.rank), s.context).upper.upper();
    return std::min(by_capacity, heads_bound_log3(s.depth, heads, 64).upper());
}

TEST(AttainedLaws, NeverAboveTheProvedUpperBound) {
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

TEST(AttainedLaws, TheDoubleTwinIsTheSameNumber) {
    for_seeds(300, [](RandomStream& stream) {
        AttainedShape shape = drawn_shape(stream);
        if (stream.below(4) == 0) shape.depth += random_between(stream, 1, 1000);
        const auto attained = attained_log3(shape, 64);
        const double twin = fast::attained_log3(shape), value = attained ? attained->log3.middle() : 0;
        EXPECT_NEAR(twin, value, 1e-9 + 1e-6 * value) << shown_shape(shape);
    });
}

// More of anything never proves less.
TEST(AttainedLaws, Monotone) {
    for_seeds(200, [](RandomStream& stream) {
        const AttainedShape shape = drawn_shape(stream);
        const double here = fast::attained_log3(shape) * (1 - 1e-9);
        for (const auto member : {&AttainedShape::depth, &AttainedShape::heads, &AttainedShape::context}) {
            AttainedShape more = shape;
            ++(more.*member);
            EXPECT_LE(here, fast::attained_log3(more)) << shown_shape(shape);
        }
        AttainedShape wider = shape;
        ++wider.width;
        ++wider.rank;
        EXPECT_LE(here, fast::attained_log3(wider)) << shown_shape(shape);
    });
}

// What an embedding, small heads or few positions leave out is never used.
TEST(AttainedLaws, OnlyWhatIsReachedCounts) {
    for_seeds(100, [](RandomStream& stream) {
        AttainedShape shape = drawn_shape(stream);
        const double here = fast::attained_log3(shape);
        if (shape.context % 2 == 0) {
            ++shape.context;
            EXPECT_EQ(fast::attained_log3(shape), here);
            --shape.context;
        }
        shape.width += 100;
        EXPECT_EQ(fast::attained_log3(shape), here) << shown_shape(shape);
    });
}

// Random weights reach at least what is proved for almost all.
TEST(AttainedLaws, RanksOfDrawnNetworksReachIt) {
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

struct TableRow {
    AttainedShape shape;
    double log3;
    std::string id;
};

// ATTAINMENT section 7, to the digits printed there.
TEST(Attained, ValuesOfTheTable) {
    for (const auto& [shape, log3, id] : {TableRow{plain_shape(8, 128, 1, 256), 2323.4, "ATT-D3"},
                                          {plain_shape(24, 128, 1, 256), 91'380, "ATT-D2"},
                                          {plain_shape(6, 768, 1, 1536), 966.1, "ATT-D3"},
                                          {plain_shape(12, 768, 1, 1536), 129'218, "ATT-D3"},
                                          {plain_shape(19, 768, 1, 1536), 644'174, "ATT-D3"},
                                          {plain_shape(24, 768, 1, 1536), 2'007'549, "ATT-D2"},
                                          {plain_shape(24, 768, 12, 1536), 961'567, "ATT-D2-H"},
                                          {plain_shape(12, 768, 12, 1536), 40'734, "ATT-D2-H"},
                                          {plain_shape(6, 768, 12, 1536), 590, "ATT-E"}}) {
        const auto attained = attained_log3(shape, 64);
        ASSERT_TRUE(attained);
        EXPECT_NEAR(attained->log3.middle(), log3, 0.5e-3 * log3 + 0.06) << shown_shape(shape);
        EXPECT_EQ(attained->id, id) << shown_shape(shape) << " " << attained->route;
    }
}

TEST(Attained, SaysItsRoute) {
    const auto route = [](const AttainedShape& shape) { return attained_log3(shape, 64)->route; };
    EXPECT_EQ(route(plain_shape(24, 768, 1, 1536)), "L0 = 6, rho = 294476");
    EXPECT_EQ(route(plain_shape(24, 768, 12, 1536)), "(c) L0 = 3, rho = 88096");
    EXPECT_EQ(route(plain_shape(24, 768, 12, 2)), "n = 767");
    EXPECT_EQ(route({24, 768, 12, 64, 3, 50}), "n = 49");
    EXPECT_EQ(route({24, 768, 4, 384, 1536, 768}), "one head of 768, D2: L0 = 6, rho = 294476");
}

TEST(Attained, NothingWhereNothingIsProved) {
    EXPECT_FALSE(attained_log3(plain_shape(1, 64, 1, 128), 64));
    EXPECT_FALSE(attained_log3(plain_shape(4, 64, 1, 1), 64));
    EXPECT_FALSE(attained_log3(plain_shape(4, 1, 1, 8), 64));
    EXPECT_FALSE(attained_log3({4, 64, 1, 1, 8, 64}, 64));  // one head of size 1
    EXPECT_FALSE(attained_log3({4, 64, 8, 8, 8, 1}, 64));   // every token a multiple of one vector
    EXPECT_TRUE(attained_log3({4, 64, 64, 1, 8, 64}, 64));
    EXPECT_EQ(fast::attained_log3(plain_shape(1, 64, 1, 128)), 0);
}

}  // namespace
}  // namespace plimsoll::theory

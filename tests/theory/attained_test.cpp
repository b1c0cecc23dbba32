// The one number that every face prints: never above what is proved from above, never above a measured rank.
#include "plimsoll/theory/attainment/attained.h"

#include <gtest/gtest.h>

#include "tests/theory/drawn_shapes.h"

namespace plimsoll::theory {
namespace {

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
        const double here = fast::attained_log3(shape) * (1 - 1e-3);  // D3 follows rounded exponents
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

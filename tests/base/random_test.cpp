#include "plimsoll/base/random.h"

#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/check.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint64_t> draws(RandomStream stream, int count) {
    std::vector<std::uint64_t> out;
    for (int i = 0; i < count; ++i) out.push_back(stream.next());
    return out;
}

// The known answers that come with Random123 (Salmon et al. 2011).
TEST(Random, PhiloxGivesItsAuthorsAnswers) {
    EXPECT_THAT(philox_block({0, 0, 0, 0}, {0, 0}),
                ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
    EXPECT_THAT(philox_block({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
                ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
    EXPECT_THAT(philox_block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
                ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(Random, SeekingEqualsSkipping) {
    const auto all = draws(RandomStream(7, "weights"), 20);
    for (std::uint64_t start = 0; start < all.size(); ++start) {
        RandomStream stream(7, "weights");
        stream.next();
        stream.seek(start);
        EXPECT_EQ(stream.next(), all[start]) << start;
    }
}

TEST(Random, StreamsDifferByNameAndBySeed) {
    const auto one = draws(RandomStream(1, "weights"), 4);
    EXPECT_EQ(one, draws(RandomStream(1, "weights"), 4));
    EXPECT_NE(one, draws(RandomStream(1, "data"), 4));
    EXPECT_NE(one, draws(RandomStream(2, "weights"), 4));
}

TEST(Random, BelowStaysBelowAndTreatsAllAlike) {
    RandomStream stream(3, "below");
    std::map<std::uint64_t, int> seen;
    for (int i = 0; i < 60'000; ++i) ++seen[stream.below(6)];
    ASSERT_EQ(seen.size(), 6U);
    // 10 000 each with standard deviation 91; 5 of them either way, for this one seed.
    for (const auto& [value, count] : seen) EXPECT_NEAR(count, 10'000, 460) << value;
    EXPECT_EQ(stream.below(1), 0U);
    EXPECT_THROW(stream.below(0), Bug);
}

// With bound 3 * 2^62 a plain remainder would hit the lowest quarter twice as often as the rest.
TEST(Random, BelowHasNoBiasForHugeBounds) {
    RandomStream stream(4, "below");
    const std::uint64_t quarter = std::uint64_t{1} << 62, bound = 3 * quarter;
    int lowest = 0;
    for (int i = 0; i < 30'000; ++i) {
        const auto draw = stream.below(bound);
        ASSERT_LT(draw, bound);
        if (draw < quarter) ++lowest;
    }
    // A third of the draws, standard deviation 82; a biased draw would give half.
    EXPECT_NEAR(lowest, 10'000, 410);
}

TEST(Random, UniformFillsTheUnitInterval) {
    RandomStream stream(5, "uniform");
    double sum = 0;
    for (int i = 0; i < 10'000; ++i) {
        const double x = stream.uniform();
        ASSERT_TRUE(x >= 0 && x < 1);
        sum += x;
    }
    // The mean of 10 000 has standard deviation 0.0029; 5 of them.
    EXPECT_NEAR(sum / 10'000, 0.5, 0.0145);
}

}  // namespace
}  // namespace plimsoll

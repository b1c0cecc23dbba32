// Odd N has two balanced splits, the output on the larger or on the smaller side: no measured rank lies above
// the larger of their bounds.
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "tests/rank/rank_support.h"

namespace plimsoll::rank {
namespace {

using theory::Integer;

// The split whose side A, which holds the output at position 0, has `count` positions.
std::size_t rank_with_side(const std::string& spec, std::int64_t positions, std::int64_t count) {
    RankQuestion question = question_of(spec, positions);
    std::vector<std::string> left;
    for (std::int64_t i = 0; i < count; ++i) left.push_back(std::to_string(i));
    question.left = fmt::format("{}", fmt::join(left, ","));
    return rank_of(question);
}

struct Drawn {
    std::int64_t depth, width, heads, positions;
    [[nodiscard]] std::string spec() const {
        return fmt::format("attention:depth={},width={},heads={}", depth, width, heads);
    }
};

Drawn draw(RandomStream& stream) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(stream.below(n)); };
    Drawn drawn{.depth = 1 + below(3), .width = 1, .heads = 1, .positions = 3 + 2 * below(3)};
    drawn.width = drawn.depth == 3 ? 1 + below(2) : 1 + below(5);
    if (drawn.width % 2 == 0 && below(2) == 1) drawn.heads = 2;
    return drawn;
}

TEST(OddPositions, NoSplitHasMoreThanTheBound) {
    RandomStream stream(18, "odd-positions");
    for (int draws = 0; draws < 25; ++draws) {
        const Drawn net = draw(stream);
        const Integer balanced = theory::balanced_bound(net.depth, net.width, net.positions);
        for (std::int64_t a = 1; a < net.positions; ++a) {
            const auto rank =
                Integer(static_cast<std::int64_t>(rank_with_side(net.spec(), net.positions, a)));
            const Integer bound = theory::split_bound(net.depth, net.width, a, net.positions - a);
            SCOPED_TRACE(fmt::format("{} N={} |A|={}", net.spec(), net.positions, a));
            EXPECT_LE(rank, bound);
            EXPECT_LE(bound, balanced);
        }
    }
}

}  // namespace
}  // namespace plimsoll::rank

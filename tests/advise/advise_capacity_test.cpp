#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/theory/capacity/capacity.h"

namespace plimsoll::advise {
namespace {

// 1e-7: ten times the error that docs/measurements gives for the logarithms in doubles.
constexpr double tolerance = 1e-7;

TEST(AdviseCapacity, FastStaircaseIsTheCertifiedOne) {
    for (const std::int64_t depth : {1, 2, 4, 9, 17, 40}) {
        for (const std::int64_t entries : {1, 9, 300, 40'000, 4'000'000}) {
            for (const std::int64_t outputs : {1, 4, 500}) {
                const auto factors = theory::gram_count(depth);
                const double certified = theory::staircase_log3(factors, entries, outputs, 128).middle();
                const double fast = fast_staircase_log3(factors.to_double(), static_cast<double>(entries),
                                                        static_cast<double>(outputs));
                EXPECT_NEAR(fast, certified, tolerance * std::max(1.0, certified))
                    << depth << " " << entries << " " << outputs;
            }
        }
    }
}

TEST(AdviseCapacity, FastMixerIsTheCertifiedOne) {
    for (const std::int64_t side : {4, 64, 512}) {
        for (const std::int64_t blocks : {2, 3, 10, 60}) {
            const double certified = theory::mixer_rows_log3(side, 2 * side, 2 * blocks, 128).middle();
            const double fast =
                fast_mixer_log3(static_cast<double>(side * side), 2.0 * static_cast<double>(blocks));
            EXPECT_NEAR(fast, certified, tolerance * certified) << side << " " << blocks;
        }
    }
}

AdviceRequest bytes() {
    AdviceRequest request;
    request.vocab = 257;
    request.context = 2048;
    return request;
}

// CAPACITY 5.4: bytes, d = 768, N = 2048: 164,480 of 295,296 entries, 56 %.
TEST(AdviseCapacity, BytesLeaveAFewMoreThanHalfOfWidth768) {
    Layout layout;
    layout.depth = 24;
    layout.width = 768;
    EXPECT_EQ(input_rank(bytes(), layout), 257);
    EXPECT_NEAR(rank_share(bytes(), layout), 0.557, 0.0005);
    AdviceRequest words = bytes();
    words.vocab = 32000;
    EXPECT_EQ(rank_share(words, layout), 1);
    EXPECT_LT(layout_capacity(bytes(), layout), layout_capacity(words, layout));
}

// R7: r = d/2 with full positions leaves three quarters.
TEST(AdviseCapacity, HalfTheRankLeavesThreeQuarters) {
    AdviceRequest request = bytes();
    request.vocab = 32000;
    Layout layout;
    layout.depth = 24;
    layout.width = 2048;
    layout.embedding_rank = 1024;
    EXPECT_NEAR(rank_share(request, layout), 0.75, 0.001);
}

// CAPACITY 2: T(768, 1024) = 11.572; 6: n = m = 256 has its knee at log2(nm/e) = 14.56 layers.
TEST(AdviseCapacity, KneesAreTheOnesOfTheTables) {
    AdviceRequest request = bytes();
    request.context = 1024;
    Layout layout;
    layout.width = 768;
    EXPECT_NEAR(layout_knee(request, layout), 11.572, 0.001);
    request.family = AdviceFamily::mixer;
    layout.width = layout.tokens = 256;
    EXPECT_NEAR(2 * layout_knee(request, layout), 14.557, 0.001);
    EXPECT_EQ(layout_line(request, layout), 8);
}

TEST(AdviseCapacity, StringsOfGpt2AreCappedWhereTheTableSays) {
    AdviceRequest request = bytes();
    request.vocab = 50257;
    request.context = 1024;
    EXPECT_NEAR(*string_cap(request), 5045, 1);
    request.vocab = 0;
    EXPECT_FALSE(string_cap(request).has_value());
}

}  // namespace
}  // namespace plimsoll::advise

#include <gtest/gtest.h>

#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/wies_bounds.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

struct Ranks {
    std::int64_t L, r, re;
};

std::vector<Ranks> small_ranks() {
    std::vector<Ranks> all;
    for (std::int64_t L = 1; L <= 5; ++L) {
        for (std::int64_t r = 1; r <= 12; ++r) {
            for (const std::int64_t re : {0, 1, 2, 5, 12}) all.push_back({L, r, re});
        }
    }
    return all;
}

std::ostream& operator<<(std::ostream& out, const Ranks& x) {
    return out << "L=" << x.L << " r=" << x.r << " re=" << x.re;
}

TEST(WiesUpper, LogarithmsContainTheExactBounds) {
    for (const auto& x : small_ranks()) {
        const Ball t3 = wies_t3_log3(x.L, x.r, x.re, 64), tight = wies_t3_tight_log3(x.L, x.r, x.re, 64);
        EXPECT_TRUE(t3.contains(log3(Ball(wies_t3(x.L, x.r, x.re), 400)))) << x;
        EXPECT_TRUE(tight.contains(log3(Ball(wies_t3_tight(x.L, x.r, x.re), 400)))) << x;
        EXPECT_GE(t3.accuracy_bits(), 50);
        EXPECT_GE(tight.accuracy_bits(), 50);
    }
}

// (3^L/r + 1)^r (3^L/re + 1)^re <= (3^L + 1)^(r + re), equal iff r and re are at most 1.
TEST(WiesUpper, TheTightLineIsNeverAboveTheTheorem) {
    for (const auto& x : small_ranks()) {
        const Rational theorem = wies_t3(x.L, x.r, x.re), tight = wies_t3_tight(x.L, x.r, x.re);
        if (x.r <= 1 && x.re <= 1) {
            EXPECT_EQ(tight, theorem) << x;
        } else {
            EXPECT_LT(tight, theorem) << x;
        }
    }
}

// The closed form replaces the multiset by Lemma 3.
TEST(WiesUpper, TheClosedFormLiesAboveTheTheorem) {
    for (const auto& x : small_ranks()) {
        const Real theorem = [&](int bits) { return wies_t3_log3(x.L, x.r, x.re, bits); };
        const Real closed = [&](int bits) { return wies_t1_closed_log3(x.L, x.r, x.re, bits); };
        EXPECT_TRUE(certainly_less(theorem, closed)) << x;
    }
}

TEST(WiesUpper, RisesWithDepthAndRanks) {
    for (const auto& x : small_ranks()) {
        EXPECT_LT(wies_t3(x.L, x.r, x.re), wies_t3(x.L + 1, x.r, x.re));
        EXPECT_LT(wies_t3(x.L, x.r, x.re), wies_t3(x.L, x.r + 1, x.re));
        EXPECT_EQ(wies_t3(x.L, x.r, x.re + 1), wies_t3(x.L, x.r + 1, x.re));  // only the sum counts
    }
}

TEST(WiesLower, ConvolutionBoundIsLevinesWithTheRankForTheWidth) {
    for (std::int64_t L = 2; L <= 6; ++L) {
        for (std::int64_t r = 3; r <= 20; ++r) {
            for (std::int64_t H = 1; H < r; ++H) {
                const Ball ball = wies_lower_conv_log3(L, r, H, 64);
                EXPECT_TRUE(ball.overlaps(ms_lower_log3({L, r, H}, 64)));
                if ((r - H) % 2 == 0) {
                    EXPECT_EQ(wies_lower_conv(L, r, H), ms_lower({L, r, H}));
                }
                // d = floor((r-1-H)/2) is below (r-H)/2, so the vocabulary bound is the smaller.
                if (r - H < 3) continue;
                const Integer vocab = wies_lower_vocab(L, r, H);
                EXPECT_TRUE(wies_lower_vocab_log3(L, r, H, 64).contains(log3(Ball(vocab, 300))));
                const bool certainly_above = less(ball, log3(Ball(vocab, 64))) == Verdict::proved;
                EXPECT_FALSE(certainly_above);
            }
        }
    }
    EXPECT_EQ(wies_lower_vocab(3, 2, 2), Integer(0));  // no room: ((0, 3))
}

TEST(WiesLower, BoundsOfBothSidesAreInOrder) {
    for (std::int64_t L = 2; L <= 6; ++L) {
        for (std::int64_t r = 5; r <= 40; r += 2) {
            EXPECT_LT(wies_lower_conv(L, r, 1), wies_t3(L, r, 0)) << L << " " << r;
        }
    }
}

// E20: Lemma 4 as printed is Lemma 3 with the sign turned; what is meant holds everywhere.
TEST(WiesLemmaFour, TrueFormHoldsAndThePrintedOneNowhere) {
    int tested = 0, printed_holds = 0;
    for (std::int64_t n = 1; n <= 60; ++n) {
        for (std::int64_t k = 0; k <= 400; k += 7) {
            const Real value = log3_of(multiset(n, k));
            const Real printed = [&](int bits) { return wies_lemma4_printed_log3(n, k, bits); };
            if (!certainly_less(value, printed)) ++printed_holds;
            ++tested;
            if (n < 2) continue;
            const Real meant = [&](int bits) { return wies_lemma4_true_log3(n, k, bits); };
            // ((n, 0)) = 1 and ((2, k)) = k + 1 are met exactly.
            if (n == 2 || k == 0) {
                EXPECT_TRUE(meant(128).overlaps(value(128)));
            } else {
                EXPECT_TRUE(certainly_less(meant, value)) << n << " " << k;
            }
        }
    }
    EXPECT_EQ(tested, 3480);
    EXPECT_EQ(printed_holds, 0);
}

TEST(WiesLemmaFour, IsOneOfTheTwoFormsOfLevine) {
    for (std::int64_t n = 2; n <= 30; ++n) {
        for (std::int64_t k = 1; k <= 30; ++k) {
            // (k/(n-1) + 1)^(n-1) = ((n+k-1)/(n-1))^(n-1)
            const Ball larger = multiset_lower_log3(n, k, 128), this_one = wies_lemma4_true_log3(n, k, 128);
            EXPECT_NE(less(larger, this_one), Verdict::proved);
            if (k >= n) {
                EXPECT_TRUE(larger.overlaps(this_one)) << n << " " << k;
            }
        }
    }
}

TEST(WiesRecipe, LearningRateWarmsUpAndFallsToZero) {
    const auto rate = [](std::int64_t step) { return wies_learning_rate(step, 128); };
    EXPECT_TRUE(rate(0).contains(Rational(0)));
    EXPECT_TRUE(rate(6000).contains(Rational(Integer(8), Integer(10'000))));
    EXPECT_TRUE(rate(12'000).contains(Rational(Integer(16), Integer(10'000))));
    EXPECT_TRUE(rate(506'000).contains(Rational(Integer(8), Integer(10'000))));  // half way down the cosine
    EXPECT_TRUE(rate(1'000'000).contains(Rational(0)));
    EXPECT_TRUE(rate(2'000'000).contains(Rational(0)));
    for (std::int64_t step = 0; step < 12'000; step += 500) {
        EXPECT_EQ(less(rate(step), rate(step + 500)), Verdict::proved);
    }
    for (std::int64_t step = 12'000; step < 1'000'000; step += 38'000) {
        EXPECT_EQ(less(rate(step + 38'000), rate(step)), Verdict::proved);
    }
}

TEST(WiesOrder, UsesTheSmallerOfRankAndWidth) {
    EXPECT_EQ(wies_t2_order(12, 500, 680, 2), Integer(12 * 498));
    EXPECT_EQ(wies_t2_order(12, 1080, 680, 2), Integer(12 * 678));
    // N = r L / log3 r: at r = 3^5 the logarithm is 5.
    EXPECT_TRUE(wies_conjectured_context(243, 10, 128).contains(Rational(486)));
}

// The sizes of Tables 3 and 5 pair up (SPEC WIES-TAB3, WIES-TAB5): every row is there and none is empty.
TEST(WiesTables, EveryTableIsPresentAsPrinted) {
    std::vector<std::string> ids;
    for (const auto& row : wies_tables()) {
        EXPECT_FALSE(row.setting.empty());
        EXPECT_FALSE(row.value.empty());
        ids.emplace_back(row.id);
    }
    for (const char* id : {"WIES-TAB1", "WIES-TAB2", "WIES-TAB3", "WIES-TAB4", "WIES-TAB5"}) {
        EXPECT_NE(std::count(ids.begin(), ids.end(), id), 0) << id;
    }
    EXPECT_EQ(std::count(ids.begin(), ids.end(), "WIES-TAB3"), 10);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), "WIES-TAB2"), 3);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), "WIES-TAB4"), 5);
}

}  // namespace
}  // namespace plimsoll::theory

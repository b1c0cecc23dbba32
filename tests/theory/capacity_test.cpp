#include "plimsoll/theory/capacity/capacity.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

Integer ambient(std::int64_t d) { return RankVariety{d, d}.ambient(); }

// sum_k min(((D, k)), d ((D, C-k))), term by term.
Integer literal_full(std::int64_t depth, std::int64_t d) {
    const std::int64_t C = gram_count(depth).to_int64();
    Integer sum = 0;
    for (std::int64_t k = 0; k <= C; ++k) {
        sum += std::min(multiset(ambient(d), k), Integer(d) * multiset(ambient(d), C - k));
    }
    return sum;
}

// min over tau of ((n+1, tau-1)) + w ((n+1, C-tau)), by trying every tau.
Integer literal_staircase(const Integer& C, const Integer& n, const Integer& w) {
    Integer best = -1;
    for (Integer tau = 0; tau <= C + 1; tau += 1) {
        const Integer value = multiset(n + 1, tau - 1) + w * multiset(n + 1, C - tau);
        if (best < 0 || value < best) best = value;
    }
    return best;
}

TEST(FullBound, IsTheLiteralSumOfMinima) {
    for (std::int64_t L = 1; L <= 3; ++L) {
        for (std::int64_t d = 1; d <= 6; ++d)
            EXPECT_EQ(full_bound(L, d), literal_full(L, d)) << L << " " << d;
    }
    EXPECT_EQ(full_bound(4, 3), Integer(679'581));
    EXPECT_EQ(full_bound(4, 3), literal_full(4, 3));
    EXPECT_EQ(full_bound(3, 5), Integer(248'064));
    EXPECT_EQ(full_bound(3, 6), literal_full(3, 6));
}

TEST(FullBound, IsTheSplitBoundOnceEachSideHoldsTheWidth) {
    for (std::int64_t L = 1; L <= 4; ++L) {
        for (std::int64_t d = 1; d <= 6; ++d) {
            EXPECT_EQ(full_bound(L, d), split_bound(L, d, d, d));
            EXPECT_EQ(full_bound(L, d), split_bound(L, d, d + 2, d + 1));
            EXPECT_EQ(full_bound(L, d), fix_t4(L, d, d, d));
        }
    }
}

TEST(Staircase, IsTheMinimumOverEveryCut) {
    for (const std::int64_t C : {0, 1, 2, 4, 13, 40, 121}) {
        for (const std::int64_t n : {0, 1, 2, 5, 9, 30}) {
            for (const std::int64_t w : {1, 2, 5, 100, 1'000'000}) {
                const Integer exact_value = literal_staircase(C, n, w);
                EXPECT_EQ(staircase_bound(C, n, w), exact_value) << C << " " << n << " " << w;
                const Ball ball = staircase_log3(C, n, w, 64);
                EXPECT_TRUE(ball.contains(log3(Ball(exact_value, 300)))) << C << " " << n << " " << w;
            }
        }
    }
}

TEST(Staircase, RandomSizesToo) {
    for_seeds(60, [](RandomStream& stream) {
        const Integer C = random_between(stream, 0, 400), n = random_between(stream, 0, 500),
                      w = random_between(stream, 1, 100'000);
        const Integer exact_value = literal_staircase(C, n, w);
        EXPECT_EQ(staircase_bound(C, n, w), exact_value) << C.text() << " " << n.text() << " " << w.text();
        EXPECT_TRUE(staircase_log3(C, n, w, 64).contains(log3(Ball(exact_value, 300))));
    });
}

// The exact integer and the logarithm at sizes where both can be had and at many bits.
TEST(Staircase, LogarithmContainsTheExactBound) {
    for (std::int64_t L = 1; L <= 9; ++L) {
        for (const std::int64_t d : {1, 2, 3, 5, 8, 13, 40, 100}) {
            if (L > 7 && d > 13) continue;
            const Integer exact_value = full_bound(L, d);
            for (const int bits : {53, 64, 200}) {
                const Ball ball = full_bound_log3(L, d, bits);
                EXPECT_TRUE(ball.contains(log3(Ball(exact_value, 400)))) << L << " " << d << " " << bits;
                EXPECT_GE(ball.accuracy_bits(), bits - 14) << L << " " << d << " " << bits;
            }
        }
    }
    // Deep and narrow: C far beyond 64 bits, and still exact.
    for (const std::int64_t L : {45, 80, 120}) {
        for (const std::int64_t d : {1, 2, 3}) {
            EXPECT_TRUE(full_bound_log3(L, d, 64).contains(log3(Ball(full_bound(L, d), 400))))
                << L << " " << d;
        }
    }
}

// The issue asks for 1e-12 at any size: width 20,000, depth 200.
TEST(Staircase, RelativeWidthIsBelowOneInATrillionAtAnySize) {
    for (const std::int64_t d : {2, 64, 1024, 20'000, 1'000'000}) {
        for (const std::int64_t L : {1, 2, 5, 8, 12, 16, 17, 18, 20, 24, 48, 96, 200, 1000}) {
            const Ball kappa = full_bound_log3(L, d, 64);
            EXPECT_LE((kappa.upper() - kappa.lower()) / kappa.upper(), 1e-12) << L << " " << d;
            // More bits tell the same number: two ways, since the bracket of the cut depends on the bits.
            EXPECT_TRUE(kappa.overlaps(full_bound_log3(L, d, 256))) << L << " " << d;
        }
    }
    // CAP-kappa_full of capacity_vectors.json.
    const auto stored = Ball::from_text("36451858149.54001783463458", 128);
    const Ball error = abs(full_bound_log3(200, 20'000, 128) - *stored);
    EXPECT_EQ(less(error, Ball::from_double(1e-14, 128)), Verdict::proved);
}

TEST(FullBound, RisesWithDepthAndWidth) {
    for (const std::int64_t d : {2, 16, 768, 4096, 12'288}) {
        for (std::int64_t L = 1; L <= 40; L += 3) {
            const Real here = [&](int bits) { return full_bound_log3(L, d, bits); };
            const Real deeper = [&](int bits) { return full_bound_log3(L + 1, d, bits); };
            const Real wider = [&](int bits) { return full_bound_log3(L, d + 1, bits); };
            EXPECT_TRUE(certainly_less(here, deeper)) << L << " " << d;
            EXPECT_TRUE(certainly_less(here, wider)) << L << " " << d;
        }
    }
}

TEST(SplitBound, IsNeverAboveTheBoundItSharpens) {
    for (std::int64_t L = 1; L <= 4; ++L) {
        for (std::int64_t d = 1; d <= 5; ++d) {
            for (std::int64_t a = 1; a <= d + 1; ++a) {
                for (std::int64_t b = 1; b <= d + 1; ++b) {
                    const Integer split = split_bound(L, d, a, b);
                    EXPECT_LE(split, fix_t4(L, d, a, b));
                    EXPECT_LE(split, full_bound(L, d));
                    EXPECT_LE(split, split_bound(L, d, a + 1, b));
                    EXPECT_LE(split, split_bound(L, d, a, b + 1));
                    EXPECT_LE(split, split_bound(L + 1, d, a, b));
                    EXPECT_LE(split, split_bound(L, d + 1, a, b));
                }
            }
        }
    }
}

// One position a side: sum_k min(((d, 2k)), ((d, 2(C-k)+1))) = ((d+1, C)) at every depth of RANKS.md.
TEST(SplitBound, TwoPositionsHaveTheBinomial) {
    for (std::int64_t L = 1; L <= 3; ++L) {
        for (std::int64_t d = 1; d <= 9; ++d) {
            EXPECT_EQ(split_bound(L, d, 1, 1), multiset(d + 1, gram_count(L)));
            EXPECT_EQ(fix_t4(L, d, 1, 1), multiset(d + 1, gram_count(L)));
        }
    }
}

struct Measured {
    std::int64_t L, d, H, head_dim, a, b;
    std::int64_t rank;
};

// Exact ranks of random networks (RANKS.md section 1, ERRATA section 1, CAPACITY 1.2), balanced unless a !=
// b.
const std::vector<Measured> measured_ranks{
    {1, 2, 1, 2, 2, 2, 3},      {1, 3, 1, 3, 3, 3, 4},      {1, 4, 2, 2, 4, 4, 5},
    {2, 2, 1, 2, 1, 1, 15},     {2, 2, 1, 2, 2, 2, 18},     {2, 2, 2, 1, 2, 2, 17},
    {2, 3, 1, 3, 1, 1, 35},     {2, 3, 1, 3, 2, 2, 49},     {2, 3, 1, 3, 3, 3, 49},
    {2, 3, 3, 1, 3, 3, 43},     {2, 4, 1, 4, 4, 4, 110},    {2, 4, 2, 2, 4, 4, 107},
    {2, 4, 4, 1, 4, 4, 85},     {2, 4, 1, 4, 2, 2, 110},    {2, 5, 1, 5, 4, 4, 216},
    {2, 6, 1, 6, 4, 4, 385},    {2, 7, 1, 7, 4, 4, 638},    {2, 8, 1, 8, 4, 4, 999},
    {2, 9, 1, 9, 4, 4, 1495},   {2, 6, 2, 3, 4, 4, 379},    {2, 8, 2, 4, 4, 4, 989},
    {2, 6, 6, 1, 4, 4, 231},    {2, 8, 8, 1, 4, 4, 489},    {3, 1, 1, 1, 1, 1, 14},
    {3, 2, 1, 2, 1, 1, 105},    {3, 2, 2, 1, 1, 1, 105},    {3, 2, 1, 2, 2, 2, 232},
    {3, 2, 2, 1, 2, 2, 215},    {3, 3, 1, 3, 1, 1, 560},    {3, 3, 1, 3, 2, 2, 2640},
    {3, 3, 1, 3, 3, 3, 3102},   {3, 4, 1, 4, 1, 1, 2380},   {3, 4, 1, 4, 2, 2, 20'936},
    {3, 4, 1, 4, 4, 4, 31'456}, {3, 4, 2, 2, 4, 4, 31'095}, {3, 3, 1, 3, 2, 4, 2850},
    {3, 3, 3, 1, 3, 3, 2441},   {4, 2, 2, 1, 2, 2, 4263},
};

TEST(SplitBound, NoMeasuredRankExceedsIt) {
    for (const auto& m : measured_ranks) {
        const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                           "L=" + std::to_string(m.L) + " d=" + std::to_string(m.d) +
                                               " a=" + std::to_string(m.a) + " b=" + std::to_string(m.b));
        const Integer split = split_bound(m.L, m.d, m.a, m.b);
        EXPECT_LE(Integer(m.rank), split);
        EXPECT_LE(Integer(m.rank), fix_t4(m.L, m.d, m.a, m.b));
        EXPECT_LE(Integer(m.rank), heads_bound(m.L, {m.d, m.H, m.head_dim}));
        EXPECT_LE(Integer(m.rank), t3_upper({m.L, m.d, m.H}));
        // With one head the bound is met, up to the defect of section 4 (L = 3, d = 4).
        if (m.H == 1 && !(m.L == 3 && m.d == 4 && m.a > 1)) {
            EXPECT_EQ(Integer(m.rank), split);
        }
    }
}

TEST(SplitBound, SharpensTheValuesOfCapacity12) {
    EXPECT_EQ(fix_t4(3, 3, 2, 2), Integer(2808));
    EXPECT_EQ(split_bound(3, 3, 2, 2), Integer(2640));
    EXPECT_EQ(fix_t4(3, 4, 2, 2), Integer(23'340));
    EXPECT_EQ(split_bound(3, 4, 2, 2), Integer(20'940));
    EXPECT_EQ(fix_t4(3, 3, 2, 4), Integer(3018));
    EXPECT_EQ(split_bound(3, 3, 2, 4), Integer(2850));
    EXPECT_EQ(split_bound(3, 4, 3, 3), Integer(30'910));
    EXPECT_EQ(split_bound(3, 5, 4, 4), Integer(247'848));
}

// Section 4: the four rank-one points that L = 3, H = 1 misses.
TEST(Defect, ExplainsTheRanksThatFallShort) {
    EXPECT_EQ(defect_rank_one(2), Integer(0));
    EXPECT_EQ(defect_rank_one(3), Integer(0));
    EXPECT_EQ(defect_rank_one(4), Integer(4));
    EXPECT_EQ(defect_rank_one(5), Integer(56));
    EXPECT_EQ(defect_rank_one(6), Integer(421));
    EXPECT_EQ(full_bound(3, 4) - defect_rank_one(4), Integer(31'456));
    EXPECT_EQ(split_bound(3, 4, 2, 2) - defect_rank_one(4), Integer(20'936));
    // |B| = 1, piece 7: forms of degree 14 less the points, as measured.
    EXPECT_EQ(multiset(4, 14) - defect_rank_one(4), Integer(676));
    EXPECT_EQ(multiset(5, 14) - defect_rank_one(5), Integer(3004));
    EXPECT_EQ(multiset(6, 14) - defect_rank_one(6), Integer(11'207));
}

// Coefficient of t^14 in (1 - t^2)^2 / (1 - t)^(d-1), by multiplying out.
TEST(Defect, IsTheCoefficientOfItsSeries) {
    for (std::int64_t d = 2; d <= 12; ++d) {
        std::vector<Integer> series;
        for (std::int64_t k = 0; k <= 14; ++k) series.push_back(multiset(d - 1, k));
        for (int factor = 0; factor < 2; ++factor) {
            for (std::size_t k = 14; k >= 2; --k) series[k] -= series[k - 2];
        }
        EXPECT_EQ(defect_rank_one(d), series[14]) << d;
    }
}

// CAPACITY 5.1: measured ranks with embedding rank r and e positional directions outside it.
TEST(Positions, BoundIsTheMeasuredRank) {
    const std::int64_t one_outside[] = {12, 39, 95, 195, 357};
    for (std::int64_t r = 1; r <= 5; ++r) EXPECT_EQ(positional_bound(2, r, 1), Integer(one_outside[r - 1]));
    EXPECT_EQ(positional_bound(2, 3, 3), Integer(200));
    EXPECT_EQ(positional_bound(2, 4, 2), Integer(285));
    EXPECT_EQ(positional_bound(2, 5, 1), Integer(357));
    EXPECT_EQ(positional_bound(2, 1, 3), Integer(25));
    EXPECT_EQ(positional_bound(2, 2, 2), Integer(60));
    EXPECT_EQ(positional_bound(2, 3, 1), Integer(95));
    EXPECT_EQ(positional_bound(3, 1, 1), Integer(75));
    EXPECT_EQ(positional_bound(3, 2, 1), Integer(1548));
    EXPECT_EQ(positional_bound(3, 1, 3), Integer(582));
    for (std::int64_t r = 1; r <= 6; ++r) EXPECT_EQ(positional_bound(2, r, 0), full_bound(2, r));
}

TEST(Positions, EntriesOfShortSides) {
    EXPECT_EQ(embedded_entries(3, 2, 5), Integer(6 + 6));
    EXPECT_EQ(embedded_entries(3, 2, 100), Integer(6 + 6));
    EXPECT_EQ(embedded_entries(3, 5, 4), Integer(12));     // q <= e: r q
    EXPECT_EQ(embedded_entries(2, 4, 5), Integer(8 + 2));  // s = 1: r e + r
    EXPECT_EQ(embedded_entries(2, 4, 6), Integer(8 + 3));  // s = 2 = r
    for (std::int64_t r = 1; r <= 6; ++r) {
        for (std::int64_t e = 0; e <= 6; ++e) {
            for (std::int64_t q = 1; q <= 14; ++q) {
                EXPECT_LE(embedded_entries(r, e, q), embedded_entries(r, e, q + 1));
                EXPECT_LE(embedded_entries(r, e, q), Integer(q * r));  // q free vectors of r entries
            }
        }
    }
}

// CAPACITY 5.2: ranks measured over discrete tokens without positions, (L, V, r).
TEST(Tokens, BoundIsTheMeasuredRank) {
    struct Row {
        std::int64_t L, V, r, rank;
    };
    for (const auto& [L, V, r, rank] : {Row{2, 2, 2, 5},
                                        {2, 3, 3, 13},
                                        {2, 4, 4, 24},
                                        {2, 6, 3, 39},
                                        {2, 8, 3, 49},
                                        {2, 4, 2, 18},
                                        {2, 5, 4, 35},
                                        {3, 2, 2, 14},
                                        {2, 7, 4, 56},
                                        {2, 10, 4, 95},
                                        {2, 11, 4, 110},
                                        {3, 3, 2, 75}}) {
        EXPECT_EQ(staircase_bound(gram_count(L), token_entries(V, r, 0, 0), r), Integer(rank))
            << L << " " << V << " " << r;
    }
}

// CAPACITY 5.4, what binds.
TEST(Tokens, EntriesOfTheExamples) {
    EXPECT_EQ(token_entries(257, 257, 0, 0), Integer(256));
    // Bytes with learned positions, d = 768: V - 1 + r r_e - binom(t, 2) = 164,736, capped at 164,480.
    EXPECT_EQ(token_entries(257, 257, 768, 257), Integer(164'480));
    EXPECT_EQ(Integer(256) + Integer(257) * 768 - binomial(257, 2), Integer(164'736));
    // 33 tokens: 32 counts and 32 sums of positions are free; 0.1.0 counted 33 of the latter (16,928).
    EXPECT_EQ(token_entries(33, 33, 512, 0), Integer(32 + 32 * 512));
    // findings/vocabulary.md: with r = V = 2 and one positional direction two numbers are free, not three.
    EXPECT_EQ(token_entries(2, 2, 1, 0), Integer(2));
    EXPECT_EQ(token_entries(32'000, 4096, 1024, 1024), Integer(31'999 + 4'194'304 - 523'776));
    EXPECT_EQ((RankVariety{768, 98}.dimension()), Integer(70'511));
    EXPECT_EQ((RankVariety{1280, 98}.dimension()), Integer(120'687));
    EXPECT_EQ((RankVariety{4096, 1024}.dimension()), Integer(3'670'528));
}

TEST(StringCap, IsHalfTheContextTimesTheLogarithm) {
    EXPECT_TRUE(string_cap_log3(10, 3, 128).contains(Rational(5)));
    EXPECT_TRUE(string_cap_log3(4, 9, 128).contains(Rational(4)));
    EXPECT_NEAR(string_cap_log3(1024, 50'257, 64).middle(), 5045, 0.5);
    EXPECT_NEAR(string_cap_log3(2048, 32'000, 64).middle(), 9669, 0.5);
    EXPECT_TRUE(string_cap_log3(10, 1, 64).contains(Rational(0)));
    EXPECT_TRUE(string_cap_log3(11, 3, 128).contains(Rational(5)));  // the smaller side counts
}

// RANKS.md section 2, measured; rows are the sup and columns the token split.
TEST(Mixers, BoundsAreTheMeasuredRanks) {
    const std::int64_t rows_2x2[] = {3, 9, 25, 81, 289, 1089}, cols_2x2[] = {1, 3, 9, 25, 81, 289};
    for (std::int64_t p = 1; p <= 6; ++p) {
        EXPECT_EQ(mixer_rows_bound(2, 2, p), Integer(rows_2x2[p - 1]));
        EXPECT_EQ(mixer_cols_bound(2, 2, p), Integer(cols_2x2[p - 1]));
    }
    const std::int64_t rows_2x4[] = {3, 20, 105, 825, 8721}, cols_2x4[] = {1, 3, 9, 105, 825};
    for (std::int64_t p = 1; p <= 5; ++p) {
        EXPECT_EQ(mixer_rows_bound(2, 4, p), Integer(rows_2x4[p - 1]));
        EXPECT_EQ(mixer_cols_bound(2, 4, p), Integer(cols_2x4[p - 1]));
    }
    EXPECT_EQ(mixer_rows_bound(4, 4, 3), Integer(660));
    EXPECT_EQ(mixer_rows_bound(4, 4, 4), Integer(19'305));
    EXPECT_EQ(mixer_cols_bound(4, 4, 3), Integer(20));
    EXPECT_EQ(mixer_cols_bound(4, 4, 4), Integer(660));
    EXPECT_EQ(mixer_rows_bound(2, 6, 4), Integer(4719));
    EXPECT_GE(mixer_cols_bound(2, 8, 4), Integer(653));  // measured 653 of 660
    EXPECT_EQ(mixer_cols_bound(2, 8, 4), Integer(660));
}

TEST(Mixers, LogarithmsContainTheExactBoundsAndRise) {
    for (std::int64_t n = 2; n <= 8; n += 2) {
        for (std::int64_t m = 2; m <= 8; m += 2) {
            for (std::int64_t p = 1; p <= 9; ++p) {
                const Integer rows = mixer_rows_bound(n, m, p), cols = mixer_cols_bound(n, m, p);
                EXPECT_TRUE(mixer_rows_log3(n, m, p, 64).contains(log3(Ball(rows, 300))));
                EXPECT_TRUE(mixer_cols_log3(n, m, p, 64).contains(log3(Ball(cols, 300))));
                EXPECT_LE(cols, rows);
                EXPECT_LT(rows, mixer_rows_bound(n, m, p + 1));
                // From p = 4 on columns lag exactly one layer.
                if (p >= 4) {
                    EXPECT_EQ(cols, mixer_rows_bound(n, m, p - 1));
                }
            }
        }
    }
    // M(k, p) is the literal sum of minima over the degrees of the two sides.
    for (std::int64_t k = 1; k <= 6; ++k) {
        for (std::int64_t p = 3; p <= 5; ++p) {
            Integer literal = 0;
            const std::int64_t degree = std::int64_t{1} << p;
            for (std::int64_t i = 0; i <= degree; ++i)
                literal += std::min(multiset(k, i), multiset(k, degree - i));
            EXPECT_EQ(mixer_rows_bound(2, k, p), literal) << k << " " << p;
        }
    }
}

// CAPACITY section 2.
TEST(Knee, ValuesOfTheTable) {
    const auto near = [](std::int64_t d, std::int64_t N, double expected) {
        EXPECT_NEAR(knee_depth({d, N / 2}, 64).middle(), expected, 6e-4) << d << " " << N;
    };
    near(768, 1024, 11.572);
    near(1024, 1024, 11.839);
    near(1600, 1024, 12.229);
    near(4096, 2048, 13.704);
    near(12'288, 2048, 14.654);
    near(12'288, 8192, 15.980);
    near(768, 196, 10.011);
    near(4096, 196, 11.487);
    near(2048, 2, 6.66 + 0.0015);
}

TEST(Knee, ClosedFormsAtBothEnds) {
    for (const std::int64_t d : {2, 10, 768, 20'000}) {
        // N >= 2d: log3(2 d (d+1) / e).
        const Ball full = log3(Ball(Integer(2) * d * (d + 1), 128) / Ball::euler_e(128));
        EXPECT_TRUE(full.overlaps(knee_depth({d, d}, 128)));
        EXPECT_TRUE(full.overlaps(knee_depth({d, 3 * d}, 128)));
        // N = 2: delta = d, deg = 2^(d-1), so log3(4d/e) - (d-1) log3(2) / d.
        const Ball two = log3(Ball(4 * d, 128) / Ball::euler_e(128)) -
                         Ball(Rational(Integer(d - 1), Integer(d)), 128) * log3(Ball(2, 128));
        EXPECT_TRUE(two.overlaps(knee_depth({d, 1}, 128))) << d;
    }
    EXPECT_TRUE(mixer_knee(16, 16, 64).overlaps(Ball(8, 64) - log(Ball::euler_e(64)) / log(Ball(2, 64))));
}

// CAPACITY section 2: at P = 12 L d^2 the share of the limit P / 24 that depth 2T reaches is about a half.
TEST(Knee, HalfTheLimitAtTwiceTheKnee) {
    const double P = 1e9;
    const std::int64_t L = 27;
    const auto d = static_cast<std::int64_t>(std::sqrt(P / (12.0 * static_cast<double>(L))));
    EXPECT_NEAR(full_bound_log3(L, d, 64).middle() / (P / 24), 0.5, 0.02);
}

}  // namespace
}  // namespace plimsoll::theory

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "plimsoll/theory/capacity/fast_capacity.h"
#include "plimsoll/theory/capacity/hilbert_bounds.h"
#include "plimsoll/theory/capacity/selberg_bound.h"
#include "plimsoll/theory/capacity/young_shape.h"
#include "tests/theory/laws.h"
#include "tests/theory/widest.h"

namespace plimsoll::theory {
namespace {

// ln of the exact cumulative Hilbert function.
Ball exact_log(const HilbertFunction& forms, const Integer& degree) {
    return log(Ball(forms.cumulative(degree), 256));
}

std::vector<Integer> degrees_for(const RankVariety& v) {
    std::vector<Integer> out{0, 1, 2, 3, v.q, v.q + 1, v.h_length(), v.h_length() + 1};
    for (std::int64_t k = 5; k < 1'000'000'000; k = k * 9 / 4) out.emplace_back(k);
    out.push_back(pow(Integer(10), 40));
    return out;
}

struct Case {
    RankVariety variety;
    std::string name;
};

std::vector<Case> varieties(std::int64_t top, std::int64_t step) {
    std::vector<Case> all;
    for (std::int64_t d = 2; d <= top; d += d < 9 ? 1 : step) {
        for (std::int64_t q = 1; q < d; q += d < 9 ? 1 : step) {
            if (!exact_is_feasible({d, q})) continue;
            all.push_back({{d, q}, "d=" + std::to_string(d) + " q=" + std::to_string(q)});
        }
    }
    return all;
}

void expect_below(const Ball& bound, const Ball& exact_value, const std::string& what) {
    EXPECT_NE(less(exact_value, bound), Verdict::proved) << what << " lies above the exact value";
}
void expect_above(const Ball& bound, const Ball& exact_value, const std::string& what) {
    EXPECT_NE(less(bound, exact_value), Verdict::proved) << what << " lies below the exact value";
}

// Every bound on the right side of the exact number, one by one.
TEST(CumulativeForms, EveryBoundIsOnTheRightSideOfTheExactValue) {
    for (const auto& [v, name] : varieties(24, 5)) {
        const HilbertFunction forms = invariant_forms(v);
        CumulativeForms bounds(v, 64);
        for (const auto& k : degrees_for(v)) {
            const ::testing::ScopedTrace trace(__FILE__, __LINE__, name + " K=" + k.text());
            const Ball truth = exact_log(forms, k);
            expect_below(bounds.first_numbers_lower(k), truth, "first numbers (L2)");
            if (Rational(k) >= v.h_mean()) expect_below(bounds.jensen_lower(k), truth, "Jensen (L1)");
            if (const auto tilted = bounds.tilted_lower(k)) expect_below(*tilted, truth, "tilt (L5)");
            expect_above(bounds.ring_upper(k), truth, "ring (U1)");
            expect_above(bounds.degree_upper(k), truth, "degree (U2)");
            expect_below(bounds.lower(k), truth, "lower");
            expect_above(bounds.upper(k), truth, "upper");
            if (::testing::Test::HasFailure()) return;
        }
    }
}

// The two that search (in doubles, hence degrees below 2^53).
TEST(CumulativeForms, SearchedBoundsAreOnTheRightSideToo) {
    for (const auto& [v, name] : varieties(24, 7)) {
        const HilbertFunction forms = invariant_forms(v);
        CumulativeForms bounds(v, 64);
        for (const std::int64_t k : {1, 3, 10, 40, 200, 3000, 100'000}) {
            const ::testing::ScopedTrace trace(__FILE__, __LINE__, name + " K=" + std::to_string(k));
            const Ball truth = exact_log(forms, k);
            expect_below(bounds.diagram_lower(k), truth, "diagram (L4)");
            expect_above(selberg_upper(v, k, 64), truth, "Selberg (U5)");
            expect_below(bounds.lower(k), truth, "lower with diagrams");
            expect_above(bounds.upper(k), truth, "upper with Selberg");
            if (::testing::Test::HasFailure()) return;
        }
    }
}

// Wide and flat, far outside the square above: d = 40, 60, 100 with few positions.
TEST(CumulativeForms, HoldForWideMatricesOfSmallRank) {
    for (const auto& v : {RankVariety{40, 4}, RankVariety{40, 6}, RankVariety{100, 3}, RankVariety{200, 2},
                          RankVariety{60, 1}}) {
        const HilbertFunction forms = invariant_forms(v);
        CumulativeForms bounds(v, 64);
        for (const std::int64_t k : {8, 64, 512, 4096, 16'384}) {
            const Ball truth = exact_log(forms, k);
            expect_below(bounds.lower(k), truth, "lower");
            expect_above(bounds.upper(k), truth, "upper");
            if (const auto tilted = bounds.tilted_lower(k)) expect_below(*tilted, truth, "tilt");
            expect_above(selberg_upper(v, k, 64), truth, "Selberg");
            expect_above(bounds.degree_upper(k), truth, "degree");
        }
    }
}

// The certified ends for small shapes, as the large ones use them: sum_k min(h_B(k), a_A(C-k)) lies between
// the cumulative lower bound (doubled for odd C) and the two cumulative upper bounds.
TEST(CumulativeForms, EncloseTheSplitBound) {
    for (std::int64_t L = 2; L <= 5; ++L) {
        for (std::int64_t d = 2; d <= 8; ++d) {
            for (std::int64_t q = 1; q < d; ++q) {
                const Integer C = gram_count(L), half = floor_div(C, 2);
                CumulativeForms bounds(RankVariety{d, q}, 64);
                const Ball truth = log(Ball(split_bound(L, d, q, q), 256));
                const Ball doubled = half + half == C ? Ball(0, 64) : log(Ball(2, 64));
                expect_below(bounds.lower(half) + doubled, truth, "lower");
                const Ball upper =
                    log_add_exp(bounds.upper(half), log(Ball(d, 64)) + bounds.upper(C - half - 1));
                expect_above(upper, truth, "upper");
            }
        }
    }
}

TEST(Enclosure, ContainsTheExactBoundOfSmallShapes) {
    for (std::int64_t L = 1; L <= 6; ++L) {
        for (std::int64_t d = 1; d <= 9; ++d) {
            for (std::int64_t N = 2; N <= 2 * d + 3; ++N) {
                const Enclosure kappa = enclose_capacity(L, d, N);
                const Ball truth = log3(Ball(balanced_bound(L, d, N), 256));
                expect_below(kappa.lower, truth, kappa.method);
                expect_above(kappa.upper, truth, kappa.method);
                EXPECT_LE(kappa.relative_width(), 1e-12) << L << " " << d << " " << N << " " << kappa.method;
            }
        }
    }
}

// 0.1.0 bounded only the split with the output on the larger side: 25,080, and the other one has rank 25,630.
TEST(Enclosure, OddPositionsTakeTheLargerOfBothSplits) {
    EXPECT_EQ(split_bound(3, 4, 3, 2), Integer(25'080));
    EXPECT_EQ(balanced_bound(3, 4, 5), Integer(25'630));  // attained
    const Ball measured = log3(Ball(Integer(25'630), 128));
    EXPECT_NE(less(enclose_capacity(3, 4, 5).upper, measured), Verdict::proved);
    EXPECT_GE(fast::capacity_log3(3, 4, 5), 0.9 * measured.middle());
    for (std::int64_t d = 2; d <= 9; ++d) {
        for (std::int64_t N = 3; N < 2 * d; N += 2) {
            for (std::int64_t L = 1; L <= 5; ++L) {
                for (std::int64_t a = 1; a < N; ++a)
                    EXPECT_LE(split_bound(L, d, a, N - a), balanced_bound(L, d, N)) << L << d << N << a;
            }
        }
    }
}

// Just beyond what the enclosure counts exactly, counted exactly here: the bounds must contain the truth.
TEST(Enclosure, InequalitiesContainTheExactValue) {
    for (std::int64_t d = 2; d <= 12; ++d) {
        for (std::int64_t N = 2; N < 2 * d; ++N) {
            for (std::int64_t L = 1; L <= 7; ++L) {
                const Enclosure kappa = enclose_by_inequalities(L, d, N);
                const Ball truth = log3(Ball(balanced_bound(L, d, N), 400));
                SCOPED_TRACE(::testing::Message() << "L " << L << " d " << d << " N " << N);
                expect_below(kappa.lower, truth, "lower end");
                expect_above(kappa.upper, truth, "upper end");
            }
        }
    }
}

TEST(Enclosure, InequalitiesContainTheExactValueOfALargerVariety) {
    const std::int64_t d = 27, q = 19;
    const HilbertFunction b_side = invariant_forms({d, q}), a_side = covariant_forms({d, q});
    for (std::int64_t L = 2; L <= 12; ++L) {
        const Enclosure kappa = enclose_by_inequalities(L, d, 2 * q);
        const Ball truth = log3(Ball(crossing_sum(b_side, a_side, gram_count(L)), 400));
        expect_below(kappa.lower, truth, "lower end");
        expect_above(kappa.upper, truth, "upper end");
        // Three trits or 5 %: what the ends are apart at most here.
        EXPECT_LE((kappa.upper - kappa.lower).upper(), std::max(3.0, 0.05 * truth.middle())) << L;
    }
}

// The values of h alone, through q h <= a <= min(d h, q h(e+1)), against the sums with the covariants.
TEST(Enclosure, ValuesWithoutCovariantsContainTheBoundsOfTheInequalities) {
    for (const auto& [d, N] : {std::pair{32, 32}, {64, 22}, {256, 6}, {96, 16}}) {
        for (const std::int64_t L : {4, 5}) {
            const Enclosure values = enclose_capacity(L, d, N), rough = enclose_by_inequalities(L, d, N);
            EXPECT_NE(values.method, "bounds") << d << " " << N << " " << L;
            EXPECT_LE(values.lower.lower(), rough.upper.upper());
            EXPECT_GE(values.upper.upper(), rough.lower.lower());
            EXPECT_LE(values.relative_width(), 0.02);
        }
    }
}

// Deep networks: the crossing of the sides is bracketed, not found; exact integers where they can be had, and
// more bits, whose bracket is another, elsewhere.
TEST(Enclosure, DeepNetworksStayExactThroughTheHVector) {
    for (const std::int64_t L : {12, 30, 45, 90, 200}) {
        for (const auto& [d, N] : {std::pair{3, 4}, {3, 5}, {8, 6}, {14, 20}}) {
            const Enclosure kappa = enclose_capacity(L, d, N);
            EXPECT_EQ(kappa.method, "h-vector");
            EXPECT_LE(kappa.relative_width(), 1e-12) << L << " " << d << " " << N;
            if (d == 3 && L <= 45) {
                const Ball truth = log3(Ball(balanced_bound(L, d, N), 400));
                EXPECT_TRUE(kappa.lower.contains(truth)) << L << " " << N;
            }
            EXPECT_TRUE(kappa.lower.overlaps(enclose_capacity(L, d, N, 200).lower))
                << L << " " << d << " " << N;
        }
    }
}

// N = 2 is ((d+1, C)) at every size, where the bounds were 17 % apart (d = 12,288).
TEST(Enclosure, TwoPositionsAreExactAtAnySize) {
    for (const auto& [L, d] : {std::pair{2, 12'288}, {7, 12'288}, {8, 20'000}, {200, 20'000}, {9, 2}}) {
        const Enclosure kappa = enclose_capacity(L, d, 2);
        EXPECT_LE(kappa.relative_width(), 1e-12) << L << " " << d;
        CumulativeForms bounds(RankVariety{d, 1}, 64);
        const Integer half = floor_div(gram_count(L), 2);
        expect_below(bounds.lower(half) / log(Ball(3, 64)), kappa.upper, "lower");
    }
}

// At the border of the exact method the two methods must tell the same story.
TEST(Enclosure, MethodsAgreeWhereTheyMeet) {
    for (const auto& [d, q] : {std::pair{30, 6}, {24, 12}, {50, 3}, {120, 1}}) {
        ASSERT_TRUE(exact_is_feasible({d, q}));
        for (const std::int64_t L : {2, 4, 6, 8, 10, 14, 30}) {
            const Enclosure exact_kappa = enclose_capacity(L, d, 2 * q);
            const Integer C = gram_count(L), half = floor_div(C, 2);
            CumulativeForms bounds(RankVariety{d, q}, 64);
            const Ball lower = bounds.lower(half) / log(Ball(3, 64));
            const Ball upper =
                log_add_exp(bounds.upper(half), log(Ball(d, 64)) + bounds.upper(C - half - 1)) /
                log(Ball(3, 64));
            expect_below(lower, exact_kappa.upper, "lower");
            expect_above(upper, exact_kappa.lower, "upper");
        }
    }
}

TEST(Enclosure, RisesWithDepthWidthAndContext) {
    for (const auto& [L, d, N] :
         {std::tuple{4, 6, 4}, {8, 256, 64}, {12, 768, 1024}, {13, 768, 1024}, {20, 1024, 512}}) {
        const Enclosure here = enclose_capacity(L, d, N);
        for (const Enclosure& more :
             {enclose_capacity(L + 1, d, N), enclose_capacity(L, d + 1, N), enclose_capacity(L, d, N + 2)}) {
            // The true numbers rise, so an upper end above may not fall below a lower end here.
            EXPECT_NE(less(more.upper, here.lower), Verdict::proved);
        }
        EXPECT_NE(less(here.upper, here.lower), Verdict::proved);
        EXPECT_NE(less(full_bound_log3(L, d, 64), here.lower), Verdict::proved);
    }
}

TEST(Enclosure, NeedsAShape) {
    EXPECT_THROW((void)enclose_capacity(0, 4, 4), Bug);
    EXPECT_THROW((void)enclose_capacity(1, 0, 4), Bug);
    EXPECT_THROW((void)enclose_capacity(1, 4, 1), Bug);
}

// A random diagram in blocks against Weyl's formula row by row.
TEST(YoungShape, BlockFormulaIsWeylsFormula) {
    for_seeds(60, [](RandomStream& stream) {
        const std::int64_t d = random_between(stream, 2, 14);
        BlockDiagram diagram{{0}, {}};
        std::vector<std::int64_t> rows;
        std::int64_t height = random_between(stream, 1, 30);
        while (diagram.starts.back() < d - 1 && height > 0) {
            const std::int64_t end = random_between(stream, diagram.starts.back() + 1, d - 1);
            for (std::int64_t r = diagram.starts.back(); r < end; ++r) rows.push_back(2 * height);
            diagram.starts.push_back(end);
            diagram.heights.push_back(height);
            height -= random_between(stream, 0, 8);
        }
        rows.resize(static_cast<std::size_t>(d), 0);
        Integer above = 1, below = 1, boxes = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            boxes += exact_div(Integer(rows[i]), 2);
            for (std::size_t j = i + 1; j < rows.size(); ++j) {
                const auto gap = static_cast<std::int64_t>(j - i);
                above *= rows[i] - rows[j] + gap;
                below *= gap;
            }
        }
        const Ball direct = log(Ball(exact_div(above, below), 300));
        EXPECT_TRUE(log_schur_dimension(diagram, d, 64).contains(direct)) << d;
        EXPECT_EQ(diagram.size(), boxes);
    });
}

TEST(YoungShape, LargeDiagramsKeepToTheirBoxesAndRows) {
    for (const auto& [d, rows, boxes] : {std::tuple{10, 5, 7.0},
                                         {10, 5, 1000.0},
                                         {100, 99, 50.0},
                                         {1024, 512, 1e6},
                                         {50, 1, 3.0},
                                         {12, 11, 1e9}}) {
        const BlockDiagram diagram = large_diagram(d, rows, boxes);
        EXPECT_LE(diagram.size().to_double(), boxes);
        EXPECT_LE(diagram.starts.back(), rows);
        EXPECT_TRUE(std::is_sorted(diagram.heights.rbegin(), diagram.heights.rend()));
        for (const auto height : diagram.heights) EXPECT_GE(height, 0);
    }
}

// 3 % near the knee, 0.2 % from two layers past it, for d >= 512; measured maxima in
// docs/measurements/enclosure.md. A few shapes here, the grid in enclosure_grid_test.cpp.
TEST(Enclosure, IsAsNarrowAsPromised) {
    for (const auto& [d, N] : {std::pair{768, 1024}, {1024, 1024}, {4096, 196}}) {
        const Widest width = widest(d, N);
        EXPECT_LE(width.everywhere, 0.03) << d << " " << N;
        EXPECT_LE(width.past_knee, 0.002) << d << " " << N;
    }
}

TEST(FastCapacity, AgreesWithTheClosedFormForLongContexts) {
    for (const std::int64_t d : {1, 2, 16, 64, 768, 4096, 20'000}) {
        for (const std::int64_t L : {1, 2, 3, 5, 8, 12, 15, 16, 17, 20, 24, 48, 96, 200}) {
            const double certified = full_bound_log3(L, d, 64).middle();
            const double fast_value = fast::capacity_log3(static_cast<double>(L), static_cast<double>(d),
                                                          2.0 * static_cast<double>(d));
            // 1e-8: twice what k/n = 1e5 ulps of cancellation cost, 2e-11 each, times the number of terms.
            EXPECT_NEAR(fast_value / certified, 1, 1e-8) << L << " " << d;
        }
    }
}

// Past the knee the fast form is asymptotically exact: its sqrt(q) and its two sides must be there.
TEST(FastCapacity, IsSharpPastTheKnee) {
    for (const auto& [d, N] : {std::pair{16, 8}, {24, 24}, {40, 12}, {100, 6}}) {
        const double T = knee_depth({d, N / 2}, 64).middle();
        for (const int past : {4, 8, 20}) {
            const std::int64_t L = std::llround(T) + past;
            const double certified = enclose_capacity(L, d, N).middle();
            const double value = fast::capacity_log3(static_cast<double>(L), d, N);
            EXPECT_NEAR(value, certified, 0.2) << L << " " << d << " " << N << " of " << certified;
        }
    }
}

TEST(FastCapacity, KneeIsTheCertifiedOne) {
    for (const auto& [d, N] :
         {std::pair{16, 8}, {768, 1024}, {768, 5000}, {12'288, 2048}, {20'000, 64}, {2048, 2}}) {
        const double certified = knee_depth({d, std::min(d, N / 2)}, 64).middle();
        EXPECT_NEAR(fast::knee_depth(d, N), certified, 1e-9 * certified) << d << " " << N;
    }
}

struct Model {
    const char* name;
    std::int64_t width, context, vocab, saturation;
};

// CAPACITY section 2; shapes of zoo.csv.
TEST(Saturation, DepthsOfTheModels) {
    for (const auto& m :
         {Model{"GPT-2 small", 768, 1024, 50'257, 8}, Model{"GPT-2 XL", 1600, 1024, 50'257, 8},
          Model{"GPT-3", 12'288, 2048, 50'257, 8}, Model{"LLaMA-7B", 4096, 2048, 32'000, 8},
          Model{"LLaMA-3-8B", 4096, 8192, 128'256, 10}, Model{"bytes", 768, 2048, 257, 8},
          Model{"ESM-1b", 1280, 1024, 33, 7}, Model{"BERT", 768, 512, 30'522, 7},
          Model{"MobileLLM", 576, 2048, 32'000, 9},
          Model{"a million positions", 4096, 1'000'000, 32'000, 15}}) {
        const Saturation found = saturation_depth(m.width, m.context, m.vocab);
        EXPECT_EQ(found.not_before, m.saturation) << m.name;
        EXPECT_EQ(found.reached, m.saturation) << m.name;
        // Its meaning: below the cap one layer earlier, at or above it here.
        const double cap = string_cap_log3(m.context, m.vocab, 64).middle();
        EXPECT_LT(enclose_capacity(m.saturation - 1, m.width, m.context).upper.upper(), cap) << m.name;
        EXPECT_GE(enclose_capacity(m.saturation, m.width, m.context).lower.lower(), cap) << m.name;
    }
    // kappa(7) = 3627 and kappa(8) = 9247 in CAPACITY section 2 are upper ends.
    EXPECT_NEAR(enclose_capacity(7, 768, 1024).upper.middle(), 3627, 1);
    EXPECT_NEAR(enclose_capacity(8, 768, 1024).upper.middle(), 9247, 1);
}

}  // namespace
}  // namespace plimsoll::theory

#include "plimsoll/theory/capacity/hilbert.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/capacity/fast_capacity.h"
#include "plimsoll/theory/capacity/modular_series.h"
#include "plimsoll/theory/capacity/orthogonal_average.h"
#include "plimsoll/theory/numbers/barnes_integer.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/numbers/power_series.h"
#include "plimsoll/theory/numbers/special_fast.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

// Every 1 <= q <= d <= top, called with the variety.
template <class Body>
void for_varieties(std::int64_t top, Body body) {
    for (std::int64_t d = 1; d <= top; ++d) {
        for (std::int64_t q = 1; q <= d; ++q) {
            const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                               "d=" + std::to_string(d) + " q=" + std::to_string(q));
            body(RankVariety{d, q});
        }
    }
}

Integer codimension(const RankVariety& v) { return v.ambient() - v.dimension(); }

TEST(Hilbert, InvariantsByAveragesAreThoseByPartitions) {
    for_varieties(6, [](const RankVariety& v) {
        const HilbertFunction forms = invariant_forms(v);
        for (std::int64_t k = 0; k <= 12; ++k) {
            EXPECT_EQ(forms.at(k), invariant_forms_by_partitions(v, k)) << k;
        }
    });
}

TEST(Hilbert, CovariantsByAveragesAreThoseByPartitions) {
    for_varieties(6, [](const RankVariety& v) {
        const HilbertFunction forms = covariant_forms(v);
        for (std::int64_t e = 0; e <= 8; ++e) {
            EXPECT_EQ(forms.at(e), covariant_forms_by_partitions(v, e)) << e;
        }
    });
}

TEST(Hilbert, MorePositionsThanTheWidthChangeNothing) {
    for (std::int64_t d = 1; d <= 5; ++d) {
        for (std::int64_t q = d; q <= d + 3; ++q) {
            const RankVariety v{d, q};
            for (std::int64_t k = 0; k <= 8; ++k) {
                EXPECT_EQ(invariant_forms(v).at(k), multiset(v.ambient(), k));
                EXPECT_EQ(covariant_forms(v).at(k), Integer(d) * multiset(v.ambient(), k));
                EXPECT_EQ(invariant_forms_by_partitions(v, k), multiset(v.ambient(), k));
            }
            EXPECT_EQ(v.degree(), Integer(1));
            EXPECT_EQ(v.h_length(), 0);
            EXPECT_EQ(v.h_mean(), Rational(0));
        }
    }
}

// The average over O(q) itself, without the h-vector: free forms for q >= d.
TEST(Hilbert, AverageOverTheOrthogonalGroupIsFreeFromQEqualToD) {
    for (std::int64_t d = 1; d <= 5; ++d) {
        for (std::int64_t q = d; q <= d + 2; ++q) {
            const auto series = invariant_series(d, q, 17), traced = covariant_series(d, q, 17);
            const Integer D = RankVariety{d, d}.ambient();
            for (std::size_t s = 0; s < series.size(); ++s) {
                const auto k = static_cast<std::int64_t>(s) / 2;
                EXPECT_EQ(series[s], s % 2 == 0 ? multiset(D, k) : Integer(0));
                EXPECT_EQ(traced[s], s % 2 == 1 ? Integer(d) * multiset(D, k) : Integer(0));
            }
        }
    }
}

TEST(Hilbert, TwoPositionsAreForms) {
    for (std::int64_t d = 1; d <= 12; ++d) {
        const HilbertFunction h = invariant_forms({d, 1}), a = covariant_forms({d, 1});
        for (std::int64_t k = 0; k <= 10; ++k) {
            EXPECT_EQ(h.at(k), multiset(d, 2 * k));
            EXPECT_EQ(a.at(k), multiset(d, 2 * k + 1));
        }
    }
}

// CAPACITY 1.3, the four facts of the h-vector and two more.
TEST(Hilbert, HVectorFacts) {
    for_varieties(10, [](const RankVariety& v) {
        if (v.is_whole_space()) return;
        const auto h = invariant_forms(v).numerator();
        ASSERT_EQ(static_cast<std::int64_t>(h.size()), v.h_length() + 1);
        Integer sum = 0, weighted = 0;
        for (std::size_t i = 0; i < h.size(); ++i) {
            const auto index = static_cast<std::int64_t>(i);
            EXPECT_GT(h[i], Integer(0));
            EXPECT_LE(h[i], multiset(codimension(v), index));
            if (index <= v.q) {
                EXPECT_EQ(h[i], multiset(codimension(v), index));
            }
            sum += h[i];
            weighted += h[i] * index;
            // Log-concave in every case tried [C].
            if (i > 0 && i + 1 < h.size()) {
                EXPECT_GE(h[i] * h[i], h[i - 1] * h[i + 1]);
            }
        }
        EXPECT_EQ(sum, v.degree());
        EXPECT_EQ(Rational(weighted, sum), Rational(Integer(v.q) * (v.d - v.q + 1), Integer(4)));
        EXPECT_EQ(Rational(weighted, sum), v.h_mean());
        const bool symmetric = std::equal(h.begin(), h.end(), h.rbegin());
        EXPECT_EQ(symmetric, (v.d - v.q) % 2 == 1);
    });
}

TEST(Hilbert, ValuesRiseWithDegreeRankAndWidth) {
    for_varieties(7, [](const RankVariety& v) {
        const HilbertFunction h = invariant_forms(v), a = covariant_forms(v);
        for (std::int64_t k = 0; k <= 12; ++k) {
            EXPECT_LE(h.at(k), h.at(k + 1));
            EXPECT_LE(a.at(k), a.at(k + 1));
            // h <= a <= d h, what the enclosures rest on.
            EXPECT_LE(h.at(k), a.at(k));
            EXPECT_LE(a.at(k), Integer(v.d) * h.at(k));
            EXPECT_LE(h.at(k), invariant_forms({v.d, v.q + 1}).at(k));
            EXPECT_LE(h.at(k), invariant_forms({v.d + 1, v.q}).at(k));
        }
    });
}

TEST(Hilbert, CumulativeIsTheSum) {
    for_varieties(7, [](const RankVariety& v) {
        for (const HilbertFunction& f : {invariant_forms(v), covariant_forms(v)}) {
            Integer sum = 0;
            for (std::int64_t k = 0; k <= 15; ++k) {
                sum += f.at(k);
                EXPECT_EQ(f.cumulative(k), sum);
            }
            EXPECT_EQ(f.at(-1), Integer(0));
            EXPECT_EQ(f.cumulative(-1), Integer(0));
            EXPECT_EQ(f.times(7).at(5), Integer(7) * f.at(5));
        }
    });
}

// The degree is what the values grow with: h(k) dimension! / k^(dimension-1) ... -> deg; as an exact
// statement, deg ((n, k - length)) <= h(k) <= deg ((n, k)).
TEST(Hilbert, DegreeGovernsLargeValues) {
    for_varieties(8, [](const RankVariety& v) {
        const HilbertFunction h = invariant_forms(v);
        for (const std::int64_t k : {20, 100, 10'000}) {
            EXPECT_LE(h.at(k), v.degree() * multiset(v.dimension(), k));
            EXPECT_GE(h.at(k), v.degree() * multiset(v.dimension(), k - v.h_length()));
        }
    });
}

TEST(Degree, LogarithmContainsTheExactDegree) {
    for_varieties(30, [](const RankVariety& v) {
        const Ball ball = v.log_degree(64);
        EXPECT_TRUE(ball.contains(log(Ball(v.degree(), 400))));
        if (!v.is_whole_space()) {
            EXPECT_GE(ball.accuracy_bits(), 50);
        }
    });
    for (const auto& [d, q] : {std::pair{200, 1}, {200, 100}, {200, 199}, {333, 77}}) {
        const RankVariety v{d, q};
        EXPECT_TRUE(v.log_degree(64).contains(log(Ball(v.degree(), 400)))) << d << " " << q;
    }
}

// capacity_vectors.json, CAP-ln_degree: 25 digits computed elsewhere.
TEST(Degree, LogarithmsAtScaleAreTheStoredOnes) {
    const auto near = [](const RankVariety& v, const char* digits) {
        const auto stored = Ball::from_text(digits, 200);
        const Ball unit = Ball(1, 200) / pow(Ball(10, 200), Ball(15, 200));
        EXPECT_EQ(less(abs(v.log_degree(128) - *stored) / *stored, unit), Verdict::proved) << digits;
    };
    near({1024, 512}, "103118.7175251360043046864");
    near({20'000, 5000}, "39127700.74752524066711644");
    near({12'288, 1024}, "7144328.041918278460709252");
    near({768, 512}, "39591.79426828989528400346");
    EXPECT_GE((RankVariety{20'000, 10'000}.log_degree(64).accuracy_bits()), 40);
    EXPECT_GE((RankVariety{1'000'000, 3}.log_degree(64).accuracy_bits()), 40);
}

TEST(Degree, DoublesAgreeWithTheBalls) {
    for (const auto& [d, q] :
         {std::pair{5, 2}, {30, 10}, {100, 50}, {1000, 10}, {1000, 999}, {4096, 1024}, {20'000, 5000}}) {
        const double certified = RankVariety{d, q}.log_degree(64).middle();
        // The Barnes functions are of size d^2 ln d and cancel; eight of them at one ulp each.
        const double rounding = 8 * 2.3e-16 * 2 * d * d * std::log(2.0 * d);
        EXPECT_NEAR(fast::log_degree(d, q), certified, rounding + 1e-12) << d << " " << q;
    }
    EXPECT_EQ(fast::log_degree(7, 7), 0);
    EXPECT_EQ(fast::log_degree(7, 9), 0);
}

// The average over O(q) bounds the numerator from below (docs/bounds/capacity-enclosure.md, L5): N(t) >= deg
// ((1 + sqrt t) / 2)^(q (d-q+1)), here at t = s^2 with rational s, where both sides are rational.
TEST(Hilbert, NumeratorLiesAboveItsTilt) {
    for_varieties(9, [](const RankVariety& v) {
        if (v.is_whole_space()) return;
        const auto h = invariant_forms(v).numerator();
        const auto power = static_cast<std::uint64_t>(v.q * (v.d - v.q + 1));
        for (std::int64_t part = 0; part <= 20; ++part) {
            const Rational s(Integer(part), Integer(20)), t = s * s;
            Rational value = 0, power_of_t = 1;
            for (const auto& term : h) {
                value = value + Rational(term) * power_of_t;
                power_of_t = power_of_t * t;
            }
            const Rational tilt = Rational(v.degree()) * pow((s + 1) / Rational(2), power);
            EXPECT_GE(value, tilt) << part;
            if (part == 20) {
                EXPECT_EQ(value, tilt);
            }
        }
    });
}

TEST(CrossingSum, IsTheLiteralSumOfMinima) {
    for_varieties(5, [](const RankVariety& b) {
        for (std::int64_t qa = 1; qa <= b.d; ++qa) {
            const RankVariety a{b.d, qa};
            for (const HilbertFunction& a_side : {covariant_forms(a), invariant_forms(a).times(b.d)}) {
                const HilbertFunction b_side = invariant_forms(b);
                for (const std::int64_t C : {0, 1, 2, 4, 13, 40}) {
                    Integer literal = 0;
                    for (std::int64_t k = 0; k <= C; ++k) literal += std::min(b_side.at(k), a_side.at(C - k));
                    EXPECT_EQ(crossing_sum(b_side, a_side, C), literal) << C;
                }
            }
        }
    });
}

// Degrees of hundreds of digits: the search must end at the very crossing, which the neighbours certify.
TEST(CrossingSum, FindsTheCrossingOfVastDegrees) {
    for (const auto& [d, qa, qb] :
         {std::tuple{1, 1, 1}, {2, 1, 1}, {3, 2, 2}, {4, 2, 1}, {5, 1, 3}, {5, 5, 5}}) {
        const HilbertFunction b_side = invariant_forms({d, qb}), a_side = covariant_forms({d, qa});
        for (const std::int64_t L : {41, 60, 150, 300}) {
            const Integer C = gram_count(L), sum = crossing_sum(b_side, a_side, C);
            // The minimum over all cuts: no cut of a scan across the range, nor of small steps, does better.
            for (std::int64_t part = 0; part <= 64; ++part) {
                const Integer cut = floor_div(C * part, 64);
                EXPECT_LE(sum, b_side.cumulative(cut) + a_side.cumulative(C - cut - 1)) << L << " " << part;
            }
        }
    }
    // Two positions have the closed form ((d+1, C)).
    for (const std::int64_t d : {2, 5, 9}) {
        const Integer C = gram_count(200);
        EXPECT_EQ(crossing_sum(invariant_forms({d, 1}), covariant_forms({d, 1}), C), multiset(d + 1, C));
    }
    // And q >= d the staircase, whose cut is found in another way.
    for (const std::int64_t d : {1, 2, 4}) EXPECT_EQ(split_bound(200, d, d, d), full_bound(200, d));
}

TEST(Feasible, SaysYesToTheSmallAndNoToTheLarge) {
    EXPECT_TRUE(exact_is_feasible({24, 12}));
    EXPECT_TRUE(exact_is_feasible({1'000'000, 1'000'000}));
    EXPECT_FALSE(exact_is_feasible({1024, 512}));
}

TEST(BarnesG, IsTheProductOfFactorials) {
    Integer product = 1, factorial = 1;
    for (std::int64_t n = 0; n <= 60; ++n) {
        if (n >= 2) {
            factorial *= n - 1;
            product *= factorial;
        }
        for (const int bits : {64, 128}) {
            EXPECT_TRUE(log_barnes_g1(n, bits).contains(log(Ball(product, 600)))) << n;
            EXPECT_TRUE(log_barnes_g(Rational(n + 1), bits).overlaps(log(Ball(product, 600)))) << n;
        }
        // 1e-14: a few roundings of the largest term.
        const double direct = log(Ball(product, 100)).middle();
        EXPECT_NEAR(fast::log_barnes_g1(static_cast<double>(n)), direct, 1e-13 * (1 + direct * 10)) << n;
    }
}

TEST(BarnesG, OwnSeriesAgreesWithArbAtEverySize) {
    for (const std::int64_t n : {23, 24, 25, 40, 100, 1000, 4096, 20'000, 1'000'000, 1'000'000'000}) {
        for (const int bits : {53, 64, 128, 200}) {
            const Ball own = log_barnes_g1(n, bits);
            EXPECT_TRUE(own.overlaps(log_barnes_g(Rational(n + 1), bits + 40))) << n << " at " << bits;
            EXPECT_GE(own.accuracy_bits(), std::min(bits, 140) - 12) << n << " at " << bits;
        }
    }
}

TEST(BarnesG, ObeysItsRecurrence) {
    for (const std::int64_t n : {2, 22, 23, 24, 500, 100'000}) {
        const Ball step = log_barnes_g1(n + 1, 128) - log_barnes_g1(n, 128);
        EXPECT_TRUE(step.overlaps(log_factorial(n, 128))) << n;  // G(n+2) = Gamma(n+1) G(n+1)
    }
}

TEST(FastSpecial, DerivativesOfBarnesAreThoseOfDifferences) {
    for (const double z : {0.5, 3.0, 11.9, 12.0, 40.0, 1000.0}) {
        const double h = 1e-4 * (1 + z);
        const double slope = (fast::log_barnes_g1(z + h) - fast::log_barnes_g1(z - h)) / (2 * h);
        const double curvature =
            (fast::log_barnes_g1_slope(z + h) - fast::log_barnes_g1_slope(z - h)) / (2 * h);
        // 1e-5: the differences themselves are good to h^2 times the third derivative.
        EXPECT_NEAR(fast::log_barnes_g1_slope(z), slope, 1e-5 * (1 + std::abs(slope)));
        EXPECT_NEAR(fast::log_barnes_g1_curvature(z), curvature, 1e-5 * (1 + std::abs(curvature)));
    }
    // 1e-11: the first term left out of the asymptotic series at x = 8, 8^-10 / 132.
    EXPECT_NEAR(fast::digamma(1), -0.57721566490153286, 1e-11);
    EXPECT_NEAR(fast::trigamma(1), 1.6449340668482264, 1e-11);
}

TEST(FastSpecial, MultisetAgreesWithTheCertifiedOne) {
    for (const auto& [n, k] :
         {std::pair{2.0, 5.0}, {300.0, 10.0}, {300.0, 1e6}, {1e5, 1e3}, {1e3, 1e12}, {5.0, 1e15}}) {
        const double certified =
            log_multiset(Integer(static_cast<std::int64_t>(n)), Integer(static_cast<std::int64_t>(k)), 64)
                .middle();
        // 1e-9: below k = 1e5 n the log-gammas cancel, losing at most k/n = 1e5 ulps, 2e-11; the rest is
        // slack.
        EXPECT_NEAR(fast::log_multiset(n, k) / certified, 1, 1e-9) << n << " " << k;
    }
}

TEST(Series, InverseTimesItselfIsOne) {
    for_seeds(20, [](RandomStream& stream) {
        std::vector<Integer> terms{stream.below(2) == 0 ? 1 : -1};
        for (int i = 0; i < 12; ++i) terms.push_back(random_integer(stream, 5));
        const Series s(13, terms), product = s * s.inverse(), sum = s + s - s;
        for (std::int64_t i = 0; i < 13; ++i) {
            EXPECT_EQ(product.coefficient(i), Integer(i == 0 ? 1 : 0));
            EXPECT_EQ(sum.coefficient(i), terms[static_cast<std::size_t>(i)]);
            EXPECT_EQ(s.shifted(3).coefficient(i),
                      i < 3 ? Integer(0) : terms[static_cast<std::size_t>(i - 3)]);
        }
    });
}

// Two ways to one number: modulo primes, and over the integers as in orthogonal_average.cpp.
TEST(ModularSeries, AgreesWithTheAveragesOverTheIntegers) {
    for (std::int64_t d = 2; d <= 12; ++d) {
        for (std::int64_t q = 1; q < d; ++q) {
            const auto direct = invariant_series(d, q, 60);
            const auto modular = modular_invariants({d, q}, 30);
            for (std::size_t k = 0; k < modular.size(); ++k)
                EXPECT_EQ(modular[k], direct[2 * k]) << d << " " << q << " " << k;
        }
    }
}

TEST(CovariantForms, LieBetweenRowsTimesInvariantsAndTheNextDegree) {
    for (std::int64_t d = 2; d <= 10; ++d) {
        for (std::int64_t q = 1; q < d; ++q) {
            const HilbertFunction h = invariant_forms({d, q}), a = covariant_forms({d, q});
            for (const std::int64_t e : {0, 1, 2, 3, 7, 20, 100}) {
                EXPECT_LE(h.at(e) * q, a.at(e));
                EXPECT_LE(a.at(e), h.at(e) * d);
                EXPECT_LE(a.at(e), h.at(e + 1) * q);
            }
        }
    }
}

}  // namespace
}  // namespace plimsoll::theory

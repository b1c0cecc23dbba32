#include <compare>
#include <limits>

#include <gtest/gtest.h>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/numbers/ball.h"
#include "plimsoll/theory/numbers/integer.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/numbers/rational.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

TEST(Integer, IsARing) {
    for_seeds(200, [](RandomStream& stream) {
        const Integer a = random_integer(stream, 60), b = random_integer(stream, 60),
                      c = random_integer(stream, 60);
        EXPECT_EQ(a + b, b + a);
        EXPECT_EQ((a + b) + c, a + (b + c));
        EXPECT_EQ(a * b, b * a);
        EXPECT_EQ((a * b) * c, a * (b * c));
        EXPECT_EQ(a * (b + c), a * b + a * c);
        EXPECT_EQ(a - b + b, a);
        EXPECT_EQ(a + Integer(0), a);
        EXPECT_EQ(a * Integer(1), a);
        EXPECT_EQ(a - a, Integer(0));
    });
}

TEST(Integer, FloorDivisionAndRemainderGiveTheNumberBack) {
    for_seeds(200, [](RandomStream& stream) {
        const Integer a = random_integer(stream, 60), b = random_nonzero(stream, 40);
        const Integer quotient = floor_div(a, b), rest = a - quotient * b;
        // Rounding towards minus infinity: the rest has the sign of the divisor and is smaller than it.
        EXPECT_TRUE(b > 0 ? rest >= 0 && rest < b : rest <= 0 && rest > b) << a.text() << " / " << b.text();
        if (b > 0) {
            EXPECT_EQ(mod(a, b), rest);
        }
        EXPECT_EQ(exact_div(a * b, b), a);
    });
    EXPECT_EQ(floor_div(Integer(-7), 2), Integer(-4));
    EXPECT_EQ(mod(Integer(-7), 2), Integer(1));
    EXPECT_THROW((void)floor_div(Integer(1), 0), Bug);
    EXPECT_THROW((void)exact_div(Integer(1), 0), Bug);
    EXPECT_THROW((void)mod(Integer(1), 0), Bug);
}

TEST(Integer, PowersAddTheirExponents) {
    for_seeds(50, [](RandomStream& stream) {
        const Integer base = random_integer(stream, 12);
        const std::uint64_t m = stream.below(20), n = stream.below(20);
        EXPECT_EQ(pow(base, m) * pow(base, n), pow(base, m + n));
    });
    EXPECT_EQ(pow(Integer(0), 0), Integer(1));
    EXPECT_EQ(power_of_three(4), Integer(81));
    EXPECT_THROW((void)power_of_three(-1), Bug);
}

TEST(Integer, OrderAgreesWithTheSignOfTheDifference) {
    for_seeds(100, [](RandomStream& stream) {
        const Integer a = random_integer(stream, 30), b = random_integer(stream, 30);
        EXPECT_EQ(a < b, a - b < 0);
        EXPECT_EQ(a <=> b, 0 <=> (b <=> a));
    });
}

TEST(Integer, TextGoesThereAndBack) {
    for_seeds(100, [](RandomStream& stream) {
        const Integer a = random_integer(stream, 500);
        const auto again = Integer::from_text(a.text());
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, a);
        const Integer copy = a;  // NOLINT: the copy is what is tested
        Integer moved = Integer(copy);
        EXPECT_EQ(moved, a);
    });
    for (const char* wrong : {"", "-", "+5", "1.5", "12a", " 1", "1 ", "0x10", "--1", "1e3", "1_000"}) {
        EXPECT_FALSE(Integer::from_text(wrong)) << wrong;
    }
    EXPECT_EQ(Integer::from_text("-007")->text(), "-7");
}

TEST(Integer, SixtyFourBitsGoThereAndBackAndNoMore) {
    constexpr auto top = std::numeric_limits<std::int64_t>::max();
    constexpr auto bottom = std::numeric_limits<std::int64_t>::min();
    for (const std::int64_t value : {top, bottom, std::int64_t{0}, std::int64_t{-1}}) {
        EXPECT_EQ(Integer(value).to_int64(), value);
        EXPECT_EQ(Integer(value).text(), std::to_string(value));
    }
    EXPECT_FALSE((Integer(top) + 1).fits_int64());
    EXPECT_FALSE((Integer(bottom) - 1).fits_int64());
    EXPECT_THROW((void)(Integer(top) + 1).to_int64(), Bug);
    EXPECT_EQ(Integer(0).bits(), 0);
    EXPECT_EQ(Integer(-8).bits(), 4);
    EXPECT_EQ((Integer(top) + 1).to_double(), 9223372036854775808.0);
}

TEST(Integer, MultisetsObeyPascalAndTheHockeyStick) {
    for (std::int64_t n = 1; n <= 12; ++n) {
        Integer sum = 0;
        for (std::int64_t k = 0; k <= 12; ++k) {
            if (k >= 1) {
                EXPECT_EQ(multiset(n, k), multiset(n, k - 1) + multiset(n - 1, k));
            }
            EXPECT_EQ(multiset(n, k), binomial(n + k - 1, k));
            sum += multiset(n, k);
            EXPECT_EQ(sum, multiset(n + 1, k));
        }
    }
    EXPECT_EQ(multiset(0, 0), Integer(1));
    EXPECT_EQ(multiset(0, 3), Integer(0));
    EXPECT_EQ(multiset(3, -1), Integer(0));
    EXPECT_EQ(binomial(3, 4), Integer(0));
    EXPECT_EQ(binomial(-1, 0), Integer(0));
    EXPECT_THROW((void)binomial(3, -1), Bug);
    EXPECT_THROW((void)multiset(-1, 3), Bug);
}

// The factors of a binomial with a numerator beyond 64 bits are multiplied one by one: another code path.
TEST(Integer, BinomialsOfHugeNumbersObeyPascal) {
    const Integer huge = pow(Integer(10), 30);
    for (std::int64_t k = 1; k <= 20; ++k) {
        EXPECT_EQ(binomial(huge + 1, k), binomial(huge, k) + binomial(huge, k - 1));
        EXPECT_EQ(binomial(huge, huge - k), binomial(huge, k));
    }
}

TEST(Integer, GramCountsObeyTheirRecurrence) {
    EXPECT_EQ(gram_count(0), Integer(0));
    for (std::int64_t depth = 0; depth < 200; ++depth) {
        EXPECT_EQ(gram_count(depth + 1), Integer(3) * gram_count(depth) + 1);
        EXPECT_EQ(Integer(2) * gram_count(depth) + 1, power_of_three(depth));
    }
}

TEST(Rational, IsAFieldInLowestTerms) {
    for_seeds(100, [](RandomStream& stream) {
        const Rational a = random_rational(stream, 25), b = random_rational(stream, 25),
                       c = random_rational(stream, 25);
        EXPECT_EQ(a + b, b + a);
        EXPECT_EQ((a + b) + c, a + (b + c));
        EXPECT_EQ((a * b) * c, a * (b * c));
        EXPECT_EQ(a * (b + c), a * b + a * c);
        EXPECT_EQ(a - b + b, a);
        if (b != Rational(0)) {
            EXPECT_EQ(a / b * b, a);
        }
        EXPECT_GT((a + b).denominator(), Integer(0));
        EXPECT_EQ(a < b, a - b < Rational(0));
        EXPECT_TRUE(Rational(a.floor()) <= a && a < Rational(a.floor() + 1));
        const auto again = Rational::from_text(a.text());
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, a);
    });
    EXPECT_EQ(Rational(Integer(-6), Integer(-4)).text(), "3/2");
    EXPECT_EQ(pow(Rational(Integer(-2), Integer(3)), 3).text(), "-8/27");
    EXPECT_THROW((void)Rational(Integer(1), Integer(0)), Bug);
    EXPECT_THROW((void)(Rational(1) / Rational(0)), Bug);
}

TEST(Rational, DecimalsAreReadExactly) {
    const auto is = [](const char* text, const char* fraction) {
        const auto value = Rational::from_text(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(value->text(), fraction);
    };
    is("1.5", "3/2");
    is("-0.5", "-1/2");
    is("0.1", "1/10");
    is("2.50", "5/2");
    is("-3", "-3");
    is("7/2", "7/2");
    is("-7/14", "-1/2");
    is("3.0", "3");
    is("1e3", "1000");
    for (const char* wrong :
         {"", ".", "1.", "1.-5", "1e3.5", "1e+-3", "1/0", "1/", "/2", "1.5/2", "x", "1.5.5", "nan", "inf"}) {
        EXPECT_FALSE(Rational::from_text(wrong)) << wrong;
    }
    EXPECT_TRUE(Rational::from_text("0." + std::string(1000, '1')));
    EXPECT_FALSE(Rational::from_text("0." + std::string(1001, '1')));
}

// The example of STYLE 6.5.
TEST(Ball, MoreBitsDecideWhatFewBitsCannot) {
    const auto gap = [](int bits) {
        const Ball big(std::int64_t{1} << 62, bits);
        return less(log(big), log(big + Ball(1, bits)));
    };
    EXPECT_EQ(gap(16), Verdict::undecided);
    EXPECT_EQ(gap(128), Verdict::proved);
}

TEST(Ball, ContainsTheExactResultOfEveryRationalOperation) {
    for_seeds(100, [](RandomStream& stream) {
        const Rational a = random_rational(stream, 20), b = random_rational(stream, 20);
        for (const int bits : {8, 24, 64, 200}) {
            const Ball x(a, bits), y(b, bits);
            EXPECT_TRUE(x.contains(a));
            EXPECT_TRUE((x + y).contains(a + b));
            EXPECT_TRUE((x - y).contains(a - b));
            EXPECT_TRUE((x * y).contains(a * b));
            if (b != Rational(0)) {
                EXPECT_TRUE((x / y).contains(a / b));
            }
            EXPECT_TRUE((-x).contains(Rational(0) - a));
            EXPECT_TRUE(abs(x).contains(a < Rational(0) ? Rational(0) - a : a));
            EXPECT_TRUE(min(x, y).contains(std::min(a, b)));
            EXPECT_TRUE(max(x, y).contains(std::max(a, b)));
            const Ball hull = Ball::hull(x, y);
            EXPECT_TRUE(hull.contains(x) && hull.contains(y) && hull.contains((a + b) / Rational(2)));
            EXPECT_TRUE(Ball::hull(x.lower_end(), x.upper_end()).contains(x));  // rounded outwards
            EXPECT_LE(x.lower(), x.upper());
            EXPECT_TRUE(
                Ball::hull(Ball::from_double(x.lower(), 64), Ball::from_double(x.upper(), 64)).contains(x));
        }
    });
}

TEST(Ball, FunctionsObeyTheirEquations) {
    for_seeds(50, [](RandomStream& stream) {
        const int bits = 32 + static_cast<int>(stream.below(200));
        const Rational p(random_between(stream, 1, 1'000'000), random_between(stream, 1, 1000));
        const Rational q(random_between(stream, 1, 1'000'000), random_between(stream, 1, 1000));
        const Ball a(p, bits), b(q, bits), one(1, bits);
        EXPECT_TRUE(log(a * b).overlaps(log(a) + log(b)));
        EXPECT_TRUE(exp(log(a)).contains(p));
        EXPECT_TRUE((sqrt(a) * sqrt(a)).contains(p));
        EXPECT_TRUE(log1p(a).overlaps(log(one + a)));
        EXPECT_TRUE(pow(a, Ball(3, bits)).contains(p * p * p));
        EXPECT_TRUE((lgamma(a + one) - lgamma(a)).overlaps(log(a)));
        EXPECT_TRUE((log3(a) * log(Ball(3, bits))).overlaps(log(a)));
        EXPECT_TRUE(log_add_exp(log(a), log(b)).overlaps(log(a + b)));
        EXPECT_TRUE(cos(Ball::pi(bits)).contains(Rational(-1)));
        EXPECT_TRUE(log(Ball::euler_e(bits)).contains(Rational(1)));
    });
}

TEST(Ball, LogOfASumNeedsNoRoomForTheExponentials) {
    const Ball huge(pow(Integer(10), 12), 64), small(5, 64);
    EXPECT_TRUE(log_add_exp(huge, small).overlaps(huge));
    EXPECT_TRUE(log_add_exp(small, huge).is_finite());
    EXPECT_TRUE((log_add_exp(huge, huge) - huge).overlaps(log(Ball(2, 64))));
}

TEST(Ball, ComparisonIsProvedRefutedOrUndecided) {
    const Ball one(1, 64), two(2, 64), wide = Ball::hull(one, two);
    EXPECT_EQ(less(one, two), Verdict::proved);
    EXPECT_EQ(less(two, one), Verdict::refuted);
    EXPECT_EQ(less(one, one), Verdict::refuted);  // equal exact balls: certainly not less
    EXPECT_EQ(less(one, wide), Verdict::undecided);
    EXPECT_EQ(to_text(Verdict::proved), "proved");
    EXPECT_EQ(to_text(Verdict::refuted), "refuted");
    EXPECT_EQ(to_text(Verdict::undecided), "undecided");
}

TEST(Ball, DecideLessRaisesThePrecisionUpToItsLimit) {
    // log(10^60 + 1) and log(10^60) differ in the 200th bit.
    const Integer big = pow(Integer(10), 60);
    const Real a = [&](int bits) { return log(Ball(big, bits)); };
    const Real b = [&](int bits) { return log(Ball(big + 1, bits)); };
    EXPECT_EQ(decide_less(a, b), Verdict::proved);
    EXPECT_EQ(decide_less(b, a), Verdict::refuted);
    EXPECT_EQ(decide_less(a, b, 128), Verdict::undecided);
    // log 9 = 2 log 3 can never be decided, and the search ends.
    const Real nine = [](int bits) { return log(Ball(9, bits)); };
    const Real twice = [](int bits) { return Ball(2, bits) * log(Ball(3, bits)); };
    EXPECT_EQ(decide_less(nine, twice, 4096), Verdict::undecided);
}

TEST(Ball, RefineReachesTheAccuracyOrStopsAtTheLimit) {
    // 10^40 + pi - 10^40 loses 133 bits to cancellation.
    const Real pi = [](int bits) {
        const Ball big(pow(Integer(10), 40), bits);
        return big + Ball::pi(bits) - big;
    };
    const Ball fine = refine(pi, 200);
    EXPECT_GE(fine.accuracy_bits(), 200);
    EXPECT_TRUE(fine.overlaps(Ball::pi(400)));
    EXPECT_LT(refine(pi, 200, 250).accuracy_bits(), 200);
}

TEST(Ball, ReadsDecimalTextAndNothingElse) {
    const auto third = Ball::from_text("0.25", 64);
    ASSERT_TRUE(third);
    EXPECT_TRUE(third->contains(Rational(Integer(1), Integer(4))));
    EXPECT_TRUE(Ball::from_text("1e-3", 64)->contains(Rational(Integer(1), Integer(1000))));
    for (const char* wrong : {"", "abc", "1..2", "1/2x"}) EXPECT_FALSE(Ball::from_text(wrong, 64)) << wrong;
}

TEST(Ball, TextShowsTheDigitsAskedForWithoutTrailingZeros) {
    EXPECT_EQ(Ball::pi(200).text(20), "3.1415926535897932385");
    EXPECT_EQ(Ball(0, 64).text(30), "0.0");
    EXPECT_EQ(Ball(Rational(Integer(1), Integer(4)), 64).text(30), "0.25");
    EXPECT_EQ(Ball(Rational(Integer(-5), Integer(2)), 64).text(10), "-2.5");
    EXPECT_EQ(Ball(7, 64).text(30), "7.0");
    EXPECT_EQ(Ball(Rational(Integer(2), Integer(3)), 200).text(5), "0.66667");
}

TEST(Ball, TextReadsBackWithinOneUnitOfItsLastDigit) {
    for_seeds(50, [](RandomStream& stream) {
        const Rational value = random_rational(stream, 12);
        if (value == Rational(0)) return;
        const int digits = 3 + static_cast<int>(stream.below(25));
        const auto again = Ball::from_text(Ball(value, 256).text(digits), 256);
        ASSERT_TRUE(again);
        const Ball error = abs(*again / Ball(value, 256) - Ball(1, 256));
        const Ball unit = Ball(1, 256) / pow(Ball(10, 256), Ball(digits - 1, 256));
        EXPECT_EQ(less(error, unit), Verdict::proved) << value.text() << " to " << digits;
    });
}

TEST(Ball, KnowsItsIntegerAndItsFloorOnlyWhenTheyAreDecided) {
    const Ball half(Rational(Integer(7), Integer(2)), 64), three(3, 64), four(4, 64);
    EXPECT_EQ(three.unique_integer(), Integer(3));
    EXPECT_FALSE(half.unique_integer());
    EXPECT_EQ(half.unique_floor(), Integer(3));
    EXPECT_FALSE(Ball::hull(three, four).unique_integer());
    EXPECT_FALSE(Ball::hull(half, four).unique_floor());
    EXPECT_EQ((-half).middle_floor(), Integer(-4));
    EXPECT_FALSE(log(Ball(-1, 64)).is_finite());
    EXPECT_FALSE((Ball(1, 64) / Ball(0, 64)).is_finite());
}

TEST(LogMultiset, ContainsTheLogarithmOfTheExactNumber) {
    for_seeds(100, [](RandomStream& stream) {
        const Integer n = random_between(stream, 1, 400), k = random_between(stream, 0, 400);
        const Ball direct = log(Ball(multiset(n, k), 300)), ball = log_multiset(n, k, 64);
        EXPECT_TRUE(ball.contains(direct)) << n.text() << ", " << k.text();
        EXPECT_GE(ball.accuracy_bits(), 50);
    });
}

// At these sizes the log-gammas cancel in all but a few of their leading bits.
TEST(LogMultiset, KeepsItsBitsAtAnySize) {
    const Integer k = power_of_three(200);
    for (const std::int64_t n : {2, 3, 4, 1000}) {
        const Ball ball = log_multiset(n, k, 64);
        EXPECT_GE(ball.accuracy_bits(), 50);
        if (n <= 4) {
            EXPECT_TRUE(ball.contains(log(Ball(multiset(n, k), 2000))));
        }
    }
    EXPECT_TRUE(log_multiset(1, k, 64).contains(Rational(0)));
    EXPECT_TRUE(log_multiset(k, 0, 64).contains(Rational(0)));
}

TEST(LogMultiset, HalfIntegersObeyTheRatioOfNeighbours) {
    const Rational half(Integer(1), Integer(2));
    for (std::int64_t i = 1; i <= 20; ++i) {
        const Rational n = Rational(i) + half, x = Rational(3 * i) - half;
        // ((n, x+1)) / ((n, x)) = (n + x) / (x + 1)
        const Ball step = log_multiset(n, x + 1, 128) - log_multiset(n, x, 128);
        EXPECT_TRUE(step.overlaps(log(Ball((n + x) / (x + 1), 128))));
    }
    EXPECT_THROW((void)log_multiset(Rational(0), half, 64), Bug);
    EXPECT_THROW((void)log_multiset(half, Rational(-1), 64), Bug);
}

}  // namespace
}  // namespace plimsoll::theory

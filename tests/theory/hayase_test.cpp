#include <gtest/gtest.h>

#include "plimsoll/theory/papers/hayase_bounds.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

TEST(HayaseWidth, CountsOfTheTokenMixingMatrix) {
    for (std::int64_t S = 1; S <= 20; ++S) {
        for (std::int64_t C = 1; C <= 20; ++C) {
            EXPECT_EQ(hayase_width(S, C), Integer(S * C));
            EXPECT_EQ(hayase_nonzeros(S, C), Integer(C * S * S));
            EXPECT_EQ(hayase_density(S, C), Rational(Integer(1), Integer(C)));
            // The average of the non-zeros of both mixings.
            const Rational both(hayase_nonzeros(S, C) + hayase_nonzeros(C, S), Integer(2));
            EXPECT_EQ(hayase_omega(S, C, 3), Rational(3) * both);
        }
    }
}

// AM-GM: S C <= (Omega / gamma)^(2/3), equal iff S = C.
TEST(HayaseMaxWidth, IsTheMaximumOfAScan) {
    for (const std::int64_t gamma : {1, 2, 4}) {
        for (std::int64_t S = 1; S <= 40; ++S) {
            for (std::int64_t C = 1; C <= 40; ++C) {
                const Ball limit = hayase_max_width(hayase_omega(S, C, gamma), gamma, 128);
                if (S == C) {
                    EXPECT_TRUE(limit.contains(Rational(S * C)));
                } else {
                    EXPECT_EQ(less(Ball(S * C, 128), limit), Verdict::proved) << S << " " << C;
                }
            }
        }
    }
}

TEST(HayaseMaxWidth, IsReachedByNoOtherNumberOfTokens) {
    const Rational omega(262'144);
    const Ball best = hayase_max_width(omega, 1, 128);
    EXPECT_TRUE(best.contains(Rational(4096)));
    for (std::int64_t S = 1; S <= 1024; ++S) {
        const Ball width = Ball(S, 128) * hayase_channels(omega, 1, S, 128);
        if (S == 64) {
            EXPECT_TRUE(width.contains(Rational(4096)));
        } else {
            EXPECT_EQ(less(width, best), Verdict::proved) << S;
        }
    }
}

TEST(HayaseChannels, InvertTheConnections) {
    for_seeds(100, [](RandomStream& stream) {
        const std::int64_t S = random_between(stream, 1, 5000), C = random_between(stream, 1, 5000);
        const Rational gamma(random_between(stream, 1, 40), random_between(stream, 1, 10));
        const Rational omega = hayase_omega(S, C, gamma);
        EXPECT_TRUE(hayase_channels(omega, gamma, S, 128).contains(Rational(C))) << S << " " << C;
    });
}

// E60: (64, 64) and (128, 32) have one width but not one number of connections.
TEST(HayaseErrata, EqualWidthsAreNotEqualConnections) {
    EXPECT_EQ(hayase_width(64, 64), hayase_width(128, 32));
    EXPECT_EQ(hayase_omega(64, 64, 1), Rational(262'144));
    EXPECT_EQ(hayase_omega(128, 32, 1), Rational(327'680));
    EXPECT_NEAR(hayase_channels(Rational(262'144), 1, 128, 64).middle(), 26.5, 0.05);
}

}  // namespace
}  // namespace plimsoll::theory

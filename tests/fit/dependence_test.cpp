#include "plimsoll/fit/look/dependence.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fit/sources.h"

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;

// Sum of p(x, y) log2(p(x, y) / p(x) p(y)) for states so many steps apart.
double information_of_chain(const Transitions& chances, int distance) {
    const auto start = stationary(chances);
    const auto steps = power(chances, distance);
    double bits = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t j = 0; j < start.size(); ++j)
            bits += start[i] * steps[i][j] * std::log2(steps[i][j] / start[j]);
    return bits;
}

TEST(PairCounts, CopiesShareTheirEntropyAndIndependentOnesNothing) {
    PairCounts copies(4, 4), all(4, 4);
    for (int round = 0; round < 1000; ++round) {
        for (std::size_t i = 0; i < 4; ++i) {
            copies.add(i, i);
            for (std::size_t j = 0; j < 4; ++j) all.add(i, j);
        }
    }
    // Miller and Madow's terms: (cells - rows - columns + 1) / (2 n ln 2).
    EXPECT_NEAR(copies.bits(), 2 + 3 / (2 * 4000 * std::log(2.0)), 1e-12);
    EXPECT_NEAR(all.bits(), -9 / (2 * 16000 * std::log(2.0)), 1e-12);
}

TEST(PairCounts, DoesNotCareWhichSideIsFirst) {
    PairCounts there(3, 5), back(5, 3);
    RandomStream stream(1, "test/pairs");
    for (int i = 0; i < 500; ++i) {
        const std::size_t a = stream.below(3), b = (a + stream.below(3)) % 5;
        there.add(a, b);
        back.add(b, a);
    }
    EXPECT_NEAR(there.bits(), back.bits(), 1e-12);
    EXPECT_GT(there.bits(), 0.1);
}

TEST(RowDependence, IsTheAnalyticValueOfAMarkovChain) {
    const auto points = row_dependence(markov_chain(three_states, 100'000), 1);
    for (const auto& point : points) {
        if (point.distance > 8) break;
        EXPECT_NEAR(point.bits, information_of_chain(three_states, static_cast<int>(point.distance)), 0.01)
            << point.distance;
    }
    EXPECT_GT(points[0].bits, 0.2);
    EXPECT_THAT(points.back().distance, 4096);
}

TEST(RowDependence, IsWithinNoiseForIndependentSymbols) {
    for (const std::uint64_t below : {2U, 16U, 256U}) {
        for (const auto& point : row_dependence(random_symbols(40'000, below), 1)) {
            EXPECT_LE(point.bits, point.noise) << below << " symbols, distance " << point.distance;
            EXPECT_LT(point.bits, 0.01);
            EXPECT_LT(point.noise, 0.02);
        }
    }
}

TEST(RowDependence, ForgetsAsTheChainDoes) {
    const auto points = row_dependence(markov_chain(three_states, 50'000), 1);
    EXPECT_EQ(reach_of(points), 4);
    EXPECT_EQ(reach_of(row_dependence(random_symbols(50'000, 8), 1)), 0);
}

TEST(RowDependence, DoesNotCareForNames) {
    const auto symbols = markov_chain(three_states, 20'000);
    std::vector<std::uint8_t> renamed;
    for (const auto symbol : symbols) renamed.push_back(static_cast<std::uint8_t>(200 - 7 * symbol));
    const auto first = row_dependence(symbols, 1), second = row_dependence(renamed, 1);
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_NEAR(first[i].bits, second[i].bits, 1e-12);
        EXPECT_NEAR(first[i].noise, second[i].noise, 1e-12);
    }
}

TEST(RowDependence, SeesAPeriodAtEveryDistance) {
    std::vector<std::uint8_t> symbols;
    for (int i = 0; i < 20'000; ++i) symbols.push_back(i % 2 == 0 ? 'a' : 'b');
    for (const auto& point : row_dependence(symbols, 1)) {
        EXPECT_NEAR(point.bits, 1, 0.02);
        EXPECT_LT(point.noise, 0.1);
    }
}

TEST(RowDependence, GivesTheSameNumbersForTheSameSeed) {
    const auto symbols = markov_chain(three_states, 5'000);
    EXPECT_EQ(row_dependence(symbols, 3), row_dependence(symbols, 3));
    EXPECT_NE(row_dependence(symbols, 3), row_dependence(symbols, 4));
}

TEST(RowDependence, SaysNothingAboutTooShortARow) {
    EXPECT_TRUE(row_dependence(random_symbols(15, 4), 1).empty());
    EXPECT_EQ(row_dependence(random_symbols(16, 4), 1).size(), 1U);
}

TEST(PlaceDependence, TakesPlacesByThemselves) {
    // Place 0 is always 0 and place 1 always 1; the others are a bit, its copy, and another bit.
    SymbolRows rows{{}, 5, 2};
    RandomStream stream(1, "test/places");
    for (int i = 0; i < 4000; ++i) {
        const auto bit = static_cast<std::uint8_t>(stream.below(2)),
                   other = static_cast<std::uint8_t>(stream.below(2));
        for (const std::uint8_t symbol : {std::uint8_t{0}, std::uint8_t{1}, bit, bit, other})
            rows.symbols.push_back(symbol);
    }
    const auto bits = [&](std::size_t a, std::size_t b) {
        const std::vector<PositionPair> places{{a, b}};
        return place_dependence(rows, places, 1, 1);
    };
    EXPECT_EQ(bits(0, 1).bits, 0);
    EXPECT_NEAR(bits(2, 3).bits, 1, 0.001);
    EXPECT_LE(bits(3, 4).bits, bits(3, 4).noise);
    const std::vector<PositionPair> both{{0, 1}, {2, 3}};
    EXPECT_NEAR(place_dependence(rows, both, 1, 1).bits, 0.5, 0.001);
}

TEST(CoarseSymbols, KeepsTheMostFrequentAndThenTheFirstSeen) {
    const std::vector<std::uint32_t> symbols{9, 70'000, 70'000, 5, 9, 70'000, 1, 5};
    EXPECT_THAT(coarse_symbols(symbols, 3), ElementsAre(1, 0, 0, 2, 1, 0, 2, 2));
    EXPECT_THAT(coarse_symbols(symbols, 8), ElementsAre(1, 0, 0, 2, 1, 0, 3, 2));
    EXPECT_TRUE(coarse_symbols({}, 8).empty());
}

TEST(CountableClasses, MeetsEachPairEightTimes) {
    EXPECT_EQ(countable_classes(1'000'000, 256), 256U);
    EXPECT_EQ(countable_classes(80'000, 256), 100U);
    EXPECT_EQ(countable_classes(10, 256), 2U);
}

}  // namespace
}  // namespace plimsoll::fit

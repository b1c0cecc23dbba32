#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/fit/look/dependence.h"
#include "tests/fit/sources.h"

namespace plimsoll::fit {
namespace {

using Matrix = std::vector<std::vector<double>>;

// Solves matrix x = right for all columns of `right`.
Matrix solved(Matrix matrix, Matrix right) {
    const std::size_t size = matrix.size();
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < size; ++k) {
            if (k == i) continue;
            const double factor = matrix[k][i] / matrix[i][i];
            for (std::size_t j = 0; j < size; ++j) matrix[k][j] -= factor * matrix[i][j];
            for (std::size_t j = 0; j < right[k].size(); ++j) right[k][j] -= factor * right[i][j];
        }
    }
    for (std::size_t i = 0; i < size; ++i)
        for (double& entry : right[i]) entry /= matrix[i][i];
    return right;
}

// Of a chain of spins with covariance rho^|i - j|: log2(1 + trace(A^-1 C B^-1 C^T)).
double bits_of_spins(double rho, const Split& split) {
    const auto covariance = [&](const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
        Matrix result(a.size(), std::vector<double>(b.size()));
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < b.size(); ++j)
                result[i][j] = std::pow(rho, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[j])));
        return result;
    };
    const Matrix left = solved(covariance(split.first, split.first), covariance(split.first, split.second));
    const Matrix right =
        solved(covariance(split.second, split.second), covariance(split.second, split.first));
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
        for (std::size_t j = 0; j < right.size(); ++j) sum += left[i][j] * right[j][i];
    return std::log2(1 + sum);
}

// Windows of 8 random bits and 8 more that `place` takes from them.
SymbolRows copied_bits(std::size_t (*place)(std::size_t bit, bool copy)) {
    SymbolRows rows{std::vector<std::uint8_t>(std::size_t{2000} * 16), 16, 2};
    RandomStream stream(1, "test/copies");
    for (std::size_t i = 0; i < 2000; ++i) {
        for (std::size_t bit = 0; bit < 8; ++bit) {
            const auto value = static_cast<std::uint8_t>(stream.below(2));
            rows.symbols[i * 16 + place(bit, false)] = value;
            rows.symbols[i * 16 + place(bit, true)] = value;
        }
    }
    return rows;
}

TEST(SplitDependence, LeftRightIsTheAnalyticValueOfAMarkovChain) {
    const auto windows = windows_of(markov_chain(three_states, 200'000), 16, 1);
    const auto start = stationary(three_states);
    double sum = 0;  // of the squared singular values of D^1/2 T D^-1/2, the constant's 1 among them
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            sum += start[i] * three_states[i][j] * three_states[i][j] / start[j];
    const auto measured = split_dependence(windows, row_splits(16)[0], 1);
    EXPECT_EQ(measured.split, "left/right");
    EXPECT_NEAR(measured.bits, std::log2(sum), 0.03);
    EXPECT_GT(measured.bits, 10 * measured.noise);
}

TEST(SplitDependence, BothSplitsOfASpinChainAreThoseOfItsCovariance) {
    const Transitions spins{{0.8, 0.2}, {0.2, 0.8}};
    const auto windows = windows_of(markov_chain(spins, 200'000), 16, 1);
    for (const Split& split : row_splits(16))
        EXPECT_NEAR(split_dependence(windows, split, 1).bits, bits_of_spins(0.6, split), 0.05) << split.name;
    EXPECT_NEAR(bits_of_spins(0.6, row_splits(16)[0]), std::log2(1 + 0.36), 1e-9);
}

TEST(SplitDependence, IsWithinNoiseForIndependentSymbols) {
    for (const std::uint64_t below : {2U, 5U, 200U}) {
        const auto windows = windows_of(random_symbols(40'000, below), 16, 1);
        for (const Split& split : row_splits(16)) {
            const auto measured = split_dependence(windows, split, 1);
            EXPECT_LE(measured.bits, measured.noise) << below << " symbols, " << split.name;
        }
    }
}

TEST(SplitDependence, CountsTheCopiesThatASplitParts) {
    const auto far = copied_bits([](std::size_t bit, bool copy) { return copy ? bit + 8 : bit; });
    const auto near = copied_bits([](std::size_t bit, bool copy) { return copy ? 2 * bit + 1 : 2 * bit; });
    const auto splits = row_splits(16);
    const double all = std::log2(1 + 8.0);
    EXPECT_NEAR(split_dependence(far, splits[0], 1).bits, all, 0.001);
    EXPECT_NEAR(split_dependence(near, splits[1], 1).bits, all, 0.001);
    for (const auto& none : {split_dependence(far, splits[1], 1), split_dependence(near, splits[0], 1)})
        EXPECT_LE(none.bits, none.noise);
}

TEST(SplitDependence, APeriodIsOneBitAcrossEverySplit) {
    std::vector<std::uint8_t> symbols;
    for (int i = 0; i < 50'000; ++i) symbols.push_back(i % 2 == 0 ? 'a' : 'b');
    const auto windows = windows_of(symbols, 16, 1);
    for (const Split& split : row_splits(16))
        EXPECT_NEAR(split_dependence(windows, split, 1).bits, 1, 0.001) << split.name;
}

TEST(SplitDependence, CaresNeitherForNamesNorForTheOrderOfTheHalves) {
    const auto symbols = markov_chain(three_states, 50'000);
    std::vector<std::uint8_t> renamed;
    for (const auto symbol : symbols)
        renamed.push_back(static_cast<std::uint8_t>(90 + 11 * ((symbol + 2) % 3)));
    const Split split = row_splits(16)[1], swapped{split.name, split.second, split.first};
    const auto windows = windows_of(symbols, 16, 1);
    const double bits = split_dependence(windows, split, 1).bits;
    EXPECT_EQ(split_dependence(windows_of(renamed, 16, 1), split, 1).bits, bits);
    EXPECT_NEAR(split_dependence(windows, swapped, 1).bits, bits, 0.01);
    EXPECT_GT(bits, 0.5);
}

TEST(SplitDependence, OneSymbolTellsNothing) {
    const SymbolRows rows{std::vector<std::uint8_t>(1600), 16, 2};
    const auto measured = split_dependence(rows, row_splits(16)[0], 1);
    EXPECT_EQ(measured.bits, 0);
    EXPECT_EQ(measured.noise, 0);
}

TEST(ClassesFor, LeavesRoomForTheCorrelations) {
    EXPECT_EQ(classes_for(65'536, 16), 8U);
    EXPECT_EQ(classes_for(10'000, 16), 7U);
    EXPECT_EQ(classes_for(10, 16), 2U);
}

}  // namespace
}  // namespace plimsoll::fit

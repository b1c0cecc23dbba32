#include "plimsoll/rank/elimination/elimination.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rank/made_sources.h"

namespace plimsoll::rank {
namespace {

using made::finite;
using made::Matrix;
using made::matrix_of_rank;
using made::MatrixSource;
using made::random_residues;
using made::samples_of_rank;

// The rank by every elimination; a test failure when they differ.
std::size_t agreed_rank(const ScoreSource& source, std::size_t rows, std::size_t cols) {
    EliminationLimits limits;
    limits.max_size = std::max(rows, cols);
    const EliminationResult grown = rank_by_growth(source, limits);
    EXPECT_EQ(grown.rank, rank_by_flint(source, grown.rows, grown.cols));
    EXPECT_TRUE(grown.complete);
    EXPECT_FALSE(grown.saturated);
    if (fflas_available()) {
        const EliminationResult pivoted = rank_by_fflas(source, rows, cols, limits);
        EXPECT_EQ(pivoted.rank, grown.rank);
        EXPECT_TRUE(pivoted.complete);
    }
    EXPECT_EQ(measure_rank(source, limits).rank, grown.rank);
    return grown.rank;
}

std::size_t agreed_rank(const BalancedField& field, const Matrix& matrix) {
    return agreed_rank(finite(field, matrix), matrix.rows(), matrix.cols());
}

void put(const Matrix& part, Matrix& whole, std::size_t row, std::size_t col) {
    for (std::size_t i = 0; i < part.rows(); ++i) {
        for (std::size_t j = 0; j < part.cols(); ++j) whole(row + i, col + j) = part(i, j);
    }
}

Matrix shuffled(const Matrix& matrix, std::uint64_t seed) {
    RandomStream stream(seed, "tests/rank/shuffle");
    std::vector<std::size_t> rows(matrix.rows()), cols(matrix.cols());
    for (auto* order : {&rows, &cols}) {
        for (std::size_t i = 0; i < order->size(); ++i) {
            (*order)[i] = i;
            std::swap((*order)[i], (*order)[stream.below(i + 1)]);
        }
    }
    Matrix result(matrix.rows(), matrix.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < cols.size(); ++j) result(i, j) = matrix(rows[i], cols[j]);
    }
    return result;
}

TEST(Elimination, FindsTheRankAMatrixWasMadeWith) {
    struct Case {
        std::size_t rows, cols, rank;
    };
    for (const std::uint32_t p : {65537U, default_prime, 8388593U}) {
        const BalancedField field{p};
        for (const auto& [rows, cols, rank] :
             {Case{1, 1, 0}, Case{1, 1, 1}, Case{5, 5, 3}, Case{63, 63, 63}, Case{64, 64, 63},
              Case{65, 65, 64}, Case{65, 40, 17}, Case{40, 65, 40}, Case{100, 100, 0}, Case{128, 128, 128},
              Case{150, 130, 129}, Case{200, 200, 1}}) {
            const Matrix matrix = matrix_of_rank(field, rows, cols, rank, rows + cols + rank);
            EXPECT_EQ(agreed_rank(field, matrix), rank) << rows << " x " << cols << " mod " << p;
        }
    }
}

TEST(Elimination, EmptyMatricesHaveRankZero) {
    for (const auto& [rows, cols] : {std::pair{0, 0}, std::pair{0, 7}, std::pair{7, 0}}) {
        const Matrix matrix(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
        EXPECT_EQ(agreed_rank(BalancedField{}, matrix), 0U);
    }
}

TEST(Elimination, TakesMatricesWhoseLeadingBlocksAreSingular) {
    const BalancedField field;
    const Matrix a = random_residues(field, 90, 90, 1), b = matrix_of_rank(field, 90, 90, 50, 2);
    Matrix corner(180, 180), exchanged(180, 180), diagonal(180, 180), stairs(180, 180);
    put(a, corner, 90, 90);
    put(a, exchanged, 90, 0);
    put(b, exchanged, 0, 90);
    put(b, diagonal, 0, 0);
    put(a, diagonal, 90, 90);
    for (std::size_t i = 0; i < 180; i += 2) stairs(i, 179 - i) = 1;
    EXPECT_EQ(agreed_rank(field, corner), 90U);
    EXPECT_EQ(agreed_rank(field, exchanged), 140U);
    EXPECT_EQ(agreed_rank(field, diagonal), 140U);
    EXPECT_EQ(agreed_rank(field, stairs), 90U);
    EXPECT_EQ(agreed_rank(field, shuffled(exchanged, 3)), 140U);
    EXPECT_EQ(agreed_rank(field, shuffled(corner, 4)), 90U);
}

TEST(Elimination, AgreesOverSmallFieldsWhereNothingIsGeneric) {
    for (const std::uint32_t p : {3U, 5U, 7U, 251U}) {
        const BalancedField field{p};
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            const Matrix matrix = matrix_of_rank(field, 90 + 20 * seed, 140, 70, 10 * p + seed);
            EXPECT_LE(agreed_rank(field, matrix), 70U);
            EXPECT_GE(agreed_rank(field, random_residues(field, 100, 100, p + seed)), 95U);
        }
    }
}

TEST(Elimination, RandomSparseMatricesAgree) {
    const BalancedField field;
    RandomStream stream(5, "tests/rank/sparse");
    for (int round = 0; round < 6; ++round) {
        Matrix matrix(120, 140);
        for (int k = 0; k < 60 + 30 * round; ++k)
            matrix(stream.below(120), stream.below(140)) = field.random(stream);
        agreed_rank(field, matrix);
    }
}

TEST(Growth, StopsBehindTheRankOfEndlessSamples) {
    const BalancedField field;
    for (const std::size_t rank : {0U, 1U, 44U, 45U, 60U, 63U, 64U, 100U, 128U, 300U}) {
        const MatrixSource source = samples_of_rank(field, 512, rank, rank);
        const EliminationResult result = rank_by_growth(source, {});
        EXPECT_EQ(result.rank, rank);
        EXPECT_FALSE(result.saturated);
        EXPECT_FALSE(result.complete) << "samples never end";
        EXPECT_GE(result.slack, 20U);
        EXPECT_LE(result.size, rank + 128) << "it grows no further than it must";
        EXPECT_EQ(result.size, result.rank + result.slack);
        EXPECT_EQ(result.rows, result.cols);
        EXPECT_EQ(result.backend, "bordered LU");
        EXPECT_EQ(measure_rank(source, {}).rank, rank);
    }
}

TEST(Growth, KeepsTheSlackItIsAskedFor) {
    const BalancedField field;
    const MatrixSource source = samples_of_rank(field, 512, 50, 9);
    EliminationLimits limits;
    for (const std::size_t slack : {1U, 14U, 15U, 100U, 200U}) {
        limits.slack = slack;
        const EliminationResult result = rank_by_growth(source, limits);
        EXPECT_EQ(result.rank, 50U);
        EXPECT_GE(result.slack, slack);
    }
}

TEST(Growth, IsSaturatedAtTheLargestSizeAllowed) {
    const BalancedField field;
    const MatrixSource source = samples_of_rank(field, 300, 150, 8);
    EliminationLimits limits;
    for (const std::size_t size : {0U, 1U, 63U, 64U, 100U, 150U, 169U}) {
        limits.max_size = size;
        const EliminationResult result = rank_by_growth(source, limits);
        EXPECT_TRUE(result.saturated) << size;
        EXPECT_EQ(result.size, size);
        EXPECT_EQ(result.rank, std::min<std::size_t>(size, 150)) << "at least";
    }
    limits.max_size = 170;
    EXPECT_FALSE(rank_by_growth(source, limits).saturated) << "150 and a slack of 20 fit";
}

TEST(Growth, OfAMatrixWithoutGenericProfileGoesToTheEndOfIt) {
    // 40 spare rows and columns come first: slack proves nothing here.
    const BalancedField field;
    Matrix matrix(200, 200);
    put(random_residues(field, 160, 160, 3), matrix, 40, 40);
    EXPECT_EQ(rank_by_growth(finite(field, matrix), {}).rank, 160U);
    EliminationLimits limits;
    limits.max_size = 80;
    const EliminationResult part = rank_by_growth(finite(field, matrix), limits);
    EXPECT_EQ(part.rank, 40U);
    EXPECT_TRUE(part.saturated);
}

TEST(Growth, KeepsWithinItsMemory) {
    const BalancedField field;
    const MatrixSource source = samples_of_rank(field, 700, 600, 4);
    const std::uint64_t enough = growth_bytes(700, 1);
    EliminationLimits limits;
    limits.max_bytes = enough;
    const EliminationResult whole = rank_by_growth(source, limits);
    EXPECT_EQ(whole.rank, 600U);
    EXPECT_LE(whole.bytes, enough);
    EXPECT_GE(whole.bytes, 4U * 600 * 600);
    limits.max_bytes = enough / 3;
    const EliminationResult part = rank_by_growth(source, limits);
    EXPECT_TRUE(part.saturated);
    EXPECT_LE(part.bytes, limits.max_bytes);
    EXPECT_GE(part.rank, size_that_fits(limits.max_bytes, 1));
    EXPECT_LT(part.rank, 600U);
    limits.max_bytes = 10;
    EXPECT_EQ(rank_by_growth(source, limits).size, 0U);
    EXPECT_TRUE(rank_by_growth(source, limits).saturated);
}

TEST(Growth, MemoryAndSizeAreInverse) {
    for (const int threads : {1, 2, 16}) {
        for (const std::size_t size : {64U, 1000U, 4000U, 31'744U}) {
            const std::size_t fits = size_that_fits(growth_bytes(size, threads), threads);
            EXPECT_GE(fits, size);
            EXPECT_LE(fits, size + 512);
            EXPECT_LT(size_that_fits(growth_bytes(size, threads) - 1, threads), size);
        }
    }
    // The measurement of the issue: rank 31,456 within 12 GB.
    EXPECT_LT(growth_bytes(31'456 + 20, 2), 5'000'000'000U);
    EXPECT_EQ(growth_bytes(std::numeric_limits<std::size_t>::max(), 1),
              std::numeric_limits<std::uint64_t>::max());
    EXPECT_GT(size_that_fits(std::numeric_limits<std::uint64_t>::max(), 1), 16'000'000U);
}

TEST(Growth, AnyNumberOfThreadsGivesTheSame) {
    const BalancedField field;
    const MatrixSource samples = samples_of_rank(field, 700, 555, 6);
    Matrix corner(200, 200);
    put(random_residues(field, 90, 90, 7), corner, 110, 110);
    for (const int threads : {1, 2, 3, 4, 0}) {
        EliminationLimits limits;
        limits.threads = threads;
        const EliminationResult result = rank_by_growth(samples, limits);
        EXPECT_EQ(result.rank, 555U) << threads;
        EXPECT_FALSE(result.saturated);
        EXPECT_EQ(rank_by_growth(finite(field, corner), limits).rank, 90U) << threads;
        if (!fflas_available()) continue;
        EXPECT_EQ(rank_by_fflas(finite(field, corner), 200, 200, limits).rank, 90U) << threads;
    }
}

TEST(Growth, AsksForEveryEntryOfRandomSamplesOnce) {
    // Entries are what costs most in small measurements.
    class Counting : public MatrixSource {
      public:
        using MatrixSource::MatrixSource;
        void fill(std::size_t row, std::size_t col, MatrixView<double> out) const override {
            const std::lock_guard lock(mutex);
            asked += out.rows() * out.cols();
            MatrixSource::fill(row, col, out);
        }
        mutable std::mutex mutex;
        mutable std::size_t asked = 0;
    };
    const BalancedField field;
    const Counting source(field, matrix_of_rank(field, 400, 400, 300, 2), made::Profile::generic,
                          made::Extent::endless);
    const EliminationResult result = rank_by_growth(source, {});
    EXPECT_EQ(result.rank, 300U);
    EXPECT_EQ(source.asked, result.rows * result.cols);
}

TEST(Growth, ReportsHowFarItIs) {
    const BalancedField field;
    std::vector<std::uint64_t> done;
    std::set<std::uint64_t> totals;
    EliminationLimits limits;
    limits.max_size = 200;
    const auto note = [&](std::uint64_t part, std::uint64_t total) {
        done.push_back(part);
        totals.insert(total);
        EXPECT_LE(part, total);
    };
    rank_by_growth(samples_of_rank(field, 200, 200, 1), limits, note);
    EXPECT_GE(done.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(done));
    EXPECT_EQ(totals.size(), 1U);
    EXPECT_EQ(done.back(), *totals.begin());
}

TEST(Growth, PassesOnWhatASourceThrows) {
    class Broken : public MatrixSource {
      public:
        using MatrixSource::MatrixSource;
        void fill(std::size_t row, std::size_t, MatrixView<double> out) const override {
            PLIMSOLL_CHECK(row + out.rows() <= 64, "broken on purpose");
        }
    };
    const BalancedField field;
    const Broken source(field, Matrix(1, 1), made::Profile::any, made::Extent::endless);
    for (const int threads : {1, 2}) {
        EliminationLimits limits;
        limits.threads = threads;
        EXPECT_THROW((void)rank_by_growth(source, limits), Bug);
    }
}

TEST(Growth, ThatRunsOutOfMemorySaysAtLeast) {
    class Greedy : public MatrixSource {
      public:
        using MatrixSource::MatrixSource;
        void fill(std::size_t row, std::size_t col, MatrixView<double> out) const override {
            if (row >= 64) throw std::bad_alloc();
            MatrixSource::fill(row, col, out);
        }
    };
    const BalancedField field;
    const Greedy source(field, random_residues(field, 200, 200, 1), made::Profile::generic,
                        made::Extent::endless);
    const EliminationResult result = rank_by_growth(source, {});
    EXPECT_EQ(result.rank, 64U);
    EXPECT_TRUE(result.saturated);
}

TEST(Fflas, TakesThePartThatFits) {
    if (!fflas_available()) GTEST_SKIP() << "no FFLAS-FFPACK here";
    const BalancedField field;
    const MatrixSource source = finite(field, random_residues(field, 200, 100, 1));
    EliminationLimits limits;
    limits.max_bytes = fflas_bytes(100, 100);
    const EliminationResult square = rank_by_fflas(source, 200, 100, limits);
    EXPECT_EQ(square.rank, square.size);
    EXPECT_EQ(square.backend, "FFLAS-FFPACK");
    EXPECT_LE(square.bytes, limits.max_bytes);
    limits.max_bytes = fflas_bytes(50, 50);
    const EliminationResult part = rank_by_fflas(source, 200, 100, limits);
    EXPECT_TRUE(part.saturated);
    EXPECT_LE(part.size, 50U);
    EXPECT_GE(part.size, 45U);
    EXPECT_EQ(part.rank, part.size);
    limits = {};
    limits.max_size = 30;
    EXPECT_EQ(rank_by_fflas(source, 200, 100, limits).rank, 30U);
    EXPECT_TRUE(rank_by_fflas(source, 200, 100, limits).saturated);
}

TEST(MeasureRank, ChoosesPivotingOnlyWhereItIsNeededAndFits) {
    if (!fflas_available()) GTEST_SKIP() << "no FFLAS-FFPACK here";
    const BalancedField field;
    const Matrix matrix = matrix_of_rank(field, 150, 120, 80, 5);
    EliminationLimits limits;
    EXPECT_EQ(measure_rank(finite(field, matrix), limits).backend, "FFLAS-FFPACK");
    const MatrixSource generic(field, matrix, made::Profile::generic, made::Extent::finite);
    EXPECT_EQ(measure_rank(generic, limits).backend, "bordered LU");
    limits.max_bytes = fflas_bytes(150, 120) - 1;
    EXPECT_EQ(measure_rank(finite(field, matrix), limits).backend, "bordered LU");
    EXPECT_EQ(measure_rank(samples_of_rank(field, 200, 80, 5), {}).backend, "bordered LU");
}

}  // namespace
}  // namespace plimsoll::rank

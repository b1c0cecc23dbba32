#include <algorithm>
#include <memory>

#include "plimsoll/rank/elimination/elimination.h"
#include "plimsoll/rank/elimination/elimination_steps.h"
#include "plimsoll/rank/elimination/fflas_pluq.h"
#include "plimsoll/rank/lapack.h"
#include "plimsoll/rank/parallel_tasks.h"

namespace plimsoll::rank {
namespace {

struct Shape {
    std::size_t rows, cols;
};

// The largest part of rows x cols within the limits; the longer side gives way first.
Shape within(const EliminationLimits& limits, Shape shape) {
    shape = {std::min(shape.rows, limits.max_size), std::min(shape.cols, limits.max_size)};
    while (shape.rows > 0 && shape.cols > 0 && fflas_bytes(shape.rows, shape.cols) > limits.max_bytes) {
        std::size_t& longer = shape.rows > shape.cols ? shape.rows : shape.cols;
        longer -= (longer + 63) / 64;
    }
    return shape;
}

std::size_t eliminate(const ScoreSource& source, Shape shape, int threads) {
    const auto entries = std::make_unique_for_overwrite<double[]>(shape.rows * shape.cols);
    const MatrixView<double> matrix(entries.get(), shape.rows, shape.cols);
    fill_all(source, matrix, threads);
    // PLUQ itself runs on one thread; the products inside it use as many as they are given.
    const BlasThreads scope(threads);
    return pluq_rank(source.field(), matrix);
}

}  // namespace

bool fflas_available() {
    return pluq_available() && prepare_elimination().ok() && lapack::routine("cblas_dgemm") != nullptr;
}

std::uint64_t fflas_bytes(std::size_t rows, std::size_t cols) {
    // The matrix and what PLUQ takes beside it: 1.27 times the matrix for a square one, 1.57 times for one of
    // six to one, both measured (docs/measurements/rank.md).
    constexpr double with_workspace = 1.6;
    return static_cast<std::uint64_t>(with_workspace * sizeof(double) * static_cast<double>(rows) *
                                      static_cast<double>(cols));
}

EliminationResult rank_by_fflas(const ScoreSource& source, std::size_t rows, std::size_t cols,
                                const EliminationLimits& limits) {
    PLIMSOLL_CHECK(fflas_available(), "fflas_available() has not been asked");
    const Shape shape =
        within(limits, {std::min(rows, source.max_rows()), std::min(cols, source.max_cols())});
    return fflas_or_growth(source, limits, [&] {
        const std::size_t rank = eliminate(source, shape, threads_of(limits.threads));
        EliminationResult result = verdict(source, shape.rows, shape.cols, rank, limits);
        result.bytes = fflas_bytes(shape.rows, shape.cols);
        return result;
    });
}

}  // namespace plimsoll::rank

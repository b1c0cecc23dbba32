#include "plimsoll/rank/elimination/elimination.h"

#include <algorithm>

#include "plimsoll/rank/elimination/elimination_steps.h"
#include "plimsoll/rank/lapack.h"
#include "plimsoll/rank/parallel_tasks.h"

namespace plimsoll::rank {

Status prepare_elimination() { return lapack::load(); }

EliminationResult verdict(const ScoreSource& source, std::size_t rows, std::size_t cols, std::size_t rank,
                          const EliminationLimits& limits) {
    EliminationResult result;
    result.rank = rank;
    result.rows = rows;
    result.cols = cols;
    result.size = std::min(rows, cols);
    result.slack = result.size - rank;
    const bool saw_all = rows == source.max_rows() && cols == source.max_cols();
    result.complete = saw_all || rank == source.max_rows() || rank == source.max_cols();
    const bool stopped = source.generic_profile() && result.size > 0 && result.slack >= limits.slack;
    result.saturated = !result.complete && !stopped;
    return result;
}

void fill_all(const ScoreSource& source, MatrixView<double> out, int threads) {
    constexpr std::size_t rows_a_task = 64;
    const std::size_t tasks = (out.rows() + rows_a_task - 1) / rows_a_task;
    run_tasks(tasks, threads, [&](std::size_t task) {
        const std::size_t row = task * rows_a_task;
        const std::size_t count = std::min(rows_a_task, out.rows() - row);
        source.fill(row, 0, out.block(row, 0, count, out.cols()));
    });
}

EliminationResult measure_rank(const ScoreSource& source, const EliminationLimits& limits,
                               const ProgressCallback& progress) {
    constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();
    const std::size_t rows = source.max_rows(), cols = source.max_cols();
    const bool finite = rows != endless && cols != endless;
    if (!finite || source.generic_profile() || !fflas_available()) {
        return rank_by_growth(source, limits, progress);
    }
    if (suits_long_rank(source, limits)) return rank_of_long(source, limits);
    const bool fits = std::max(rows, cols) <= limits.max_size && fflas_bytes(rows, cols) <= limits.max_bytes;
    return fits ? rank_by_fflas(source, rows, cols, limits) : rank_by_growth(source, limits, progress);
}

}  // namespace plimsoll::rank

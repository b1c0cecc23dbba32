#include <algorithm>
#include <memory>
#include <vector>

#include "plimsoll/rank/elimination/blas_product.h"
#include "plimsoll/rank/elimination/elimination.h"
#include "plimsoll/rank/elimination/elimination_steps.h"
#include "plimsoll/rank/elimination/fflas_pluq.h"
#include "plimsoll/rank/parallel_tasks.h"

namespace plimsoll::rank {
namespace {

// Few more chosen rows than columns: a random square matrix is singular with probability about 1/p already.
constexpr std::size_t spare_rows = 16;
constexpr std::size_t rows_a_task = 64;

// A source that is at least as high as wide: itself, or its transpose.
class Upright {
  public:
    explicit Upright(const ScoreSource& source)
        : source_(source), turned_(source.max_rows() < source.max_cols()) {}

    [[nodiscard]] const BalancedField& field() const { return source_.field(); }
    [[nodiscard]] std::size_t rows() const { return std::max(source_.max_rows(), source_.max_cols()); }
    [[nodiscard]] std::size_t cols() const { return std::min(source_.max_rows(), source_.max_cols()); }
    void fill_row(std::size_t row, MatrixView<double> out) const {  // out: 1 x cols()
        if (!turned_) return source_.fill(row, 0, out);
        source_.fill(0, row, MatrixView<double>(out.data(), cols(), 1));
    }
    [[nodiscard]] EliminationResult verdict_on(std::size_t rows_seen, std::size_t rank,
                                               const EliminationLimits& limits) const {
        return turned_ ? verdict(source_, cols(), rows_seen, rank, limits)
                       : verdict(source_, rows_seen, cols(), rank, limits);
    }

  private:
    const ScoreSource& source_;
    bool turned_;
};

// Rows spread evenly over all, and the others.
struct Choice {
    std::vector<std::size_t> chosen, others;
};

Choice spread(std::size_t count, std::size_t rows) {
    Choice choice;
    for (std::size_t row = 0; row < rows; ++row) {
        const bool next = choice.chosen.size() * rows <= row * count;
        (next && choice.chosen.size() < count ? choice.chosen : choice.others).push_back(row);
    }
    return choice;
}

void fill_rows(const Upright& matrix, std::span<const std::size_t> rows, MatrixView<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        matrix.fill_row(rows[i], out.block(i, 0, 1, out.cols()));
    }
}

using Entries = std::unique_ptr<double[]>;

// The right null space of the chosen rows; their own memory is given back.
DenseMatrix<double> null_space_of(const Upright& matrix, std::span<const std::size_t> rows, int threads) {
    const Entries entries = std::make_unique_for_overwrite<double[]>(rows.size() * matrix.cols());
    const MatrixView<double> view(entries.get(), rows.size(), matrix.cols());
    run_tasks((rows.size() + rows_a_task - 1) / rows_a_task, threads, [&](std::size_t task) {
        const std::size_t from = task * rows_a_task, count = std::min(rows_a_task, rows.size() - from);
        fill_rows(matrix, rows.subspan(from, count), view.block(from, 0, count, view.cols()));
    });
    const BlasThreads scope(threads);
    return pluq_null_space(matrix.field(), view);
}

// What the other rows add: the rank of their product with the null space of the chosen ones.
std::size_t rank_added(const Upright& matrix, std::span<const std::size_t> rows,
                       const DenseMatrix<double>& null_space, int threads) {
    DenseMatrix<double> products(rows.size(), null_space.cols());
    run_tasks((rows.size() + rows_a_task - 1) / rows_a_task, threads, [&](std::size_t task) {
        const std::size_t from = task * rows_a_task, count = std::min(rows_a_task, rows.size() - from);
        DenseMatrix<double> part(count, matrix.cols());
        fill_rows(matrix, rows.subspan(from, count), part.view());
        set_product(matrix.field(), part.view(), null_space.view(),
                    products.view().block(from, 0, count, null_space.cols()));
    });
    const BlasThreads scope(threads);
    return pluq_rank(matrix.field(), products.view());
}

std::uint64_t bytes_of(std::size_t rows, std::size_t cols) { return sizeof(double) * rows * cols; }

}  // namespace

bool suits_long_rank(const ScoreSource& source, const EliminationLimits& limits) {
    const Upright matrix(source);
    return matrix.rows() <= limits.max_size && 2 * matrix.rows() >= 3 * matrix.cols() &&
           long_bytes(matrix.cols()) <= limits.max_bytes;
}

std::uint64_t long_bytes(std::size_t short_side) {
    return fflas_bytes(short_side + spare_rows, short_side) + bytes_of(short_side, short_side);
}

EliminationResult rank_of_long(const ScoreSource& source, const EliminationLimits& limits) {
    PLIMSOLL_CHECK(fflas_available(), "fflas_available() has not been asked");
    const Upright matrix(source);
    const Choice choice = spread(std::min(matrix.cols() + spare_rows, matrix.rows()), matrix.rows());
    const int threads = threads_of(limits.threads);
    return fflas_or_growth(source, limits, [&] {
        const DenseMatrix<double> null_space = null_space_of(matrix, choice.chosen, threads);
        std::size_t rank = matrix.cols() - null_space.cols(), seen = choice.chosen.size();
        const std::uint64_t more =
            bytes_of(matrix.cols(), null_space.cols()) + fflas_bytes(choice.others.size(), null_space.cols());
        if (null_space.cols() > 0 && more <= limits.max_bytes) {
            rank += rank_added(matrix, choice.others, null_space, threads);
            seen = matrix.rows();
        }
        EliminationResult result = matrix.verdict_on(seen, rank, limits);
        result.bytes = std::max(fflas_bytes(choice.chosen.size(), matrix.cols()),
                                seen == matrix.rows() ? more : std::uint64_t{0});
        return result;
    });
}

}  // namespace plimsoll::rank

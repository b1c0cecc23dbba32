#include "plimsoll/rank/elimination/bordered_lu.h"

#include <algorithm>
#include <utility>

#include "plimsoll/rank/elimination/blas_product.h"
#include "plimsoll/rank/elimination/residue_kernels.h"
#include "plimsoll/rank/parallel_tasks.h"

namespace plimsoll::rank {
namespace {

using Indices = std::span<const std::size_t>;

// Calls use(first, count) for each run of consecutive numbers in `indices`.
template <class Use>
void for_each_run(Indices indices, Use use) {
    for (std::size_t first = 0; first < indices.size();) {
        std::size_t end = first + 1;
        while (end < indices.size() && indices[end] == indices[end - 1] + 1) ++end;
        use(first, end - first);
        first = end;
    }
}

// The parts of 0 .. size-1 that go to separate tasks.
struct Part {
    std::size_t from, count;
};
std::vector<Part> split(std::size_t size, std::size_t parts) {
    std::vector<Part> result;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t from = size * i / parts, end = size * (i + 1) / parts;
        if (end > from) result.push_back({from, end - from});
    }
    return result;
}

void narrow_rows(MatrixView<const double> from, Indices chosen, MatrixView<float> to) {
    for (std::size_t i = 0; i < chosen.size(); ++i) narrow(from.row(chosen[i]), to.row(i));
}

void narrow_columns(MatrixView<const double> from, Indices chosen, MatrixView<float> to) {
    for_each_run(chosen, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < from.rows(); ++i) {
            narrow(from.row(i).subspan(chosen[first], count), to.row(i).subspan(first, count));
        }
    });
}

}  // namespace

std::vector<std::size_t> PivotSide::candidates(std::size_t fresh) const {
    std::vector<std::size_t> result = waiting;
    for (std::size_t i = 0; i < fresh; ++i) result.push_back(seen + i);
    return result;
}

void PivotSide::accept(const std::vector<std::size_t>& candidates, const std::vector<std::size_t>& chosen,
                       std::size_t fresh) {
    waiting.clear();
    auto next = chosen.begin();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool is_chosen = next != chosen.end() && *next == i;
        (is_chosen ? pivots : waiting).push_back(candidates[i]);
        if (is_chosen) ++next;
    }
    seen += fresh;
}

BorderedLu::BorderedLu(const ScoreSource& source, int threads)
    : source_(source), threads_(threads_of(threads)) {}

void BorderedLu::add(std::size_t fresh_rows, std::size_t fresh_cols) {
    Border border{rows_.candidates(fresh_rows), cols_.candidates(fresh_cols), {}, {}, {}};
    border.x = DenseMatrix<double>(rank(), border.cols.size());
    border.y = DenseMatrix<double>(border.rows.size(), rank());
    border.schur = DenseMatrix<double>(border.rows.size(), border.cols.size());
    solve(border);
    find_schur(border);
    InvertiblePart part;
    const bool in_left = blocks_.size() % 2 == 1;
    run_tasks(1, 1,
              [&](std::size_t) { part = invertible_part(source_.field(), border.schur.view(), in_left); });
    accept(border, std::move(part), fresh_rows, fresh_cols);
}

void BorderedLu::solve(Border& border) const {
    // Two threads: one for X, one for Y. More: each of them in parts.
    const auto threads = static_cast<std::size_t>(threads_);
    const std::size_t parts = threads % 2 == 0 ? threads / 2 : threads;
    const auto columns = split(border.cols.size(), threads == 1 ? 1 : parts);
    const auto rows = split(border.rows.size(), threads == 1 ? 1 : parts);
    run_tasks(columns.size() + rows.size(), threads_, [&](std::size_t task) {
        if (task < columns.size()) {
            solve_columns(border, columns[task].from, columns[task].count);
        } else {
            const Part& part = rows[task - columns.size()];
            solve_rows(border, part.from, part.count);
        }
    });
}

// Forward substitution with L on columns [from, from + count) of X.
void BorderedLu::solve_columns(Border& border, std::size_t from, std::size_t count) const {
    std::vector<double> scratch;
    const Indices cols = Indices(border.cols).subspan(from, count);
    for (const Block& block : blocks_) {
        const MatrixView<double> part = border.x.view().block(block.offset, from, block.count(), count);
        fill(Indices(rows_.pivots).subspan(block.offset, block.count()), cols, part);
        subtract_product(source_.field(), block.left.view(),
                         border.x.view().block(0, from, block.offset, count), part, scratch);
        solve_left(source_.field(), block.diagonal, part);
    }
}

// The same with U on rows [from, from + count) of Y.
void BorderedLu::solve_rows(Border& border, std::size_t from, std::size_t count) const {
    std::vector<double> scratch;
    const Indices rows = Indices(border.rows).subspan(from, count);
    for (const Block& block : blocks_) {
        const MatrixView<double> part = border.y.view().block(from, block.offset, count, block.count());
        fill(rows, Indices(cols_.pivots).subspan(block.offset, block.count()), part);
        subtract_product(source_.field(), border.y.view().block(from, 0, count, block.offset),
                         block.right.view(), part, scratch);
        solve_right(source_.field(), block.diagonal, part);
    }
}

void BorderedLu::find_schur(Border& border) const {
    const auto parts = split(border.rows.size(), static_cast<std::size_t>(threads_));
    run_tasks(parts.size(), threads_, [&](std::size_t task) {
        const auto [from, count] = parts[task];
        const auto out = border.schur.view().block(from, 0, count, border.cols.size());
        fill(Indices(border.rows).subspan(from, count), border.cols, out);
        subtract_product(source_.field(), border.y.view().block(from, 0, count, rank()), border.x.view(),
                         out);
    });
}

void BorderedLu::accept(const Border& border, InvertiblePart part, std::size_t fresh_rows,
                        std::size_t fresh_cols) {
    const std::vector<std::size_t> rows = part.rows, cols = part.cols;
    if (part.rank() > 0) {
        Block block{rank(), DenseMatrix<float>(part.rank(), rank()), DenseMatrix<float>(rank(), part.rank()),
                    std::move(part)};
        narrow_rows(border.y.view(), rows, block.left.view());
        narrow_columns(border.x.view(), cols, block.right.view());
        stored_bytes_ += block_bytes(block.offset, block.count());
        largest_block_ = std::max(largest_block_, block.count());
        blocks_.push_back(std::move(block));
    }
    rows_.accept(border.rows, rows, fresh_rows);
    cols_.accept(border.cols, cols, fresh_cols);
}

void BorderedLu::fill(Indices rows, Indices cols, MatrixView<double> out) const {
    for_each_run(rows, [&](std::size_t row, std::size_t row_count) {
        for_each_run(cols, [&](std::size_t col, std::size_t col_count) {
            source_.fill(rows[row], cols[col], out.block(row, col, row_count, col_count));
        });
    });
}

std::uint64_t BorderedLu::bytes_to_add(std::size_t fresh_rows, std::size_t fresh_cols) const {
    return stored_bytes_ + border_bytes(rank(), rows_.waiting.size() + fresh_rows,
                                        cols_.waiting.size() + fresh_cols, largest_block_, threads_);
}

std::uint64_t block_bytes(std::size_t offset, std::size_t count) {
    // The diagonal block and the inverses within it, of which a single one is the worst case.
    return 2 * sizeof(float) * offset * count + 2 * sizeof(double) * count * count;
}

std::uint64_t border_bytes(std::size_t rank, std::size_t rows, std::size_t cols, std::size_t largest_block,
                           int threads) {
    const std::uint64_t border = sizeof(double) * (rank * (rows + cols) + rows * cols);
    // A widened operand and a solved part for each thread; the copies a block's inversion makes.
    const std::uint64_t scratch = sizeof(double) * largest_block * (longest_sum + std::max(rows, cols));
    const std::uint64_t inversion = sizeof(double) * 3 * rows * cols;
    const std::uint64_t next_block = block_bytes(rank, std::min(rows, cols));
    return border + std::max(static_cast<std::uint64_t>(threads) * scratch, inversion + next_block);
}

}  // namespace plimsoll::rank

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plimsoll/rank/constructions/score_source.h"
#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/elimination/bordered_lu_block.h"

namespace plimsoll::rank {

// The rows or the columns of a source as the factorisation sees them.
struct PivotSide {
    std::vector<std::size_t> pivots;   // in the order of the factors
    std::vector<std::size_t> waiting;  // seen, but dependent on the pivots within what was seen
    std::size_t seen = 0;              // 0 .. seen-1 are pivots or waiting

    // Those that wait, then the next `fresh`.
    [[nodiscard]] std::vector<std::size_t> candidates(std::size_t fresh) const;
    // Makes the chosen ones of `candidates` pivots and lets the others wait.
    void accept(const std::vector<std::size_t>& candidates, const std::vector<std::size_t>& chosen,
                std::size_t fresh);
};

// A block LU factorisation of a growing part of a source, A[pivot rows, pivot columns] = L U.
//
// Each step adds a border of rows and columns. With X = L^-1 A[pivot rows, new columns] and
// Y = A[new rows, pivot columns] U^-1 the border adds the rank of S = A[new, new] - Y X, the Schur
// complement. An invertible part of S as large as its rank is factored and appended; rows and columns outside
// it wait and join the next border. So the rank is that of everything seen, for any matrix. Of a random one S
// is invertible until the rank is reached: nothing waits, and all the work is products.
//
// Diagonal blocks are in U and in L by turns, so that X and Y, found at the same time, take equally long.
// Outside them L and U are kept in single precision, 4 bytes an entry.
class BorderedLu {
  public:
    BorderedLu(const ScoreSource& source, int threads);

    [[nodiscard]] std::size_t rank() const { return rows_.pivots.size(); }
    [[nodiscard]] std::size_t rows_seen() const { return rows_.seen; }
    [[nodiscard]] std::size_t cols_seen() const { return cols_.seen; }

    // The memory in use during a step that adds this many rows and columns.
    [[nodiscard]] std::uint64_t bytes_to_add(std::size_t fresh_rows, std::size_t fresh_cols) const;

    void add(std::size_t fresh_rows, std::size_t fresh_cols);

  private:
    struct Block {
        std::size_t offset = 0;          // pivots before it
        DenseMatrix<float> left, right;  // (count x offset) of L, (offset x count) of U
        InvertiblePart diagonal;

        [[nodiscard]] std::size_t count() const { return diagonal.rank(); }
    };
    // What a step works on.
    struct Border {
        std::vector<std::size_t> rows, cols;
        DenseMatrix<double> x, y, schur;  // (rank x cols), (rows x rank), (rows x cols)
    };

    void solve(Border& border) const;
    void solve_columns(Border& border, std::size_t from, std::size_t count) const;
    void solve_rows(Border& border, std::size_t from, std::size_t count) const;
    void find_schur(Border& border) const;
    void accept(const Border& border, InvertiblePart part, std::size_t fresh_rows, std::size_t fresh_cols);
    void fill(std::span<const std::size_t> rows, std::span<const std::size_t> cols,
              MatrixView<double> out) const;

    const ScoreSource& source_;
    int threads_;
    PivotSide rows_, cols_;
    std::vector<Block> blocks_;
    std::uint64_t stored_bytes_ = 0;
    std::size_t largest_block_ = 0;
};

// The memory of a step at `rank` pivots with a border of rows x cols, beside what is stored.
std::uint64_t border_bytes(std::size_t rank, std::size_t rows, std::size_t cols, std::size_t largest_block,
                           int threads);

// The memory of the factors of one block after `offset` pivots.
std::uint64_t block_bytes(std::size_t offset, std::size_t count);

}  // namespace plimsoll::rank

#pragma once

#include <cstddef>
#include <vector>

#include "plimsoll/base/matrix_view.h"

namespace plimsoll::rank {

// A row-major matrix that owns its entries, zero at first.
template <class T>
class DenseMatrix {
  public:
    DenseMatrix() = default;
    DenseMatrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), entries_(rows * cols) {}

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t cols() const { return cols_; }
    [[nodiscard]] MatrixView<T> view() { return {entries_.data(), rows_, cols_}; }
    [[nodiscard]] MatrixView<const T> view() const { return {entries_.data(), rows_, cols_}; }
    // Unchecked element access; the caller keeps row < rows() and col < cols().
    T& operator()(std::size_t row, std::size_t col) { return entries_[row * cols_ + col]; }
    const T& operator()(std::size_t row, std::size_t col) const { return entries_[row * cols_ + col]; }

  private:
    std::size_t rows_ = 0, cols_ = 0;
    std::vector<T> entries_;
};

}  // namespace plimsoll::rank

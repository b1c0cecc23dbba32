#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "plimsoll/base/check.h"

namespace plimsoll {

// A row-major matrix, not owned: rows x cols with `stride` elements from one row to the next.
template <class T>
class MatrixView {
  public:
    MatrixView(T* data, std::size_t rows, std::size_t cols) : MatrixView(data, rows, cols, cols) {}
    MatrixView(T* data, std::size_t rows, std::size_t cols, std::size_t stride)
        : data_(data), rows_(rows), cols_(cols), stride_(stride) {
        PLIMSOLL_CHECK(stride >= cols, "a row must fit in its stride");
    }

    // Who may write may also only read.
    operator MatrixView<const T>() const
        requires(!std::is_const_v<T>)
    {
        return {data_, rows_, cols_, stride_};
    }

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t cols() const { return cols_; }
    [[nodiscard]] std::size_t stride() const { return stride_; }
    [[nodiscard]] T* data() const { return data_; }
    // Unchecked element access; the caller keeps row < rows() and col < cols().
    T& operator()(std::size_t row, std::size_t col) const { return data_[row * stride_ + col]; }
    [[nodiscard]] std::span<T> row(std::size_t index) const { return {data_ + index * stride_, cols_}; }

    // The rows x cols part that starts at (row, col).
    [[nodiscard]] MatrixView block(std::size_t row, std::size_t col, std::size_t rows,
                                   std::size_t cols) const {
        PLIMSOLL_CHECK(rows <= rows_ && row <= rows_ - rows && cols <= cols_ && col <= cols_ - cols,
                       "block outside its matrix");
        return {data_ + row * stride_ + col, rows, cols, stride_};
    }

  private:
    T* data_;
    std::size_t rows_, cols_, stride_;
};

}  // namespace plimsoll

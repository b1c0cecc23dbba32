#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/base/matrix_view.h"
#include "plimsoll/nets/ring.h"

namespace plimsoll::nets {

// A dense row-major matrix that owns its elements.
template <class T>
class Matrix {
  public:
    Matrix() = default;
    // All elements zero.
    Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
    // Row by row, as one would write it; all rows of one length.
    Matrix(std::initializer_list<std::initializer_list<T>> rows)
        : Matrix(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
        auto out = data_.begin();
        for (const auto& row : rows) {
            PLIMSOLL_CHECK(row.size() == cols_, "rows of different lengths");
            for (const T& element : row) *out++ = element;
        }
    }

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t cols() const { return cols_; }
    T& operator()(std::size_t row, std::size_t col) { return data_[row * cols_ + col]; }
    const T& operator()(std::size_t row, std::size_t col) const { return data_[row * cols_ + col]; }
    // The elements, row after row.
    [[nodiscard]] std::vector<T>& data() & { return data_; }
    [[nodiscard]] const std::vector<T>& data() const& { return data_; }
    [[nodiscard]] std::vector<T> data() && { return std::move(data_); }
    [[nodiscard]] MatrixView<T> view() { return {data_.data(), rows_, cols_}; }
    [[nodiscard]] MatrixView<const T> view() const { return {data_.data(), rows_, cols_}; }

    bool operator==(const Matrix&) const = default;

  private:
    std::size_t rows_ = 0, cols_ = 0;
    std::vector<T> data_;
};

template <Ring R>
using MatrixOver = Matrix<typename R::Element>;

// The shape as one comparable value.
template <class T>
std::pair<std::size_t, std::size_t> shape(const Matrix<T>& a) {
    return {a.rows(), a.cols()};
}

// a b, with inner dimensions checked.
template <Ring R>
MatrixOver<R> product(const R& ring, const MatrixOver<R>& a, const MatrixOver<R>& b) {
    PLIMSOLL_CHECK(a.cols() == b.rows(), "inner dimensions of a product differ");
    MatrixOver<R> c(a.rows(), b.cols());
    for (std::size_t i = 0; i < a.rows(); ++i) {
        for (std::size_t k = 0; k < a.cols(); ++k) {
            for (std::size_t j = 0; j < b.cols(); ++j) {
                c(i, j) = ring.add(c(i, j), ring.multiply(a(i, k), b(k, j)));
            }
        }
    }
    return c;
}

// a b c ...; associated from the left.
template <Ring R, class... Rest>
MatrixOver<R> product(const R& ring, const MatrixOver<R>& a, const MatrixOver<R>& b, const Rest&... rest)
    requires(sizeof...(rest) > 0)
{
    return product(ring, product(ring, a, b), rest...);
}

// f(a_ij) for every element.
template <class T, class F>
auto map(const Matrix<T>& a, F&& f) {
    Matrix<std::decay_t<decltype(f(std::declval<const T&>()))>> result(a.rows(), a.cols());
    for (std::size_t i = 0; i < a.data().size(); ++i) result.data()[i] = f(a.data()[i]);
    return result;
}

// a + b.
template <Ring R>
MatrixOver<R> sum(const R& ring, const MatrixOver<R>& a, const MatrixOver<R>& b) {
    PLIMSOLL_CHECK(shape(a) == shape(b), "shapes of a sum differ");
    MatrixOver<R> c = a;
    for (std::size_t i = 0; i < c.data().size(); ++i) c.data()[i] = ring.add(c.data()[i], b.data()[i]);
    return c;
}

template <class T>
Matrix<T> transpose(const Matrix<T>& a) {
    Matrix<T> result(a.cols(), a.rows());
    for (std::size_t i = 0; i < a.rows(); ++i) {
        for (std::size_t j = 0; j < a.cols(); ++j) result(j, i) = a(i, j);
    }
    return result;
}

template <Ring R>
MatrixOver<R> identity(const R& ring, std::size_t size) {
    MatrixOver<R> result(size, size);
    for (std::size_t i = 0; i < size; ++i) result(i, i) = ring.from_integer(1);
    return result;
}

// s a.
template <Ring R>
MatrixOver<R> scale(const R& ring, const typename R::Element& s, const MatrixOver<R>& a) {
    return map(a, [&](const auto& x) { return ring.multiply(s, x); });
}

// The Hadamard power: every element to the given exponent.
template <Ring R>
MatrixOver<R> hadamard_power(const R& ring, const MatrixOver<R>& a, std::uint64_t exponent) {
    return map(a, [&](const auto& x) { return power(ring, x, exponent); });
}

// Elements drawn row by row from the stream.
template <Ring R>
MatrixOver<R> random_matrix(const R& ring, std::size_t rows, std::size_t cols, RandomStream& stream) {
    MatrixOver<R> result(rows, cols);
    for (auto& x : result.data()) x = ring.random(stream);
    return result;
}

}  // namespace plimsoll::nets

#include "plimsoll/nets/sphere_rows.h"

namespace plimsoll::nets {
namespace {

// std::gcd knows no 128-bit integers when compiler extensions are off.
Integer common_divisor(Integer a, Integer b) {
    while (b != 0) {
        const Integer rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// |row|^2.
template <Ring R>
typename R::Element squared_norm(const R& ring, const MatrixOver<R>& a, std::size_t row) {
    typename R::Element total{};
    for (std::size_t j = 0; j < a.cols(); ++j) {
        total = ring.add(total, ring.multiply(a(row, j), a(row, j)));
    }
    return total;
}

// (2u, |u|^2 - 1) for every row u: a point of norm |u|^2 + 1; (rows, cols + 1).
template <Ring R>
MatrixOver<R> project(const R& ring, const MatrixOver<R>& u) {
    MatrixOver<R> points(u.rows(), u.cols() + 1);
    for (std::size_t i = 0; i < u.rows(); ++i) {
        for (std::size_t j = 0; j < u.cols(); ++j) points(i, j) = ring.add(u(i, j), u(i, j));
        points(i, u.cols()) = ring.subtract(squared_norm(ring, u, i), ring.from_integer(1));
    }
    return points;
}

template <Ring R>
void scale_row(const R& ring, MatrixOver<R>& a, std::size_t row, typename R::Element factor) {
    for (std::size_t j = 0; j < a.cols(); ++j) a(row, j) = ring.multiply(a(row, j), factor);
}

}  // namespace

std::vector<std::vector<std::int64_t>> compositions(std::int64_t total, std::int64_t parts) {
    PLIMSOLL_CHECK(total >= 0 && parts >= 1, "compositions need a total and at least one part");
    if (parts == 1) return {{total}};
    std::vector<std::vector<std::int64_t>> all;
    for (std::int64_t first = 0; first <= total; ++first) {
        for (auto rest : compositions(total - first, parts - 1)) {
            rest.insert(rest.begin(), first);
            all.push_back(std::move(rest));
        }
    }
    return all;
}

MatrixOver<PrimeField> power_rows(const PrimeField& field, std::uint64_t omega, std::int64_t degree,
                                  std::int64_t parts) {
    const auto all = compositions(degree, parts);
    MatrixOver<PrimeField> rows(all.size(), static_cast<std::size_t>(parts));
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        for (std::size_t j = 0; j < rows.cols(); ++j) {
            rows(i, j) = power(field, omega, static_cast<std::uint64_t>(all[i][j]));
        }
    }
    return rows;
}

MatrixOver<PrimeField> unit_rows(const PrimeField& field, std::size_t rows, std::size_t cols,
                                 RandomStream& stream) {
    PLIMSOLL_CHECK(cols >= 1, "a unit row has at least one entry");
    const auto u = random_matrix(field, rows, cols - 1, stream);
    auto points = project(field, u);
    for (std::size_t i = 0; i < rows; ++i) {
        const auto norm = field.add(squared_norm(field, u, i), 1);
        scale_row(field, points, i, field.inverse(norm));
    }
    return points;
}

Matrix<Integer> equal_norm_rows(const Matrix<Integer>& directions) {
    const IntegerRing ring;
    auto points = project(ring, directions);
    Integer common = 1;
    for (std::size_t i = 0; i < directions.rows(); ++i) {
        const Integer norm = squared_norm(ring, directions, i);
        PLIMSOLL_CHECK(norm > 0, "a direction is not zero");
        common = ring.multiply(common / common_divisor(common, norm + 1), norm + 1);
    }
    for (std::size_t i = 0; i < directions.rows(); ++i) {
        scale_row(ring, points, i, common / (squared_norm(ring, directions, i) + 1));
    }
    return points;
}

}  // namespace plimsoll::nets

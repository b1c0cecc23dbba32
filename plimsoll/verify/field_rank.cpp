#include "plimsoll/verify/field_rank.h"

#include <utility>

#include "plimsoll/base/random.h"

namespace plimsoll::verify {
namespace {

constexpr std::size_t slack = 5;

std::size_t pivot_row(const FieldMatrix& matrix, std::size_t from, std::size_t col) {
    while (from < matrix.rows() && matrix(from, col) == 0) ++from;
    return from;
}

void swap_rows(FieldMatrix& matrix, std::size_t a, std::size_t b) {
    for (std::size_t j = 0; j < matrix.cols(); ++j) std::swap(matrix(a, j), matrix(b, j));
}

void clear_below(const nets::PrimeField& field, FieldMatrix& matrix, std::size_t pivot, std::size_t col) {
    const auto inverse = field.inverse(matrix(pivot, col));
    for (std::size_t i = pivot + 1; i < matrix.rows(); ++i) {
        const auto factor = field.multiply(matrix(i, col), inverse);
        if (factor == 0) continue;
        for (std::size_t j = col; j < matrix.cols(); ++j) {
            matrix(i, j) = field.subtract(matrix(i, j), field.multiply(factor, matrix(pivot, j)));
        }
    }
}

std::vector<FieldMatrix> draw(const SplitFunction& function, std::size_t size, std::uint64_t seed,
                              const char* side) {
    RandomStream stream(seed, side);
    std::vector<FieldMatrix> samples;
    for (std::size_t s = 0; s < size; ++s) {
        samples.push_back(nets::random_matrix(function.field, function.rows, function.cols, stream));
    }
    return samples;
}

FieldMatrix join_sides(const SplitFunction& function, const FieldMatrix& a, FieldMatrix b) {
    for (std::size_t k = 0; k < b.data().size(); ++k) {
        if (function.left[k]) b.data()[k] = a.data()[k];
    }
    return b;
}

}  // namespace

std::size_t field_rank(const nets::PrimeField& field, FieldMatrix matrix) {
    std::size_t rank = 0;
    for (std::size_t col = 0; col < matrix.cols() && rank < matrix.rows(); ++col) {
        const std::size_t pivot = pivot_row(matrix, rank, col);
        if (pivot == matrix.rows()) continue;
        swap_rows(matrix, pivot, rank);
        clear_below(field, matrix, rank, col);
        ++rank;
    }
    return rank;
}

MeasuredRank sampled_rank(const SplitFunction& function, std::size_t size, std::uint64_t seed) {
    const auto a = draw(function, size, seed, "verify/left"), b = draw(function, size, seed, "verify/right");
    FieldMatrix scores(size, size);
    for (std::size_t s = 0; s < size; ++s) {
        for (std::size_t t = 0; t < size; ++t)
            scores(s, t) = function.value(join_sides(function, a[s], b[t]));
    }
    const std::size_t rank = field_rank(function.field, scores);
    return {rank, rank + slack <= size};
}

std::vector<bool> left_columns(std::size_t rows, std::size_t cols, std::size_t count) {
    std::vector<bool> left(rows * cols);
    for (std::size_t k = 0; k < left.size(); ++k) left[k] = k % cols < count;
    return left;
}

}  // namespace plimsoll::verify

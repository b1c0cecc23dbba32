#include "tests/support/sampled_rank.h"

#include <utility>

#include "plimsoll/base/random.h"

namespace plimsoll::testing {
namespace {

// The first row from `from` on with a non-zero entry in `col`, or rows() if there is none.
std::size_t find_pivot(const FieldMatrix& a, std::size_t from, std::size_t col) {
    while (from < a.rows() && a(from, col) == 0) ++from;
    return from;
}

void swap_rows(FieldMatrix& a, std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < a.cols(); ++k) std::swap(a(i, k), a(j, k));
}

void eliminate_below(const nets::PrimeField& field, FieldMatrix& a, std::size_t pivot, std::size_t col) {
    const auto inverse = field.inverse(a(pivot, col));
    for (std::size_t i = pivot + 1; i < a.rows(); ++i) {
        if (a(i, col) == 0) continue;
        const auto factor = field.multiply(a(i, col), inverse);
        for (std::size_t j = col; j < a.cols(); ++j) {
            a(i, j) = field.subtract(a(i, j), field.multiply(factor, a(pivot, j)));
        }
    }
}

std::vector<FieldMatrix> draw_inputs(const nets::PrimeField& field, const Split& split, std::size_t size,
                                     std::uint64_t seed, const char* name) {
    RandomStream stream(seed, name);
    std::vector<FieldMatrix> inputs;
    for (std::size_t s = 0; s < size; ++s) {
        inputs.push_back(nets::random_matrix(field, split.rows, split.cols, stream));
    }
    return inputs;
}

FieldMatrix combine(const Split& split, const FieldMatrix& left, const FieldMatrix& right) {
    FieldMatrix x = right;
    for (std::size_t k = 0; k < x.data().size(); ++k) {
        if (split.left[k]) x.data()[k] = left.data()[k];
    }
    return x;
}

void extend_half(std::vector<std::vector<std::size_t>>& all, std::vector<std::size_t>& chosen,
                 std::size_t count) {
    if (2 * chosen.size() == count) {
        all.push_back(chosen);
        return;
    }
    for (std::size_t next = chosen.back() + 1; next < count; ++next) {
        chosen.push_back(next);
        extend_half(all, chosen, count);
        chosen.pop_back();
    }
}

}  // namespace

std::size_t rank_mod_p(const nets::PrimeField& field, FieldMatrix a) {
    std::size_t rank = 0;
    for (std::size_t col = 0; col < a.cols() && rank < a.rows(); ++col) {
        const std::size_t pivot = find_pivot(a, rank, col);
        if (pivot == a.rows()) continue;
        swap_rows(a, pivot, rank);
        eliminate_below(field, a, rank, col);
        ++rank;
    }
    return rank;
}

Split split_entries(std::size_t rows, std::size_t cols, const std::vector<std::size_t>& left) {
    Split split{rows, cols, std::vector<bool>(rows * cols, false)};
    for (const std::size_t k : left) split.left.at(k) = true;
    return split;
}

Split split_columns(std::size_t rows, std::size_t cols, const std::vector<std::size_t>& left) {
    std::vector<std::size_t> entries;
    for (std::size_t i = 0; i < rows; ++i) {
        for (const std::size_t j : left) entries.push_back(i * cols + j);
    }
    return split_entries(rows, cols, entries);
}

Split split_rows(std::size_t rows, std::size_t cols, const std::vector<std::size_t>& left) {
    std::vector<std::size_t> entries;
    for (const std::size_t i : left) {
        for (std::size_t j = 0; j < cols; ++j) entries.push_back(i * cols + j);
    }
    return split_entries(rows, cols, entries);
}

std::vector<std::vector<std::size_t>> halves_with_zero(std::size_t count) {
    std::vector<std::vector<std::size_t>> all;
    std::vector<std::size_t> chosen{0};
    extend_half(all, chosen, count);
    return all;
}

FieldMatrix score_matrix(const nets::PrimeField& field, const Split& split, std::size_t size,
                         std::uint64_t seed, const ScalarFunction& y) {
    const auto lefts = draw_inputs(field, split, size, seed, "tests/left");
    const auto rights = draw_inputs(field, split, size, seed, "tests/right");
    FieldMatrix scores(size, size);
    for (std::size_t s = 0; s < size; ++s) {
        for (std::size_t t = 0; t < size; ++t) scores(s, t) = y(combine(split, lefts[s], rights[t]));
    }
    return scores;
}

std::size_t sampled_rank(const nets::PrimeField& field, const Split& split, std::size_t size,
                         std::uint64_t seed, const ScalarFunction& y) {
    return rank_mod_p(field, score_matrix(field, split, size, seed, y));
}

}  // namespace plimsoll::testing

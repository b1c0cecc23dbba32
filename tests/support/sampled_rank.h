#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plimsoll/nets/matrix.h"
#include "plimsoll/nets/prime_field.h"

namespace plimsoll::testing {

using FieldMatrix = nets::MatrixOver<nets::PrimeField>;

// Rank by plain Gaussian elimination.
std::size_t rank_mod_p(const nets::PrimeField& field, FieldMatrix a);

// Which entries of an input matrix belong to side A; the others belong to side B.
struct Split {
    std::size_t rows = 0, cols = 0;
    std::vector<bool> left;  // row-major
};

// Side A holds the given columns (positions of attention, columns of a mixer) or rows.
Split split_columns(std::size_t rows, std::size_t cols, const std::vector<std::size_t>& left);
Split split_rows(std::size_t rows, std::size_t cols, const std::vector<std::size_t>& left);
// Side A holds the given entries, by row-major index.
Split split_entries(std::size_t rows, std::size_t cols, const std::vector<std::size_t>& left);
// Every way to choose half of `count` things, up to exchanging the sides: item 0 is always chosen.
std::vector<std::vector<std::size_t>> halves_with_zero(std::size_t count);

using ScalarFunction = std::function<std::uint64_t(const FieldMatrix&)>;

// The matrix y(a_s, b_t) of `size` random left and right inputs (SEP-DEF): its rank is at most the separation
// rank, and equals it for a polynomial once `size` exceeds it, but for a chance of about degree / p.
FieldMatrix score_matrix(const nets::PrimeField& field, const Split& split, std::size_t size,
                         std::uint64_t seed, const ScalarFunction& y);

// The rank of score_matrix.
std::size_t sampled_rank(const nets::PrimeField& field, const Split& split, std::size_t size,
                         std::uint64_t seed, const ScalarFunction& y);

}  // namespace plimsoll::testing

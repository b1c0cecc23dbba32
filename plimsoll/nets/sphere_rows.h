#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/nets/matrix.h"
#include "plimsoll/nets/prime_field.h"

namespace plimsoll::nets {

// All ways to write `total` as an ordered sum of `parts` non-negative numbers: ((parts, total)) of them.
std::vector<std::vector<std::int64_t>> compositions(std::int64_t total, std::int64_t parts);

// The rows of LEVINE-HADAMARD before they are normalised, which does not change a rank: one row
// (omega^q_1, .., omega^q_d) per composition q of `degree` into d parts; (((d, degree)), d).
MatrixOver<PrimeField> power_rows(const PrimeField& field, std::uint64_t omega, std::int64_t degree,
                                  std::int64_t parts);

// Random rows of norm one, by stereographic projection so that no square root is needed; (rows, cols).
MatrixOver<PrimeField> unit_rows(const PrimeField& field, std::size_t rows, std::size_t cols,
                                 RandomStream& stream);

// WIES-L8: rows of non-negative integers with one common norm, one per row u of `directions` (non-negative,
// not zero): the rational point (2u, |u|^2 - 1) / (|u|^2 + 1) of the sphere times the common denominator;
// (rows, cols + 1).
Matrix<Integer> equal_norm_rows(const Matrix<Integer>& directions);

}  // namespace plimsoll::nets

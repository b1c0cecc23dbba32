#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plimsoll/nets/matrix.h"
#include "plimsoll/nets/prime_field.h"
#include "plimsoll/verify/measurements.h"

namespace plimsoll::verify {

using FieldMatrix = nets::MatrixOver<nets::PrimeField>;

// Rank of a small matrix modulo any prime of nets, by plain elimination.
std::size_t field_rank(const nets::PrimeField& field, FieldMatrix matrix);

// A function of an input matrix of which some entries belong to side A: a network made by hand.
struct SplitFunction {
    nets::PrimeField field{};
    std::size_t rows = 1, cols = 1;  // of the input
    std::vector<bool> left{};        // row-major: true for side A
    std::function<std::uint64_t(const FieldMatrix&)> value;
};

// Its separation rank from `size` random samples of each side; exact when size leaves 5 to spare, but for a
// chance of about degree / p.
MeasuredRank sampled_rank(const SplitFunction& function, std::size_t size, std::uint64_t seed);

// Side A holds the first `count` columns of a rows x cols input.
std::vector<bool> left_columns(std::size_t rows, std::size_t cols, std::size_t count);

}  // namespace plimsoll::verify

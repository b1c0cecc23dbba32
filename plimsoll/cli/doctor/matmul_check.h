#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/base/matrix_view.h"

namespace plimsoll::cli {

// rows x cols whole numbers in [-8, 8] as floats, drawn from the stream (seed, name). A product of two such
// matrices of inner size up to 2^18 has entries below 2^24, so float arithmetic is exact in any order.
std::vector<float> small_whole_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed,
                                      std::string_view name);

// Freivalds: is c = a b? Compares c r with a (b r) in 64-bit integers for a random r in [0, 2^20)^n, without
// BLAS; a wrong c passes with probability at most 2^-20. All three hold whole numbers.
bool product_is_right(MatrixView<const float> a, MatrixView<const float> b, MatrixView<const float> c,
                      std::uint64_t seed);

}  // namespace plimsoll::cli

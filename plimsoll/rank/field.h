#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/base/result.h"

namespace plimsoll::rank {

// A prime just below 2^23: products of balanced residues are exact in doubles 2^7 at a time. It is 1 modulo
// 2870, so that roots of unity of order C(L) + 1 = 2, 5, 14, 41 exist, which the graded split wants.
inline constexpr std::uint32_t default_prime = 8'386'141;

// Integers modulo an odd prime p < 2^23, kept as balanced residues (between -(p-1)/2 and (p-1)/2) in doubles.
struct PrimeField {
    std::uint32_t p = default_prime;
};

}  // namespace plimsoll::rank

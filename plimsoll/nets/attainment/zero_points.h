#pragma once

#include <optional>

#include "plimsoll/nets/attainment/d2.h"

namespace plimsoll::nets {

// 2^61 - 259 = 5 modulo 8: -1 has a square root, without which g has no zero for two positions, and square
// roots are powers. The functions below need such a prime.
inline constexpr std::uint64_t prime_for_zeros = (std::uint64_t{1} << 61) - 259;

// A square root, where there is one.
std::optional<std::uint64_t> square_root(const PrimeField& field, std::uint64_t square);

// A vector a = u + z v with a^T m a = 0 for random u and v, or nothing when the discriminant is no square.
std::optional<FieldVector> isotropic(const PrimeField& field, const MatrixOver<PrimeField>& m,
                                     RandomStream& stream);

// Draws until there is what is asked; half of the draws have the square root that is needed.
template <class Draw>
auto first_of(Draw draw) {
    auto found = draw();
    for (int tries = 1; !found; ++tries) {
        PLIMSOLL_CHECK(tries < 200, "no point of g = 0 in 200 draws");
        found = draw();
    }
    return *found;
}

// Random data X (d, q) with g = a^T (X X^T)^m a = 0, m = 3^core, for this vector `a` of norm other than zero.
MatrixOver<PrimeField> zero_data(const PrimeField& field, const FieldVector& a, std::int64_t core,
                                 std::size_t positions, RandomStream& stream);

// The gradient of g = a^T G^m a: the sum of l_i l_(m-1-i)^T, l_i = G^i a; (d, d), symmetric.
MatrixOver<PrimeField> gram_power_gradient(const PrimeField& field, const FieldVector& a, std::int64_t core,
                                           const MatrixOver<PrimeField>& gram);

}  // namespace plimsoll::nets

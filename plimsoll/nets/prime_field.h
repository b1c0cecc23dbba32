#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/nets/ring.h"

namespace plimsoll::nets {

// 2^61 - 1, the default prime: a random evaluation misleads with probability about degree / 2^61.
inline constexpr std::uint64_t mersenne_prime_61 = (std::uint64_t{1} << 61) - 1;
// 119 * 2^23 + 1 = 1 mod 4, so that -1 has a square root, which the construction of LEVINE-L4 needs.
inline constexpr std::uint64_t prime_with_root_of_minus_one = 998244353;

// Whether n is prime, decided for every 64-bit n (Miller-Rabin with the first twelve primes as bases).
bool is_prime(std::uint64_t n);

// The integers modulo a prime below 2^63; elements are the residues 0 .. p-1.
class PrimeField {
  public:
    using Element = std::uint64_t;

    // A Bug unless `prime` is a prime below 2^63; callers validate what users type.
    explicit PrimeField(std::uint64_t prime = mersenne_prime_61);

    [[nodiscard]] std::uint64_t prime() const { return prime_; }

    [[nodiscard]] Element add(Element a, Element b) const {
        const Element sum = a + b;
        return sum >= prime_ ? sum - prime_ : sum;
    }
    [[nodiscard]] Element subtract(Element a, Element b) const { return a >= b ? a - b : a + prime_ - b; }
    [[nodiscard]] Element multiply(Element a, Element b) const {
        return static_cast<Element>(static_cast<unsigned __int128>(a) * b % prime_);
    }
    [[nodiscard]] Element from_integer(std::int64_t n) const { return reduce(n); }
    // The residue of a 128-bit integer.
    [[nodiscard]] Element reduce(Integer n) const;
    // Uniform over the field.
    [[nodiscard]] Element random(RandomStream& stream) const { return stream.below(prime_); }
    // 1 / a; a Bug for a = 0.
    [[nodiscard]] Element inverse(Element a) const;
    // The smaller square root of -1, or nothing when p = 3 mod 4.
    [[nodiscard]] std::optional<Element> root_of_minus_one() const;

    bool operator==(const PrimeField&) const = default;

  private:
    std::uint64_t prime_;
};

}  // namespace plimsoll::nets

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "plimsoll/base/random.h"
#include "plimsoll/base/result.h"

namespace plimsoll::rank {

// A prime just below 2^23: products of balanced residues are exact in doubles 512 at a time. It is 1 modulo
// 2870, so that roots of unity of order C(L) + 1 = 2, 5, 14, 41 exist, which the graded split wants.
inline constexpr std::uint32_t default_prime = 8'386'141;

// Primes are below this: balanced residues then have 22 bits, and the product of two has 44 of a double's 53.
inline constexpr std::uint32_t prime_limit = std::uint32_t{1} << 23;

// Primes below this are refused unless forced: see choose_prime.
inline constexpr std::uint32_t smallest_trusted_prime = std::uint32_t{1} << 16;

// Integers modulo an odd prime p < 2^23, kept as balanced residues (between -(p-1)/2 and (p-1)/2) in doubles.
// Arguments called residues are balanced, and so are all results.
struct BalancedField {
    std::uint32_t p = default_prime;

    // The largest residue, (p-1)/2.
    [[nodiscard]] double half() const { return (p - 1) / 2; }
    // How many products of two residues can be added to a residue and stay exact in a double, whatever their
    // signs and order; the 2^24 left over keep reduce() exact as well.
    [[nodiscard]] std::size_t exact_products() const;

    // The residue of an integer |x| <= 2^53 - 2^24, |x| < 2^51 p.
    [[nodiscard]] double reduce(double x) const {
        // The quotient may be off by one where x / p is within 2^-22 of a half: hence the two corrections.
        double rest = x - std::nearbyint(x / p) * p;
        if (rest > half()) rest -= p;
        if (rest < -half()) rest += p;
        return rest;
    }
    // The residue of any integer.
    [[nodiscard]] double from_integer(std::int64_t n) const { return reduce(static_cast<double>(n % p)); }
    // The representative 0 .. p-1 of a residue.
    [[nodiscard]] std::uint32_t to_integer(double residue) const {
        return static_cast<std::uint32_t>(residue < 0 ? residue + p : residue);
    }
    // Uniform over the field.
    [[nodiscard]] double random(RandomStream& stream) const {
        return static_cast<double>(stream.below(p)) - half();
    }

    [[nodiscard]] double add(double a, double b) const { return reduce(a + b); }
    [[nodiscard]] double subtract(double a, double b) const { return reduce(a - b); }
    [[nodiscard]] double multiply(double a, double b) const { return reduce(a * b); }
    [[nodiscard]] double power(double base, std::uint64_t exponent) const;
    // 1 / a; a Bug for a = 0.
    [[nodiscard]] double inverse(double a) const;

    bool operator==(const BalancedField&) const = default;
};

// The field a user asked for, or that of the default prime. Refused: what is not an odd prime, what the
// double arithmetic cannot hold (2^23 and above), and, unless `force`, small primes.
Result<BalancedField> choose_prime(std::optional<std::uint64_t> asked, bool force);

}  // namespace plimsoll::rank

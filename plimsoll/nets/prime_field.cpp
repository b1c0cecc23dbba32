#include "plimsoll/nets/prime_field.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/check.h"

namespace plimsoll::nets {
namespace {

constexpr std::array<std::uint64_t, 12> small_primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % n);
}

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t n) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result = multiply_modulo(result, base, n);
        base = multiply_modulo(base, base, n);
    }
    return result;
}

// One round of Miller-Rabin for odd n = odd * 2^twos + 1.
bool passes_round(std::uint64_t n, std::uint64_t base, std::uint64_t odd, int twos) {
    std::uint64_t x = power_modulo(base, odd, n);
    if (x == 1 || x == n - 1) return true;
    for (int i = 1; i < twos; ++i) {
        x = multiply_modulo(x, x, n);
        if (x == n - 1) return true;
    }
    return false;
}

}  // namespace

bool is_prime(std::uint64_t n) {
    if (n < 2) return false;
    for (const std::uint64_t p : small_primes) {
        if (n % p == 0) return n == p;
    }
    std::uint64_t odd = n - 1;
    int twos = 0;
    for (; odd % 2 == 0; odd /= 2) ++twos;
    return std::all_of(small_primes.begin(), small_primes.end(),
                       [&](std::uint64_t base) { return passes_round(n, base, odd, twos); });
}

PrimeField::PrimeField(std::uint64_t prime) : prime_(prime) {
    PLIMSOLL_CHECK(prime < (std::uint64_t{1} << 63) && is_prime(prime), "modulus must be a prime below 2^63");
}

PrimeField::Element PrimeField::reduce(Integer n) const {
    const Integer p = prime_;
    const Integer rest = n % p;
    return static_cast<Element>(rest < 0 ? rest + p : rest);
}

PrimeField::Element PrimeField::inverse(Element a) const {
    PLIMSOLL_CHECK(a % prime_ != 0, "zero has no inverse");
    return power(*this, a, prime_ - 2);
}

std::optional<PrimeField::Element> PrimeField::root_of_minus_one() const {
    if (prime_ == 2) return 1;
    if (prime_ % 4 != 1) return std::nullopt;
    // a^((p-1)/4) squares to -1 exactly when a is not a square; half of all a are not.
    for (Element a = 2;; ++a) {
        const Element root = power(*this, a, (prime_ - 1) / 4);
        if (multiply(root, root) == prime_ - 1) return std::min(root, prime_ - root);
    }
}

}  // namespace plimsoll::nets

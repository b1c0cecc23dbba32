#include "plimsoll/rank/field.h"

#include <string>
#include <vector>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/prime_field.h"

namespace plimsoll::rank {
namespace {

std::vector<std::uint32_t> prime_factors(std::uint32_t n) {
    std::vector<std::uint32_t> factors;
    for (std::uint32_t q = 2; q * q <= n; ++q) {
        if (n % q != 0) continue;
        factors.push_back(q);
        while (n % q == 0) n /= q;
    }
    if (n > 1) factors.push_back(n);
    return factors;
}

// Whether root^order = 1 is known and no smaller power of it is 1.
bool has_order(const PrimeField& field, double root, std::uint32_t order) {
    for (const std::uint32_t q : prime_factors(order)) {
        if (field.power(root, order / q) == 1) return false;
    }
    return true;
}

std::uint64_t prime_below(std::uint64_t n) {
    do --n;
    while (!nets::is_prime(n));
    return n;
}

}  // namespace

std::size_t PrimeField::exact_products() const {
    return static_cast<std::size_t>((0x1p53 - 0x1p24) / (half() * half()));
}

double PrimeField::power(double base, std::uint64_t exponent) const {
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result = multiply(result, base);
        base = multiply(base, base);
    }
    return result;
}

double PrimeField::inverse(double a) const {
    PLIMSOLL_CHECK(a != 0, "zero has no inverse");
    return power(a, p - 2);
}

std::optional<double> PrimeField::root_of_unity(std::uint32_t order) const {
    PLIMSOLL_CHECK(order >= 1, "a root of unity has an order");
    if ((p - 1) % order != 0) return std::nullopt;
    // A share of phi(order) / order of all bases gives one, so that few are tried.
    for (std::int64_t base = 2;; ++base) {
        const double root = power(from_integer(base), (p - 1) / order);
        if (has_order(*this, root, order)) return root;
    }
}

Result<PrimeField> choose_prime(std::optional<std::uint64_t> asked, bool force) {
    const std::uint64_t p = asked.value_or(default_prime);
    if (p >= prime_limit) {
        return bad_input("prime", fmt::format("must be below 2^23 = {}, where sums of products are exact in "
                                              "doubles; the largest prime there is {}, got {}",
                                              prime_limit, prime_below(prime_limit), p));
    }
    if (!nets::is_prime(p)) {
        const std::string near = p > 3 ? fmt::format(" (the prime below it is {})", prime_below(p)) : "";
        return bad_input("prime", fmt::format("must be a prime, got {}{}", p, near));
    }
    if (p == 2) return bad_input("prime", "must be odd, got 2");
    if (p < smallest_trusted_prime && !force) {
        return bad_input("prime", fmt::format("must be above 2^16 = {} unless forced, got {}: random weights "
                                              "and samples from so few values are often special, and the "
                                              "measured rank is then too small",
                                              smallest_trusted_prime, p));
    }
    return PrimeField{static_cast<std::uint32_t>(p)};
}

std::optional<std::uint32_t> prime_with_roots(std::uint32_t order, std::uint32_t limit) {
    PLIMSOLL_CHECK(order >= 1 && limit <= prime_limit, "an order, and a limit the field can hold");
    if (limit <= order + 1) return std::nullopt;
    for (std::uint32_t p = (limit - 2) / order * order + 1; p > order; p -= order) {
        if (p > 2 && nets::is_prime(p)) return p;
    }
    return std::nullopt;
}

}  // namespace plimsoll::rank

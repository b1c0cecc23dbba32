#include "plimsoll/rank/balanced_field.h"

#include <string>

#include "plimsoll/base/format.h"
#include "plimsoll/nets/prime_field.h"

namespace plimsoll::rank {
namespace {

std::uint64_t prime_below(std::uint64_t n) {
    do --n;
    while (!nets::is_prime(n));
    return n;
}

}  // namespace

std::size_t BalancedField::exact_products() const {
    return static_cast<std::size_t>((0x1p53 - 0x1p24) / (half() * half()));
}

double BalancedField::power(double base, std::uint64_t exponent) const {
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result = multiply(result, base);
        base = multiply(base, base);
    }
    return result;
}

double BalancedField::inverse(double a) const {
    PLIMSOLL_CHECK(a != 0, "zero has no inverse");
    return power(a, p - 2);
}

Result<BalancedField> choose_prime(std::optional<std::uint64_t> asked, bool force) {
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
    return BalancedField{static_cast<std::uint32_t>(p)};
}

}  // namespace plimsoll::rank

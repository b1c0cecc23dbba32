#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/nets/prime_field.h"
#include "plimsoll/rank/balanced_field.h"

namespace plimsoll::rank {

// The primes that divide n, each once.
inline std::vector<std::uint32_t> prime_factors(std::uint32_t n) {
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
inline bool has_order(const BalancedField& field, double root, std::uint32_t order) {
    for (const std::uint32_t q : prime_factors(order)) {
        if (field.power(root, order / q) == 1) return false;
    }
    return true;
}

// An element whose powers run through exactly `order` values; nothing when `order` does not divide p - 1.
inline std::optional<double> root_of_unity(const BalancedField& field, std::uint32_t order) {
    PLIMSOLL_CHECK(order >= 1, "a root of unity has an order");
    if ((field.p - 1) % order != 0) return std::nullopt;
    // A share of phi(order) / order of all bases gives one, so that few are tried.
    for (std::int64_t base = 2;; ++base) {
        const double root = field.power(field.from_integer(base), (field.p - 1) / order);
        if (has_order(field, root, order)) return root;
    }
}

// The largest prime p = 1 mod `order` below `limit`, over which root_of_unity(order) exists; nothing when
// there is none.
inline std::optional<std::uint32_t> prime_with_roots(std::uint32_t order, std::uint32_t limit = prime_limit) {
    PLIMSOLL_CHECK(order >= 1 && limit <= prime_limit, "an order, and a limit the field can hold");
    if (limit <= order + 1) return std::nullopt;
    for (std::uint32_t p = (limit - 2) / order * order + 1; p > order; p -= order) {
        if (p > 2 && nets::is_prime(p)) return p;
    }
    return std::nullopt;
}

}  // namespace plimsoll::rank

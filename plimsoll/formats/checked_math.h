#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace plimsoll::formats {

// a * b and a + b, or nothing where 64 bits are not enough.
inline std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}
inline std::optional<std::uint64_t> checked_sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

// The product of all sizes, 1 for none; nothing where 64 bits are not enough.
inline std::optional<std::uint64_t> checked_product(std::span<const std::uint64_t> sizes) {
    std::optional<std::uint64_t> product = 1;
    for (const std::uint64_t size : sizes) {
        if (product) product = checked_product(*product, size);
    }
    return product;
}

}  // namespace plimsoll::formats

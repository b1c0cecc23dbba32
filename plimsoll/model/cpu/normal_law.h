#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "plimsoll/model/cpu/vector_clones.h"

// exp and the tail of the normal law without branches or calls, so that loops over them become vector
// instructions in float; in double they are the C library's.
namespace plimsoll::model::cpu {

// exp(x) for x <= 0, to 1.5 units in the last place; 0 below the smallest normal number.
PLIMSOLL_ALWAYS_INLINE float exp_of_nonpositive(float x) {
    constexpr float lowest = -87.3F, rounder = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
    constexpr float ln2_high = 0.693359375F;                 // nine bits: times an integer it is exact
    constexpr float ln2_low = -2.12194440e-4F;
    const float inside = x < lowest ? lowest : x;
    const float shifted = inside * std::numbers::log2e_v<float> + rounder;
    const float power = shifted - rounder;
    const float r = (inside - power * ln2_high) - power * ln2_low;  // |r| <= ln(2) / 2
    float sum = 1.0F / 5040;                                        // the series to r^7; r^8 / 8! < 6e-9
    sum = sum * r + 1.0F / 720;
    sum = sum * r + 1.0F / 120;
    sum = sum * r + 1.0F / 24;
    sum = sum * r + 1.0F / 6;
    sum = sum * r + 0.5F;
    sum = sum * (r * r) + r + 1.0F;
    const std::int32_t exponent =
        std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(rounder) + 127;
    const float result = sum * std::bit_cast<float>(exponent << 23);
    return x < lowest ? 0.0F : x != x ? x : result;
}
PLIMSOLL_ALWAYS_INLINE double exp_of_nonpositive(double x) { return std::exp(x); }

// exp(-x^2 / 2); the rounding of x^2 is taken back, as it would cost x^2 / 2 units in the last place.
PLIMSOLL_ALWAYS_INLINE float normal_bell(float any_x) {
    const float x = std::abs(any_x) < 20 ? any_x : 20.0F;  // 0 there, and no square becomes infinite
    const float square = x * x;
    const float lost = std::fma(x, x, -square);
    const float bell = exp_of_nonpositive(-0.5F * square);
    return bell - 0.5F * lost * bell;
}
PLIMSOLL_ALWAYS_INLINE double normal_bell(double x) { return std::exp(-0.5 * x * x); }

// 1 - Phi(y) for y >= 0, given normal_bell(y): the bell times a polynomial in t = 1 / (1 + 0.3 y), which
// interpolates the quotient at Chebyshev's points of t for 0 <= y <= 14.5 to 5e-9 of its value.
PLIMSOLL_ALWAYS_INLINE float normal_tail(float y, float bell) {
    constexpr float coefficients[] = {0.197550584566F, -0.0842134815164F, 0.0987113823453F, 0.077517901077F,
                                      0.110418411096F, 0.119550431474F,   0.119687747691F};
    const float t = 1.0F / (1.0F + 0.3F * y);
    float sum = -0.0209560242365F;
    sum = sum * t + 0.114257452951F;
    sum = sum * t - 0.232524407316F;
    for (const float coefficient : coefficients) sum = sum * t + coefficient;
    return bell * (sum * t);
}
PLIMSOLL_ALWAYS_INLINE double normal_tail(double y, double) {
    return 0.5 * std::erfc(y * std::numbers::sqrt2 / 2);
}

}  // namespace plimsoll::model::cpu

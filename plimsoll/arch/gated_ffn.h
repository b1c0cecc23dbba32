#pragma once

#include <cstdint>

namespace plimsoll::arch {

// The hidden width at which the three matrices of a gated feed-forward layer have the numbers of the two of a
// plain one with 4 * width: 8/3 width, rounded up to a multiple.
constexpr std::int64_t gated_ffn(std::int64_t width, std::int64_t multiple) {
    return (8 * width / 3 + multiple - 1) / multiple * multiple;
}

// The multiple that style=modern rounds to: products of 2-byte numbers run on tensor cores by eights.
constexpr std::int64_t modern_ffn_multiple = 8;

}  // namespace plimsoll::arch

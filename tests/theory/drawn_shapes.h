#pragma once

#include <algorithm>
#include <string>

#include "plimsoll/theory/attainment/attained.h"
#include "tests/theory/laws.h"

// Shapes for the tests of attained_log3.
namespace plimsoll::theory {

inline std::string shown_shape(const AttainedShape& s) {
    return "L=" + std::to_string(s.depth) + " d=" + std::to_string(s.width) +
           " H=" + std::to_string(s.heads) + " da=" + std::to_string(s.head_dim) +
           " N=" + std::to_string(s.context) + " r=" + std::to_string(s.rank);
}

inline AttainedShape plain_shape(std::int64_t L, std::int64_t d, std::int64_t H, std::int64_t N) {
    return {L, d, H, d / H, N, d};
}

inline AttainedShape drawn_shape(RandomStream& stream) {
    const std::int64_t d = random_between(stream, 1, stream.below(3) == 0 ? 300 : 24);
    const std::int64_t H = random_between(stream, 1, std::min<std::int64_t>(d, 9));
    return {
        random_between(stream, 1, 14), d, H, random_between(stream, 1, d), random_between(stream, 1, 3 * d),
        random_between(stream, 1, d)};
}

}  // namespace plimsoll::theory

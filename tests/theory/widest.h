#pragma once

#include <algorithm>
#include <cstdint>

#include "plimsoll/theory/capacity/capacity_enclosure.h"

namespace plimsoll::theory {

// The largest relative width of the enclosures over all depths from 2 to six layers past the knee, and over
// those from two layers past it.
struct Widest {
    double everywhere = 0, past_knee = 0;
};

inline Widest widest(std::int64_t d, std::int64_t N) {
    Widest out;
    const double T = knee_depth({d, std::min(d, N / 2)}, 64).middle();
    for (std::int64_t L = 2; static_cast<double>(L) <= T + 6; ++L) {
        const double width = enclose_capacity(L, d, N).relative_width();
        out.everywhere = std::max(out.everywhere, width);
        if (static_cast<double>(L) >= T + 2) out.past_knee = std::max(out.past_knee, width);
    }
    return out;
}

}  // namespace plimsoll::theory

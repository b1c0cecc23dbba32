#pragma once

#include <string>

#include "plimsoll/theory/capacity/capacity.h"

namespace plimsoll::theory {

// log_3 of the repaired bound, kappa, between two certified ends; they coincide to `bits` bits where it is
// known exactly.
struct Enclosure {
    Ball lower, upper;
    std::string method;  // "closed form", "two positions", "h-vector", "series" or "bounds"

    // (upper - lower) / upper, rounded up; 0 when the upper end is 0.
    [[nodiscard]] double relative_width() const;
    [[nodiscard]] double middle() const { return (lower.middle() + upper.middle()) / 2; }
};

// Encloses kappa(L, d, N), the bound for every balanced split; for odd N the larger of the two, as the output
// lies on the larger or on the smaller side. N >= 2; any size.
// For N >= 2d the relative width is about 2^-bits; otherwise see docs/bounds/capacity-enclosure.md.
Enclosure enclose_capacity(std::int64_t depth, std::int64_t width, std::int64_t context, int bits = 64);

// The same by the inequalities alone, even where an exact sum would be quick; N < 2 width.
Enclosure enclose_by_inequalities(std::int64_t depth, std::int64_t width, std::int64_t context,
                                  int bits = 64);

// First depth at which kappa reaches floor(N/2) log_3 V, decided on the upper end (L_sat, "not before") and
// on the lower end.
struct Saturation {
    std::int64_t not_before = 0;  // kappa's upper end stays below the cap up to the layer before this one
    std::int64_t reached = 0;     // kappa's lower end is at or above the cap from here on
};
Saturation saturation_depth(std::int64_t width, std::int64_t context, std::int64_t vocab);

}  // namespace plimsoll::theory

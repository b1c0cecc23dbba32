#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/theory/numbers/ball.h"

namespace plimsoll::theory {

// What is proved about one shape with N >= 2d on continuous inputs, in log_3 of the separation rank.
struct EnclosureRow {
    std::int64_t width = 0, depth = 0, heads = 1, head_dim = 0;
    double knee = 0;      // T(d)
    double before = 0;    // the lower end by Lemma 4 alone (LEVINE-MS-CONSTRUCT); 0 where it says nothing
    double lower = 0;     // the largest proved lower end, rounded down
    double upper = 0;     // the smallest proved upper end, rounded up
    std::string theorem;  // of the lower end: "ATT-D3"; empty: none
    std::string route;    // its parameters

    // lower / upper.
    [[nodiscard]] double ratio() const { return upper > 0 ? lower / upper : 0; }
};

// One row per width and depth, widths outermost. Heads of `head_dim` where it divides the width, one head of
// full size elsewhere and when none is given.
std::vector<EnclosureRow> enclosure_table(const std::vector<std::int64_t>& widths,
                                          const std::vector<std::int64_t>& depths,
                                          std::optional<std::int64_t> head_dim,
                                          const ProgressCallback& progress = {});

}  // namespace plimsoll::theory

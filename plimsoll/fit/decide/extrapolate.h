#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/fit/decide/valley.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/request.h"

namespace plimsoll::fit {

// What a budget ten times as large should use.
struct Tenfold {
    std::int64_t depth_low = 0, depth = 0, depth_high = 0, width = 0;
    std::string sentence;
    bool known = false;  // false: the race cannot tell; the numbers are then theory's favourite

    bool operator==(const Tenfold&) const = default;
};

// The valley's best depth, in units of the line, carried to ten times the budget, where the line is computed
// anew. The interval is that of the best depth, widened to the depth itself.
Tenfold extrapolate(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                    const Valley& valley, const Candidate& winner);

}  // namespace plimsoll::fit

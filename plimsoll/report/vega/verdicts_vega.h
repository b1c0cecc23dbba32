#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"

namespace plimsoll::report {

// A rank as it is written, and its log10.
struct SaidRank {
    std::string words;
    double log10 = 0;
};

// What a claim says of one case, and what was found.
struct VerdictCase {
    std::string claim, name;
    SaidRank said, found;
};

// A Vega-Lite 5 specification with the data inside: log10 of what was said and of what was found, case by
// case, one row of it per claim.
Json verdicts_vega(const std::vector<VerdictCase>& cases);

}  // namespace plimsoll::report

#pragma once

#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/verify/claim.h"

namespace plimsoll::cli {

// A Vega-Lite 5 specification with the data inside: log10 of what was said and of what was found, case by
// case, one row of it per claim. Cases that are no ranks are left out; when none is left, an error.
Result<Json> verdicts_vega(const std::vector<verify::ClaimReport>& reports);

}  // namespace plimsoll::cli

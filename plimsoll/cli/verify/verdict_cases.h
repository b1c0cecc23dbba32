#pragma once

#include <vector>

#include "plimsoll/report/vega/verdicts_vega.h"
#include "plimsoll/verify/claim.h"

namespace plimsoll::cli {

// The cases that are ranks, for a figure; an error when there is none.
Result<std::vector<report::VerdictCase>> verdict_cases(const std::vector<verify::ClaimReport>& reports);

}  // namespace plimsoll::cli

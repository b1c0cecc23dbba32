#pragma once

#include "plimsoll/fit/page/fit_page_input.h"
#include "plimsoll/fit/page/roles.h"
#include "plimsoll/report/figure.h"

namespace plimsoll::fit {

// The value against what was trained on, a line for each candidate over its rungs.
report::Figure race_curves(const FitPageInput& input, const PageRoles& roles);

}  // namespace plimsoll::fit

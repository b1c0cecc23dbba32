#pragma once

#include "plimsoll/fit/page/fit_page_input.h"
#include "plimsoll/fit/page/roles.h"
#include "plimsoll/report/figure.h"

namespace plimsoll::fit {

// Width to the right, depth downward: capacity, the line, the band, the budget and the candidates.
Result<report::Figure> capacity_map(const FitPageInput& input, const PageRoles& roles);

}  // namespace plimsoll::fit

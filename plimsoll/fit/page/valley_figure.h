#pragma once

#include "plimsoll/fit/page/fit_page_input.h"
#include "plimsoll/fit/page/roles.h"
#include "plimsoll/report/figure.h"

namespace plimsoll::fit {

// The figure that is looked at first: values against depth at the rung that decided, with the valley filled.
report::Figure valley_figure(const FitPageInput& input, const PageRoles& roles);

}  // namespace plimsoll::fit

#pragma once

#include "plimsoll/fit/page/fit_page_input.h"
#include "plimsoll/report/figure.h"

namespace plimsoll::fit {

// Equal FLOPs and equal time are two questions: what each network of the rung that decided took by the clock,
// and which of them no other beats in both.
report::TextTable cost_table(const FitPageInput& input);

}  // namespace plimsoll::fit

#pragma once

#include "plimsoll/report/figure.h"

namespace plimsoll::fit {

// What a lead (negative: a lag) whose 95 % interval has that half width says of the prediction that there is
// one; a lag of less than `negligible` refutes nothing.
report::Outcome outcome_of_lead(double lead, double half_width, double negligible);

}  // namespace plimsoll::fit

#pragma once

#include <string>

#include "plimsoll/audit/advise.h"

namespace plimsoll::cli {

// The answer, its reasons, the alternatives, what others say and the drawing.
void print_advice(const audit::Advice& advice);

// "2 of 10 limits need action."
std::string action_summary(const audit::Advice& advice);

// Capacity as a share of the best, against the logarithm of depth, with the window and everybody's depth
// under the axis.
std::string advice_drawing(const audit::Advice& advice, int columns, int rows);
// What the letters of the drawing mean.
std::string advice_legend(const audit::Advice& advice);

}  // namespace plimsoll::cli

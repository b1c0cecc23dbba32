#pragma once

#include <string>

#include "plimsoll/advise/advise.h"

namespace plimsoll::cli {

// The answer, its reasons, the alternatives, what others say and the drawing.
void print_advice(const advise::Advice& advice);

// "10 limits: 2 need action (!)."
std::string action_summary(const advise::Advice& advice);

// Expected loss beside the best (of a mixer: capacity as a share of the most) against the logarithm of depth,
// with the valley and everybody's depth under the axis.
std::string advice_drawing(const advise::Advice& advice, int columns, int rows);
// What the letters of the drawing mean.
std::string advice_legend(const advise::Advice& advice);

}  // namespace plimsoll::cli

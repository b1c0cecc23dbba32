#pragma once

#include <string>

#include "plimsoll/base/json.h"
#include "plimsoll/report/figure_data.h"

namespace plimsoll::report {

// The encoding of a field on an axis of the figure. Every layer says the same of its axes: Vega-Lite joins
// what layers say, titles as well.
Json x_channel(const FigureSpec& figure, const FigureData& data, const char* field);
Json y_channel(const FigureSpec& figure, const FigureData& data, const char* field);

// What an axis of y says to have its title level above it.
Json level_title();

// A mark whose look is in the theme under the name `style`.
Json styled_mark(const char* type, const char* style);

}  // namespace plimsoll::report

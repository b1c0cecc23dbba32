#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"

namespace plimsoll::report {

// The depths that one study found to cost little at one size.
struct ValleyBar {
    std::string study, group;
    double size = 0, best = 0, low = 0, high = 0;
};

// The load line and its valley at one size.
struct ValleyEdge {
    double size = 0, best = 0, low = 0, high = 0;
};

// Valleys by size, to the right, and depth, upward, both logarithmic.
struct ValleyFigure {
    std::string title, subtitle;
    std::vector<ValleyBar> bars;
    std::vector<ValleyEdge> line;  // from left to right
};

// The figure as Vega-Lite in the light look.
Json valley_vega(const ValleyFigure& figure);

}  // namespace plimsoll::report

#pragma once

#include <vector>

#include "plimsoll/advise/advice.h"
#include "plimsoll/advise/scanned_shapes.h"

namespace plimsoll::advise {

// A shape, and what it was chosen by.
struct Choice {
    ScannedShape shape;
    DecidedBy decided = DecidedBy::load_line;
    bool narrowed_by_rank = false;  // a wider shape of less expected loss has an input of too low a rank (R7)
};

// The shape that the rules choose; `shapes` is not empty.
Choice choose_shape(const CostModel& costs, const std::vector<ScannedShape>& shapes);

// What shapes of a budget are compared with.
struct Reference {
    double capacity = 1;  // the most at this budget
    double percent = 0;   // the least shape_percent at this budget, in the valley and with any width
};

// Everything arch::count says about a layout, with its capacity and its expected loss beside the reference.
ShapeReport report_shape(const CostModel& costs, const Layout& layout, const Reference& reference);

// Shapes of other depths: the ends of the valley, half and twice the answer, the line.
std::vector<ShapeReport> nearby_shapes(const CostModel& costs, const std::vector<ScannedShape>& shapes,
                                       const Layout& answer, const Reference& reference);

}  // namespace plimsoll::advise

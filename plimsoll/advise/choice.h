#pragma once

#include <vector>

#include "plimsoll/advise/advice.h"
#include "plimsoll/advise/candidates.h"

namespace plimsoll::advise {

// A shape, and what it was chosen by.
struct Choice {
    Candidate shape;
    DecidedBy decided = DecidedBy::cost;
};

// The shape that the rules choose; `shapes` is not empty.
Choice choose_shape(const CostModel& costs, const std::vector<Candidate>& shapes, const DepthWindow& window);

// Everything arch::count says about a layout, with its capacity and, at `best` capacity, its share.
ShapeReport report_shape(const CostModel& costs, const Layout& layout, double best);

// The widest shapes at round multiples of the line, and the answer with the other head sizes.
std::vector<ShapeReport> nearby_shapes(const CostModel& costs, const std::vector<Candidate>& shapes,
                                       const Layout& answer, double best);

}  // namespace plimsoll::advise

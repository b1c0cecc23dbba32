#pragma once

#include "plimsoll/advise/candidates.h"

// Shared by the advise*.cpp files.
namespace plimsoll::advise {

// Above this share of the budget the token table is factorised.
constexpr double table_share_limit = 0.5;
// In the flat region a shape should spend this share of what the window can spend; rather than leave the band
// it may spend the lesser one (10 % fewer parameters cost 0.8 % of loss by Kaplan's exponent 0.076, a depth
// of 2.9 T cost 1.4 %).
constexpr double spend_wanted = 0.97, spend_accepted = 0.9;

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

// Certified ends, reasons, sentences and warnings of an advice that has its answer.
void certify(Advice& advice);
void add_reasons(Advice& advice);
void add_sentences(Advice& advice);
void add_warnings(Advice& advice);

}  // namespace plimsoll::advise

#pragma once

#include "plimsoll/audit/candidates.h"

// Shared by the advise*.cpp files.
namespace plimsoll::audit {

// Share of the budget's Gram entries that an input must leave usable (R7).
constexpr double rank_share_wanted = 0.75;
// Above this share of the budget the token table is factorised.
constexpr double table_share_limit = 0.5;
// In the flat region a shape must spend this share of what the window can spend.
constexpr double spend_wanted = 0.97;

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

}  // namespace plimsoll::audit

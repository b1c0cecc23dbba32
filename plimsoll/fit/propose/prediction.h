#pragma once

#include "plimsoll/fit/propose/field.h"

namespace plimsoll::fit {

// How far a candidate lies from what is expected to be best, in doublings: of the depth from the valley (a
// mixer: Navon's window), plus of the width beyond twice the input's rank (R7).
double theory_distance(const Candidate& candidate);

// Gives every candidate its place within its family by that distance (between families theory is silent);
// differences below a tenth of a doubling are ties.
void order_by_theory(Proposal& proposal);

// "3 to 5", or "3" for a range of one.
std::string range_text(std::int64_t low, std::int64_t high);

// Writes the expected depths and the sentence; `main` is the field of the favourite.
void predict(Proposal& proposal, const Field& main);

}  // namespace plimsoll::fit

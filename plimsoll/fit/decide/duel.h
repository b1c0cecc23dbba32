#pragma once

#include <functional>
#include <optional>

#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/propose/candidate.h"

namespace plimsoll::fit {

using CandidateTest = std::function<bool(const Candidate&)>;

// The best candidates of two groups, at the highest rung that has both.
struct Duel {
    RungTable table;
    std::size_t first = 0, second = 0;  // rows
    double lead = 0, half_width = 0;    // of the first; 95 %, over so many comparisons at once
};

// The duel of two groups; 0 comparisons: as many as the rung has pairs. Nothing when no rung has both.
std::optional<Duel> duel(const DataLook& look, const Proposal& proposal, const Race& race,
                         const CandidateTest& first, const CandidateTest& second, std::size_t comparisons);

// The candidate of a row.
const Candidate& candidate_of(const Proposal& proposal, const RungTable& table, std::size_t row);

}  // namespace plimsoll::fit

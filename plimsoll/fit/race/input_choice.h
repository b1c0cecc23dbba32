#pragma once

#include <filesystem>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"

// Which way to cut the data the trials of a race found best.
namespace plimsoll::fit {

// Said by a race whose search left too little for the trials.
inline constexpr const char* inputs_not_tried =
    "Nothing was left of the budget to try other ways to cut the data; the depths race on theory's choice.";

// Of each family the input of the best mean; theory's where none of its trials came to a value.
std::vector<FamilyInput> best_inputs(const Race& race, const Proposal& proposal, Goal goal);

// What the table of a race is made of: the proposal, or the one that was settled in OUT once the inputs were
// chosen.
Result<Proposal> proposal_of(const std::filesystem::path& out, const Proposal& proposal, const Race& race);

}  // namespace plimsoll::fit

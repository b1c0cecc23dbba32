#pragma once

#include <string>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"

namespace plimsoll::fit {

// What to change first if the data could be cut otherwise: networks of one depth and family on two inputs,
// compared; the depth nearest to the winner's counts.
std::string change_first(const DataLook& look, const Proposal& proposal, const Race& race,
                         const Candidate& winner);

}  // namespace plimsoll::fit

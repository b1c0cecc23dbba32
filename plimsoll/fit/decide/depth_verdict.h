#pragma once

#include <string>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"

namespace plimsoll::fit {

struct DepthVerdict {
    bool matters = true;
    std::string sentence;
};

// Whether depths of the favourite's family and input differ beyond the noise, at the highest rung with three
// of them.
DepthVerdict depth_verdict(const DataLook& look, const Proposal& proposal, const Race& race);

}  // namespace plimsoll::fit

#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"

// The fourth step of a fit: what the race shows. docs/FIT_METHOD.md, "Deciding", has the rules.
namespace plimsoll::fit {

// The decision of a race; of an unfinished one the best answer so far. An error when no run has finished.
Result<Decision> decide(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                        const Race& race);

}  // namespace plimsoll::fit

#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::fit {

// The config of a candidate that spends the whole budget of a race on one run, at a learning rate.
Result<run::RunConfig> full_budget_config(const FitRequest& request, const DataLook& look,
                                          const Proposal& proposal, const Candidate& candidate,
                                          const Race& race, double rate);

}  // namespace plimsoll::fit

#pragma once

#include <functional>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/race/race_plan.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/lab/jobs/runner.h"

namespace plimsoll::fit {

// The networks that race, and their race as it was planned.
struct Fitting {
    Proposal proposal;
    Race race;  // nothing of it has run
    RaceForecast forecast;
};

// Proposes networks and plans their race. On a machine that is too slow for it, or busy, the networks are
// smaller: those of the default size when their runs would have fewer steps than are wanted, those that were
// asked for only when they could not race at all. The race's notes say so. An error when no race fits.
Result<Fitting> fitting(const FitRequest& request, const DataLook& look, const lab::RunnerOptions& runner,
                        const std::function<double()>& seconds_left);

}  // namespace plimsoll::fit

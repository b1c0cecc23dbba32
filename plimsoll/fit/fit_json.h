#pragma once

#include <optional>

#include "plimsoll/base/json.h"
#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/handed_over.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"

namespace plimsoll::fit {

// The whole outcome, as fit.json and --json have it.
Json fit_json(const FitRequest& request, const DataLook& look, const Proposal& proposal, const Race& race,
              const std::optional<Decision>& decision, const std::optional<HandedOver>& handed);

}  // namespace plimsoll::fit

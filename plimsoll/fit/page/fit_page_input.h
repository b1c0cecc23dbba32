#pragma once

#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/handed_over.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"

namespace plimsoll::fit {

// All that a fit's page is made from.
struct FitPageInput {
    const FitRequest& request;
    const DataLook& look;
    const Proposal& proposal;
    const Race& race;
    const Decision& decision;
    const HandedOver& handed;  // as far as it is written
    const HandOverOptions& options;
};

}  // namespace plimsoll::fit

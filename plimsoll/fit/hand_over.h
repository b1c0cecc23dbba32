#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/handed_over.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"
#include "plimsoll/fit/request.h"

// The last step of a fit: the folder that somebody takes away.
namespace plimsoll::fit {

// Writes report.html, fit.json, the weights and tokenizer of the winner's best run and winner.toml. Each file
// appears whole or not at all; what an earlier call wrote is replaced.
Result<HandedOver> hand_over(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                             const Race& race, const Decision& decision, const HandOverOptions& options);

}  // namespace plimsoll::fit

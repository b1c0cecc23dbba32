#pragma once

#include "plimsoll/base/result.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/request.h"

// The second step of a fit: which networks race. docs/FIT_METHOD.md, "Proposing", has the rules.
namespace plimsoll::fit {

// The parameters to use when nobody said: what 20 tokens a parameter leave of the race's FLOPs, and no more
// than a fifth of the tokens there are.
struct DefaultBudget {
    std::int64_t parameters = 0;
    std::string source;
};
DefaultBudget default_budget(const FitRequest& request, const DataLook& look);

// The families that race on such data when nobody named any.
std::vector<std::string> default_families(Modality modality);

// The most candidates of a race with this time or FLOPs.
std::size_t most_candidates(const FitRequest& request);

// What can be said against the sizes and families of a request before the data is seen.
Status check_asked(const FitRequest& request);

// Candidates of equal cost with their findings, the rivals' shapes always among them, and what theory
// expects; where the data can be cut in several ways also the networks that try them, and depths are spread
// on what is `chosen`, else on theory's choice. An error when the budget pays for no network, or no family
// asked for can read the data.
Result<Proposal> propose(const FitRequest& request, const DataLook& look,
                         const std::vector<FamilyInput>& chosen = {});

// The same proposal for the inputs that its trials found best.
Result<Proposal> settle(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                        const std::vector<FamilyInput>& chosen);

}  // namespace plimsoll::fit

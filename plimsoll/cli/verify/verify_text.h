#pragma once

#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/verify/claim.h"

namespace plimsoll::cli {

// One line per claim, then every claim that fails or is undecided with its smallest case and how to see it.
void print_verdicts(verify::Effort effort, const std::vector<verify::ClaimReport>& reports);

// {effort, as_expected, seconds, claims: [{id, statement, verdict, expected, ..., cases: [...]}]}.
Json verdicts_json(verify::Effort effort, const std::vector<verify::ClaimReport>& reports);

// Whether every verdict is the expected one.
bool all_as_expected(const std::vector<verify::ClaimReport>& reports);

}  // namespace plimsoll::cli

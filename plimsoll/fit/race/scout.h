#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"

// The network of each family on which the learning rate is found. Its width and depth are the base shape of
// the parameterisation, so that the rate that suits it suits the others.
namespace plimsoll::fit {

// The scout of a family: the network nearest to four layers, which trains fast at any rate, on theory's
// input: the family's first trial, and without trials one of its candidates. Null when no candidate is of
// that family.
const Candidate* scout_of(const Proposal& proposal, const std::string& family);

// The ids of the scouts of all families, in the proposal's order.
std::vector<std::string> scouts(const Proposal& proposal);

}  // namespace plimsoll::fit

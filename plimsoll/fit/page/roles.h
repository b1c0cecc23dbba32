#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/report/vega/point_roles.h"

namespace plimsoll::fit {

// Which kind of network a candidate is to a reader: colour and symbol of every figure.
struct PageRoles {
    std::vector<std::string> names;  // in the order of colours; the second one is the recommendation

    [[nodiscard]] std::string of(const Candidate& candidate) const;

    std::string winner;                  // id
    std::string family, input;           // of the favourite, which depths were spread on
    std::vector<std::string> elsewhere;  // roles of other families and inputs that have a name
};
// The roles of a proposal whose race is decided.
PageRoles roles_of(const Proposal& proposal, const Decision& decision);
// Every role with its symbol, for a figure that shows these candidates; the recommendation has the mark.
report::PointRoles point_roles(const PageRoles& roles, const std::vector<const Candidate*>& shown);

}  // namespace plimsoll::fit

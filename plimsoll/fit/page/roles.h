#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/decide/decision.h"
#include "plimsoll/fit/propose/candidate.h"

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
// The symbol of a role; the recommendation has the mark.
std::string role_shape(const PageRoles& roles, const std::string& role);
// The encoding of the role on colour or shape; the legend has those in `shown` only.
Json role_channel(const PageRoles& roles, const std::vector<std::string>& shown, bool shape);

}  // namespace plimsoll::fit

#include "plimsoll/fit/page/roles.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/report/vega/theme.h"

namespace plimsoll::fit {
namespace {

constexpr const char* other_networks = "other networks";
constexpr const char* recommended = "recommended";
// A ring with a bar through it: "where it should be", in the design and here.
constexpr const char* the_mark = "M-0.8,0A0.8,0.8,0,1,1,0.8,0A0.8,0.8,0,1,1,-0.8,0M-1.5,0L1.5,0";
constexpr std::size_t most_elsewhere = 3;  // more names than these no legend holds

void add_once(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// "nanochat, 12-layers" of "nanochat+12-layers".
std::string rival_words(const Candidate& candidate) { return join(split(candidate.rival, '+'), ", "); }

// Another family or another input than the one that depths were spread on; empty for the same.
std::string elsewhere_words(const Candidate& candidate, const PageRoles& roles) {
    const bool family = candidate.family != roles.family, input = candidate.input.name != roles.input;
    if (!family && !input) return "";
    if (!family) return candidate.input.name;
    return input ? candidate.family + ", " + candidate.input.name : candidate.family;
}

}  // namespace

std::string PageRoles::of(const Candidate& candidate) const {
    if (candidate.id == winner) return recommended;
    if (candidate.is_rival()) return rival_words(candidate);
    const std::string place = elsewhere_words(candidate, *this);
    return std::ranges::find(elsewhere, place) == elsewhere.end() ? other_networks : place;
}

PageRoles roles_of(const Proposal& proposal, const Decision& decision) {
    PageRoles roles;
    roles.winner = decision.winner;
    if (const Candidate* favourite = find_candidate(proposal, proposal.favourite)) {
        roles.family = favourite->family;
        roles.input = favourite->input.name;
    }
    for (const auto* network : networks_of(proposal))
        if (const auto place = elsewhere_words(*network, roles);
            !place.empty() && roles.elsewhere.size() < most_elsewhere)
            add_once(roles.elsewhere, place);
    roles.names = {other_networks, recommended};
    for (const auto& candidate : proposal.candidates)
        if (candidate.is_rival()) add_once(roles.names, roles.of(candidate));
    for (const auto* network : networks_of(proposal)) add_once(roles.names, roles.of(*network));
    return roles;
}

report::PointRoles point_roles(const PageRoles& roles, const std::vector<const Candidate*>& shown) {
    report::PointRoles points;
    points.names = roles.names;
    for (std::size_t i = 0; i < roles.names.size(); ++i)
        points.symbols.push_back(roles.names[i] == recommended ? the_mark : report::series_shape(i));
    for (const Candidate* candidate : shown) points.shown.push_back(roles.of(*candidate));
    return points;
}

}  // namespace plimsoll::fit

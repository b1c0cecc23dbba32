#include "plimsoll/fit/race/scout.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::fit {
namespace {

constexpr double usual_depth = 4;

double octaves_off(const Candidate& candidate) {
    return std::abs(std::log2(static_cast<double>(candidate.depth) / usual_depth));
}

}  // namespace

const Candidate* scout_of(const Proposal& proposal, const std::string& family) {
    if (proposal.trials) {
        const auto& tried = proposal.trials->networks;
        const auto found = std::ranges::find(tried, family, &Candidate::family);
        return found == tried.end() ? nullptr : &*found;
    }
    const Candidate *first = nullptr, *best = nullptr;
    for (const auto& candidate : proposal.candidates) {
        if (candidate.family != family) continue;
        if (first == nullptr) first = best = &candidate;
        if (candidate.input.name == first->input.name && octaves_off(candidate) < octaves_off(*best))
            best = &candidate;
    }
    return best;
}

std::vector<std::string> scouts(const Proposal& proposal) {
    std::vector<std::string> ids;
    for (const auto& candidate : proposal.candidates) {
        const std::string& id = scout_of(proposal, candidate.family)->id;
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
    return ids;
}

}  // namespace plimsoll::fit

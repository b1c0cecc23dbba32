#include "plimsoll/fit/race/input_choice.h"

#include <algorithm>

#include "plimsoll/base/files.h"
#include "plimsoll/fit/fit_folders.h"
#include "plimsoll/fit/race/race_entries.h"

namespace plimsoll::fit {

std::vector<FamilyInput> best_inputs(const Race& race, const Proposal& proposal, Goal goal) {
    std::vector<FamilyInput> chosen;
    const auto add = [&](const Candidate& network) {
        const bool known = std::ranges::count(chosen, network.family, &FamilyInput::family) > 0;
        if (!known) chosen.push_back({network.family, network.input.name});
    };
    for (const auto& standing : mean_rung_values(race, input_rung, goal))
        add(*find_candidate(proposal, standing.candidate));
    for (const auto& network : proposal.trials->networks) add(network);
    return chosen;
}

Result<Proposal> proposal_of(const std::filesystem::path& out, const Proposal& proposal, const Race& race) {
    if (!race.plan.settled.value_or(false)) return proposal;
    PLIMSOLL_ASSIGN(json, read_json(FitFolders(out).settled()));
    return proposal_from_json(json);
}

}  // namespace plimsoll::fit

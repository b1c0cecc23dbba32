#include "plimsoll/fit/decide/duel.h"

#include "plimsoll/base/check.h"
#include "plimsoll/fit/decide/noise.h"

namespace plimsoll::fit {
namespace {

// The best row of the candidates that pass; none when none of them is there.
std::optional<std::size_t> best_of(const RungTable& table, const Proposal& proposal,
                                   const CandidateTest& test) {
    std::optional<std::size_t> best;
    for (const auto* network : networks_of(proposal)) {
        const auto row = table.row(network->id);
        if (row && test(*network) && (!best || table.lead(*row, *best) > 0)) best = row;
    }
    return best;
}

}  // namespace

std::optional<Duel> duel(const DataLook& look, const Proposal& proposal, const Race& race,
                         const CandidateTest& first, const CandidateTest& second, std::size_t comparisons) {
    for (const int rung : rungs_downwards(race)) {
        const auto table = rung_table(race, rung, look.goal);
        if (!table) continue;
        const auto a = best_of(*table, proposal, first), b = best_of(*table, proposal, second);
        if (!a || !b) continue;
        const std::size_t pairs = comparisons > 0 ? comparisons : pairs_of(table->candidates.size());
        return Duel{*table, *a, *b, table->lead(*a, *b), RungNoise(*table).between(*a, *b).half_width(pairs)};
    }
    return std::nullopt;
}

const Candidate& candidate_of(const Proposal& proposal, const RungTable& table, std::size_t row) {
    const Candidate* found = find_candidate(proposal, table.candidates[row]);
    PLIMSOLL_CHECK(found != nullptr, "a race with a candidate that was not proposed");
    return *found;
}

}  // namespace plimsoll::fit

#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/difference_text.h"
#include "plimsoll/fit/decide/verdicts.h"

namespace plimsoll::fit {
namespace {

std::string value_text(const Decision& decision, const DataLook& look) {
    const double scale = is_share(look.goal) ? 100 : 1;
    const std::string noise =
        decision.half_width > 0 ? fmt::format(" +- {:.2g}", scale * decision.half_width) : "";
    return fmt::format("{:.4g}{} {}", scale * decision.value, noise, value_unit(look));
}

std::string tie_text(const Decision& decision, const DataLook& look) {
    if (!std::isfinite(decision.margin_half_width))
        return "; it is ahead, but the noise is not known, so no other is ruled out";
    return fmt::format("; {} of the candidates are tied (inside {})", decision.tied.size(),
                       difference_text(decision.margin_half_width, look));
}

// What is given up for a network that is not the best.
std::string tip_text(const Decision& decision, const DataLook& look, const Proposal& proposal) {
    if (decision.tip == Tip::value) return "";
    const Candidate& winner = *find_candidate(proposal, decision.winner);
    const double least = std::abs(decision.given_up);
    const std::string behind = fmt::format("{} behind the best that is expected",
                                           with_noise(least, decision.given_up_half_width, look));
    return fmt::format(". It is {} ({} training FLOPs per {}, {} {}), and {}", name_of(decision.tip),
                       human_count(winner.flops_per_unit), proposal.unit, winner.depth,
                       winner.depth == 1 ? "layer" : "layers", behind);
}

std::string win_text(const Decision& decision, const DataLook& look) {
    return fmt::format("; it beats the next by {}",
                       with_noise(decision.margin, decision.margin_half_width, look));
}

std::string standing_text(const Decision& decision, const DataLook& look) {
    if (decision.tie) return tie_text(decision, look);
    return decision.margin_half_width == 0 ? "; nothing else finished on its rung" : win_text(decision, look);
}

}  // namespace

std::string decision_sentence(const Decision& decision, const DataLook& look, const Proposal& proposal) {
    const Candidate& winner = *find_candidate(proposal, decision.winner);
    return fmt::format("{} {} ({}): {}{}{}.", decision.enough() ? "Use" : "Best guess:", winner.label,
                       winner.id, value_text(decision, look), standing_text(decision, look),
                       tip_text(decision, look, proposal));
}

}  // namespace plimsoll::fit

#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/verdicts.h"

namespace plimsoll::fit {
namespace {

std::string value_text(const Decision& decision, const DataLook& look) {
    const double scale = look.goal == Goal::accuracy ? 100 : 1;
    const std::string noise =
        decision.half_width > 0 ? fmt::format(" +- {:.2g}", scale * decision.half_width) : "";
    return fmt::format("{:.4g}{} {}", scale * decision.value, noise, value_unit(look));
}

std::string tie_text(const Decision& decision, const DataLook& look, const Proposal& proposal) {
    const Candidate& winner = *find_candidate(proposal, decision.winner);
    const std::string others = fmt::format("{} of the candidates are tied", decision.tied.size());
    if (!std::isfinite(decision.margin_half_width))
        return "; it is ahead, but the noise is not known, so no other is ruled out";
    if (decision.best == decision.winner) {
        return fmt::format("; {} (inside {}), and no other of them is {:.0f} % cheaper", others,
                           difference_text(decision.margin_half_width, look), 100 * same_cost);
    }
    const Candidate& best = *find_candidate(proposal, decision.best);
    const std::string ahead = decision.margin < 0
                                  ? difference_text(-decision.margin, look) + " better, inside the noise"
                                  : std::string("as good, inside the noise");
    return fmt::format("; {}: {} is {} ({}), and this one costs {:.1f} % fewer FLOPs per {}", others,
                       best.label, ahead, difference_text(decision.margin_half_width, look),
                       100 * (1 - winner.flops_per_unit / best.flops_per_unit), proposal.unit);
}

std::string win_text(const Decision& decision, const DataLook& look) {
    return fmt::format("; it beats the next by {}",
                       with_noise(decision.margin, decision.margin_half_width, look));
}

}  // namespace

std::string decision_sentence(const Decision& decision, const DataLook& look, const Proposal& proposal) {
    const Candidate& winner = *find_candidate(proposal, decision.winner);
    const std::string head =
        fmt::format("Use {} ({}): {}", winner.label, winner.id, value_text(decision, look));
    if (decision.tie) return head + tie_text(decision, look, proposal) + ".";
    if (decision.margin_half_width == 0) return head + "; nothing else finished on its rung.";
    return head + win_text(decision, look) + ".";
}

}  // namespace plimsoll::fit

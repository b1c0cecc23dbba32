#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/decide/verdicts.h"
#include "plimsoll/fit/json_fields.h"

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

template <class Visit, class V>
void fields(Visit& visit, V& v)
    requires std::same_as<std::remove_const_t<V>, Versus>
{
    visit("rival", v.rival);
    visit("candidate", v.candidate);
    visit("rung", v.rung);
    visit("difference", v.difference);
    visit("half_width", v.half_width);
    visit("verdict", v.verdict);
}

template <class Visit, class T>
void fields(Visit& visit, T& t)
    requires std::same_as<std::remove_const_t<T>, Tenfold>
{
    visit("depth_low", t.depth_low);
    visit("depth", t.depth);
    visit("depth_high", t.depth_high);
    visit("width", t.width);
    visit("sentence", t.sentence);
    visit("known", t.known);
}

template <class Visit, class D>
void fields(Visit& visit, D& d)
    requires std::same_as<std::remove_const_t<D>, Decision>
{
    visit("winner", d.winner);
    visit("best", d.best);
    visit("tie", d.tie);
    visit("tied", d.tied);
    visit("rung", d.rung);
    visit("seeds", d.seeds);
    visit("value", d.value);
    visit("half_width", d.half_width);
    visit("margin", d.margin);
    visit("margin_half_width", d.margin_half_width);
    visit("certainty", d.certainty);
    visit("sentence", d.sentence);
    visit("rivals", d.rivals);
    visit("theory_verdict", d.theory_verdict);
    visit("depth_matters", d.depth_matters);
    visit("depth_sentence", d.depth_sentence);
    visit("tenfold", d.tenfold);
    visit("change_first", d.change_first);
    visit("notes", d.notes);
}

Json to_json(const Decision& decision) { return write_fields(decision); }

Result<Decision> decision_from_json(const Json& json) { return read_fields<Decision>(json, "decision"); }

}  // namespace plimsoll::fit

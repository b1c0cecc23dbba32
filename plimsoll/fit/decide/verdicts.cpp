#include "plimsoll/fit/decide/verdicts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/difference_text.h"
#include "plimsoll/fit/decide/duel.h"
#include "plimsoll/fit/propose/rival.h"
#include "plimsoll/fit/propose/shape_maker.h"

namespace plimsoll::fit {
namespace {

Versus versus(const DataLook& look, const Proposal& proposal, const Race& race, const Candidate& winner,
              const Candidate& other, std::string_view rival) {
    Versus result;
    result.rival = rival;
    result.candidate = other.id;
    if (other.id == winner.id) return result;
    const auto found = duel(
        look, proposal, race, [&](const auto& c) { return c.id == winner.id; },
        [&](const auto& c) { return c.id == other.id; }, 0);  // the winner was picked after looking
    result.half_width = std::numeric_limits<double>::quiet_NaN();
    if (!found) return result;
    result.rung = found->table.rung;
    result.difference = found->lead;
    result.half_width = found->half_width;
    result.verdict = outcome_of_lead(found->lead, found->half_width, negligible(found->table, look));
    return result;
}

std::vector<std::string> labels_where(const Proposal& proposal, const CandidateTest& test) {
    std::vector<std::string> labels;
    for (const auto& candidate : proposal.candidates)
        if (test(candidate)) labels.push_back(fmt::format("{} x {}", candidate.depth, candidate.width));
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

// What makes a comparison of depths say nothing; null when nothing does.
const Shortfall* first_that_hides_depth(const std::vector<Shortfall>& shortfalls) {
    const auto found = std::ranges::find_if(shortfalls, [](const Shortfall& one) {
        return one.shortage != Shortage::gap && one.shortage != Shortage::at_edge &&
               one.shortage != Shortage::rate_at_end;
    });
    return found == shortfalls.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Versus> against_rivals(const DataLook& look, const Proposal& proposal, const Race& race,
                                   const Candidate& winner) {
    std::vector<Versus> all;
    for (const auto& rule : rival_rules()) {
        for (const auto& candidate : proposal.candidates) {
            const auto names = split(candidate.rival, '+');
            if (std::find(names.begin(), names.end(), rule.name) == names.end()) continue;
            all.push_back(versus(look, proposal, race, winner, candidate, rule.name));
        }
    }
    return all;
}

TheoryVerdict theory_verdict(const DataLook& look, const Proposal& proposal, const Race& race,
                             const std::vector<Shortfall>& shortfalls) {
    if (const auto* lack = first_that_hides_depth(shortfalls))
        return {report::Outcome::cannot_tell, settling_sentence(*lack)};
    const Candidate& favourite = *find_candidate(proposal, proposal.favourite);
    if (line_of(favourite.family) == Line::usual)
        return {report::Outcome::cannot_tell, "theory does not rank networks for tables."};
    const auto placed = [&](bool first) {
        return [&, first](const Candidate& c) {
            return c.family == favourite.family && c.input.name == favourite.input.name &&
                   (c.theory_score == 1) == first;
        };
    };
    const auto found = duel(look, proposal, race, placed(true), placed(false), 0);
    if (!found)
        return {report::Outcome::cannot_tell,
                "what theory places first and the others did not finish on one rung."};
    const Candidate& first = candidate_of(proposal, found->table, found->first);
    const Candidate& other = candidate_of(proposal, found->table, found->second);
    return {outcome_of_lead(found->lead, found->half_width, negligible(found->table, look)),
            fmt::format("the best of theory's first places, {}, is {} {} {}, the best of the others.",
                        first.label, with_noise(std::abs(found->lead), found->half_width, look),
                        found->lead >= 0 ? "ahead of" : "behind", other.label)};
}

std::vector<std::string> bottleneck_notes(const DataLook& look, const Proposal& proposal, const Race& race,
                                          const Candidate& winner) {
    const auto same = [&](const Candidate& c) {
        return c.family == winner.family && c.input.name == winner.input.name;
    };
    const auto wide = [&](const Candidate& c) { return same(c) && hampered_by(c, "R7"); };
    const auto labels = labels_where(proposal, wide);
    if (labels.empty()) return {};
    std::string note =
        fmt::format("{} bottleneck: {} {} wider than twice the {:.0f} dimensions that {} brings (R7)",
                    winner.input.vocab > 0 ? "Vocabulary" : "Patch", join(labels, ", "),
                    labels.size() == 1 ? "is" : "are",
                    winner.input.rank > 0 ? winner.input.rank : static_cast<double>(winner.input.vocab),
                    winner.input.name);
    const auto found =
        duel(look, proposal, race, [&](const auto& c) { return same(c) && !hampered_by(c, "R7"); }, wide, 0);
    if (!found) return {note + "."};
    return {fmt::format("{}; the best of them is {} {} the best that is not: {}.", note,
                        with_noise(std::abs(found->lead), found->half_width, look),
                        found->lead >= 0 ? "behind" : "ahead of",
                        name_of(outcome_of_lead(found->lead, found->half_width, 0)))};
}

}  // namespace plimsoll::fit

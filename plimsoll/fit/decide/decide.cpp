#include "plimsoll/fit/decide/decide.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/change_first.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/decide/depth_verdict.h"
#include "plimsoll/fit/decide/duel.h"
#include "plimsoll/fit/decide/noise.h"
#include "plimsoll/fit/decide/recommend.h"
#include "plimsoll/fit/decide/verdicts.h"
#include "plimsoll/report/statistics/statistics.h"

namespace plimsoll::fit {
namespace {

// Of a race by halving, as 0.1.0 had it: the best of the rung before when it is still running or waiting on
// this one and was ahead of all that are done by more than the noise. Without it who leads this rung leads
// only those who were quick.
std::optional<std::string> missing_leader(const Race& race, const RungTable& table, Goal goal) {
    if (race.plan.wanted_steps) return std::nullopt;
    const auto before = rung_table(race, table.rung - 1, goal);
    const auto promoted = static_cast<std::size_t>(table.rung) - 1;
    if (!before || promoted >= race.survivors.size()) return std::nullopt;
    const std::string& leader = before->candidates[before->best()];
    const bool went_on =
        std::ranges::find(race.survivors[promoted], leader) != race.survivors[promoted].end();
    const bool failed = std::ranges::any_of(race.entries, [&](const auto& entry) {
        return entry.candidate == leader && entry.rung == table.rung && entry.has_failed();
    });
    if (!went_on || failed || table.row(leader)) return std::nullopt;
    const RungNoise noise(*before);
    const bool ahead = std::ranges::all_of(table.candidates, [&](const auto& id) {
        const auto row = before->row(id);
        const double half_width = row ? noise.between(before->best(), *row).half_width(1) : 0;
        return !row || !std::isfinite(half_width) || before->lead(before->best(), *row) > half_width;
    });
    return ahead ? std::optional(leader) : std::nullopt;
}

// The rung that decides, its noise, and why it is not the highest; may be empty.
struct Deciding {
    RungTable table;
    RungNoise noise;
    std::string why_not_higher;
};

// Why a rung cannot decide; empty when it can.
std::string why_not(const Race& race, const Proposal& proposal, const RungTable& table, Goal goal) {
    if (table.candidates.size() < 2) return "only one network was done";
    const auto leader = missing_leader(race, table, goal);
    if (!leader) return "";
    return fmt::format("the time was over before {}, which led the rung before, was done",
                       find_candidate(proposal, *leader)->label);
}

// The highest rung where two candidates can be compared and no leader is missing, else the highest with a
// run.
std::optional<Deciding> deciding_rung(const Race& race, const Proposal& proposal, Goal goal) {
    std::optional<Deciding> highest;
    std::string why;
    for (const int rung : rungs_downwards(race)) {
        const auto table = rung_table(race, rung, goal);
        if (!table) continue;
        const std::string problem = why_not(race, proposal, *table, goal);
        if (problem.empty()) return Deciding{*table, RungNoise(*table), why};
        if (why.empty()) why = fmt::format("on rung {} {}", rung + 1, problem);
        if (!highest) highest = Deciding{*table, RungNoise(*table), ""};
    }
    return highest;
}

// Candidates whose lag behind the best is inside the noise of so many comparisons, best mean first.
std::vector<std::size_t> within_noise(const Deciding& rung, std::size_t comparisons) {
    const auto& [table, noise, why] = rung;
    const std::size_t best = table.best();
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < table.candidates.size(); ++row)
        if (row == best || table.lead(best, row) <= noise.between(best, row).half_width(comparisons))
            rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return table.lead(a, b) > 0; });
    return rows;
}

// The best row that is not `row`.
std::optional<std::size_t> best_other(const RungTable& table, std::size_t row) {
    std::optional<std::size_t> best;
    for (std::size_t other = 0; other < table.candidates.size(); ++other)
        if (other != row && (!best || table.lead(other, *best) > 0)) best = other;
    return best;
}

void set_value(Decision& decision, const RungTable& table, std::size_t row) {
    const auto summary = report::summary(table.values[row]);
    decision.value = summary.mean;
    decision.half_width = summary.half_width().value_or(table.half_widths[row]);
    decision.rung = table.rung;
    decision.seeds = table.seeds.size();
}

void set_margin(Decision& decision, const Deciding& rung, std::size_t row) {
    const auto other = best_other(rung.table, row);
    if (!other) return;
    decision.margin = rung.table.lead(row, *other);
    decision.margin_half_width =
        rung.noise.between(row, *other).half_width(pairs_of(rung.table.candidates.size()));
}

std::string pooled_text(const Proposal& proposal, const Deciding& rung) {
    std::vector<std::string> labels;
    for (const auto row : rung.noise.unsteady())
        labels.push_back(candidate_of(proposal, rung.table, row).label);
    if (labels.empty()) return "the residuals of all pooled";
    return fmt::format("the residuals pooled without {}, which {} far noisier and {} its own",
                       join(labels, " and "), labels.size() == 1 ? "is" : "are",
                       labels.size() == 1 ? "has" : "have each");
}

std::string certainty_of(const Proposal& proposal, const Deciding& rung) {
    const auto& [table, noise, why] = rung;
    if (table.candidates.size() < 2) return "one candidate finished: nothing to compare it with";
    if (!std::isfinite(noise.usual().half_width(1)))
        return "one seed and no interval of the held-out examples: how large the noise is, is not known";
    if (noise.usual().freedom == 0)
        return "one seed: the intervals are those of the held-out examples, not of training";
    const std::size_t pairs = pairs_of(table.candidates.size());
    const std::string who =
        pairs == 1 ? fmt::format("for the two candidates of rung {}", table.rung + 1)
                   : fmt::format("for all {} pairs of the {} candidates of rung {} at once (Bonferroni)",
                                 pairs, table.candidates.size(), table.rung + 1);
    return fmt::format("95 % {}, {} paired seeds, {} ({} degrees of freedom)", who, table.seeds.size(),
                       pooled_text(proposal, rung), noise.usual().freedom);
}

std::vector<std::string> names_of(const RungTable& table, const std::vector<std::size_t>& rows) {
    std::vector<std::string> names;
    for (const auto row : rows) names.push_back(table.candidates[row]);
    return names;
}

void choose(Decision& decision, const DataLook& look, const Proposal& proposal, const Deciding& rung) {
    const RungTable& table = rung.table;
    const Choice choice = choose_network(table, rung.noise, look, proposal);
    decision.winner = table.candidates[choice.row];
    decision.best = table.candidates[table.best()];
    decision.tip = choice.tip;
    decision.expected = choice.expected;
    decision.given_up = choice.given_up;
    decision.given_up_half_width = choice.half_width;
    const auto tied = within_noise(rung, pairs_of(table.candidates.size()));
    decision.tie = tied.size() > 1;
    if (decision.tie) decision.tied = names_of(table, tied);
    set_value(decision, table, choice.row);
    set_margin(decision, rung, choice.row);
    decision.certainty = certainty_of(proposal, rung);
}

// The valley on the winner's input; where too few depths ran on it, on the one that depths were spread on.
Valley shown_valley(const DataLook& look, const Proposal& proposal, const Deciding& rung,
                    const Candidate& winner) {
    Valley valley = valley_of(rung.table, rung.noise, look, proposal, winner);
    if (valley.state != ValleyState::few_depths) return valley;
    Valley spread =
        valley_of(rung.table, rung.noise, look, proposal, *find_candidate(proposal, proposal.favourite));
    return spread.state == ValleyState::few_depths ? valley : spread;
}

// Who did not race, and how large those were who did: what a loaded machine leaves is no whole race.
std::string reservation_of(const Proposal& proposal, const Deciding& rung) {
    std::vector<std::string> words;
    const std::size_t raced = rung.table.candidates.size(), proposed = proposal.candidates.size();
    if (raced < proposed)
        words.push_back(
            fmt::format("{} of the {} networks that were proposed raced to the end", raced, proposed));
    if (proposal.budget_source == limited_by_machine)
        words.push_back(fmt::format("their size, {} parameters, is what this machine could race in the time",
                                    human_count(real(proposal.budget))));
    return words.empty() ? "" : join(words, "; ") + ".";
}

void weigh(Decision& decision, const FitRequest& request, const DataLook& look, const Proposal& proposal,
           const Race& race, const Deciding& rung) {
    const Candidate& winner = *find_candidate(proposal, decision.winner);
    decision.valley = shown_valley(look, proposal, rung, winner);
    decision.shortfalls =
        shortfalls_of({request, look, proposal, race, rung.table, rung.noise, decision.valley, winner});
    decision.headline = evidence_headline(decision.shortfalls);
    decision.reservation = reservation_of(proposal, rung);
    decision.costs = network_costs(race, rung.table, look.goal);
}

void judge(Decision& decision, const FitRequest& request, const DataLook& look, const Proposal& proposal,
           const Race& race) {
    const Candidate& winner = *find_candidate(proposal, decision.winner);
    decision.rivals = against_rivals(look, proposal, race, winner);
    const TheoryVerdict theory = theory_verdict(look, proposal, race, decision.shortfalls);
    decision.theory = theory.verdict;
    decision.theory_verdict = fmt::format("{}: {}", name_of(theory.verdict), theory.sentence);
    const DepthVerdict depth = depth_verdict(look, proposal, race);
    decision.depth_matters = depth.matters;
    decision.depth_sentence = depth.sentence;
    decision.tenfold = extrapolate(request, look, proposal, decision.valley, winner);
    decision.change_first = change_first(look, proposal, race, winner);
    decision.notes = bottleneck_notes(look, proposal, race, winner);
}

void add_notes(Decision& decision, const Proposal& proposal, const Race& race, const Deciding& rung) {
    const int number = rung.table.rung + 1;
    if (!race.complete) {
        decision.notes.push_back(
            fmt::format("The race is not finished: this is the best answer so far, from rung {}.", number));
    } else if (!rung.why_not_higher.empty()) {
        decision.notes.push_back(fmt::format("Rung {} decides: {}.", number, rung.why_not_higher));
    }
    for (const auto& candidate : proposal.candidates) {
        const auto failed = std::ranges::count_if(race.entries, [&](const auto& entry) {
            return entry.candidate == candidate.id && entry.rung == rung.table.rung && entry.has_failed();
        });
        if (failed > 0) {
            decision.notes.push_back(
                fmt::format("{} ({}): {} of its runs on rung {} failed; the rate they ran at does not count.",
                            candidate.id, candidate.label, failed, number));
        }
    }
}

}  // namespace

Result<Decision> decide(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                        const Race& race) {
    const auto rung = deciding_rung(race, proposal, look.goal);
    if (!rung) return bad_input("race", "no run has finished yet; give it more time");
    Decision decision;
    choose(decision, look, proposal, *rung);
    weigh(decision, request, look, proposal, race, *rung);
    judge(decision, request, look, proposal, race);
    add_notes(decision, proposal, race, *rung);
    decision.sentence = decision_sentence(decision, look, proposal);
    return decision;
}

}  // namespace plimsoll::fit

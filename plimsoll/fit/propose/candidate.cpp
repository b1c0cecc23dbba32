#include "plimsoll/fit/propose/candidate.h"

#include <algorithm>

#include "plimsoll/fit/json_fields.h"
#include "plimsoll/fit/look/input_fields.h"

namespace plimsoll::fit {

template <class Visit, class F>
void fields(Visit& visit, F& f)
    requires std::same_as<std::remove_const_t<F>, RuleReading>
{
    visit("rule", f.rule);
    visit("name", f.name);
    visit("value", f.value);
    visit("line", f.line);
    visit("sentence", f.sentence);
    visit("standing", f.standing);
    visit("severity", f.severity);
}

template <class Visit, class C>
void fields(Visit& visit, C& c)
    requires std::same_as<std::remove_const_t<C>, Candidate>
{
    visit("id", c.id);
    visit("label", c.label);
    visit("rival", c.rival);
    visit("family", c.family);
    visit("depth", c.depth);
    visit("width", c.width);
    visit("parameters", c.parameters);
    visit("flops_per_unit", c.flops_per_unit);
    visit("capacity", c.capacity);
    visit("capacity_share", c.capacity_share);
    visit("knee", c.knee);
    visit("line", c.line);
    visit("depth_over_knee", c.depth_over_knee);
    visit("depth_over_log2_width", c.depth_over_log2_width);
    visit("findings", c.findings);
    visit("theory_score", c.theory_score);
    visit("why", c.why);
    visit("spec", c.spec);
    visit("input", c.input);
}

template <class Visit, class F>
void fields(Visit& visit, F& f)
    requires std::same_as<std::remove_const_t<F>, FamilyInput>
{
    visit("family", f.family);
    visit("input", f.input);
}

template <class Visit, class T>
void fields(Visit& visit, T& t)
    requires std::same_as<std::remove_const_t<T>, Trials>
{
    visit("networks", t.networks);
    visit("chosen", t.chosen);
}

template <class Visit, class P>
void fields(Visit& visit, P& p)
    requires std::same_as<std::remove_const_t<P>, Proposal>
{
    visit("budget", p.budget);
    visit("budget_source", p.budget_source);
    visit("unit", p.unit);
    visit("favourite", p.favourite);
    visit("pruned", p.pruned);
    visit("notes", p.notes);
    visit("expected_low", p.expected_low);
    visit("expected_high", p.expected_high);
    visit("prediction", p.prediction);
    visit("candidates", p.candidates);
    visit("trials", p.trials);
}

Json to_json(const Proposal& proposal) { return write_fields(proposal); }

Result<Proposal> proposal_from_json(const Json& json) { return read_fields<Proposal>(json, "proposal"); }

std::vector<const Candidate*> networks_of(const Proposal& proposal) {
    std::vector<const Candidate*> all;
    for (const auto& candidate : proposal.candidates) all.push_back(&candidate);
    if (!proposal.trials) return all;
    for (const auto& candidate : proposal.trials->networks) all.push_back(&candidate);
    return all;
}

const Candidate* find_candidate(const Proposal& proposal, const std::string& id) {
    const auto all = networks_of(proposal);
    const auto found = std::ranges::find_if(all, [&](const auto* one) { return one->id == id; });
    return found == all.end() ? nullptr : *found;
}

bool hampered_by(const Candidate& candidate, std::string_view rule) {
    return std::any_of(candidate.findings.begin(), candidate.findings.end(),
                       [&](const auto& f) { return f.rule == rule && f.severity == advise::Severity::act; });
}

}  // namespace plimsoll::fit

#include "plimsoll/fit/candidate.h"

#include <algorithm>
#include <optional>

#include "plimsoll/fit/json_fields.h"

namespace plimsoll::fit {
namespace {

// What of a candidate is plain; its spec and input have their own JSON.
template <class Visit, class C>
void plain_fields(Visit& visit, C& c) {
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
}

template <class Visit, class P>
void plain_proposal_fields(Visit& visit, P& p) {
    visit("budget", p.budget);
    visit("budget_source", p.budget_source);
    visit("unit", p.unit);
    visit("favourite", p.favourite);
    visit("pruned", p.pruned);
    visit("notes", p.notes);
    visit("expected_low", p.expected_low);
    visit("expected_high", p.expected_high);
    visit("prediction", p.prediction);
}

Result<const Json*> member(const Json& json, const char* key, const char* where) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (found == json.end()) return bad_input(fmt::format("{}.{}", where, key), "is missing");
    return &*found;
}

}  // namespace

template <class Visit, class F>
void fields(Visit& visit, F& f)
    requires std::same_as<std::remove_const_t<F>, Finding>
{
    visit("rule", f.rule);
    visit("name", f.name);
    visit("value", f.value);
    visit("line", f.line);
    visit("sentence", f.sentence);
    visit("standing", f.standing);
    visit("severity", f.severity);
}

Json to_json(const Candidate& candidate) {
    FieldWriter writer;
    plain_fields(writer, candidate);
    Json json = writer.take();
    json["spec"] = arch::to_text(candidate.spec);
    json["input"] = to_json(candidate.input);
    return json;
}

Result<Candidate> candidate_from_json(const Json& json) {
    Candidate candidate;
    FieldReader reader(json, "candidate");
    plain_fields(reader, candidate);
    PLIMSOLL_RETURN_IF_ERROR(reader.status());
    PLIMSOLL_ASSIGN(spec, member(json, "spec", "candidate"));
    if (!spec->is_string()) return bad_input("candidate.spec", "is not text");
    PLIMSOLL_ASSIGN(parsed, arch::parse_spec(spec->get<std::string>()));
    candidate.spec = std::move(parsed);
    PLIMSOLL_ASSIGN(input, member(json, "input", "candidate"));
    PLIMSOLL_ASSIGN(choice, choice_from_json(*input, "candidate.input"));
    candidate.input = std::move(choice);
    return candidate;
}

Json to_json(const Proposal& proposal) {
    FieldWriter writer;
    plain_proposal_fields(writer, proposal);
    Json json = writer.take();
    json["candidates"] = Json::array();
    for (const auto& candidate : proposal.candidates) json["candidates"].push_back(to_json(candidate));
    return json;
}

Result<Proposal> proposal_from_json(const Json& json) {
    Proposal proposal;
    FieldReader reader(json, "proposal");
    plain_proposal_fields(reader, proposal);
    PLIMSOLL_RETURN_IF_ERROR(reader.status());
    PLIMSOLL_ASSIGN(list, member(json, "candidates", "proposal"));
    if (!list->is_array()) return bad_input("proposal.candidates", "is not a list");
    for (const auto& item : *list) {
        PLIMSOLL_ASSIGN(candidate, candidate_from_json(item));
        proposal.candidates.push_back(std::move(candidate));
    }
    return proposal;
}

const Candidate* find_candidate(const Proposal& proposal, const std::string& id) {
    const auto found = std::find_if(proposal.candidates.begin(), proposal.candidates.end(),
                                    [&](const auto& candidate) { return candidate.id == id; });
    return found == proposal.candidates.end() ? nullptr : &*found;
}

bool hampered_by(const Candidate& candidate, std::string_view rule) {
    return std::any_of(candidate.findings.begin(), candidate.findings.end(),
                       [&](const auto& f) { return f.rule == rule && f.severity == "act"; });
}

}  // namespace plimsoll::fit

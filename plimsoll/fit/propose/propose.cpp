#include "plimsoll/fit/propose/propose.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/compute_budget.h"
#include "plimsoll/fit/propose/candidate_list.h"
#include "plimsoll/fit/propose/field.h"
#include "plimsoll/fit/propose/prediction.h"
#include "plimsoll/fit/propose/trials.h"

namespace plimsoll::fit {
namespace {

constexpr double most_repeats = 4;  // passes over the tokens there are

constexpr double short_race_seconds = 120;
constexpr std::size_t few = 8, usual = 12, many = 14;
constexpr std::int64_t most_parameters = 100'000'000'000;

// Tokens of the whole set in the finest way to cut it.
double tokens_there(const DataLook& look) {
    double most = 0;
    for (const auto& input : look.inputs) {
        const bool running = look.modality == Modality::text || look.modality == Modality::tokens;
        const double per_unit = running ? 1 / std::max(1e-9, input.units_per_token)
                                        : static_cast<double>(std::max<std::int64_t>(1, input.tokens));
        most = std::max(most, static_cast<double>(look.size) * per_unit);
    }
    return most;
}

// FLOPs of a unit at which a run of full length goes four times over the training part: while it does,
// compute and not the data is what a race lacks.
double affordable_unit(const FitRequest& request, const DataLook& look) {
    const auto trained_on = static_cast<double>(std::max<std::int64_t>(1, look.size - look.held_out));
    return race_flops(request) / runs_in_full / (most_repeats * trained_on);
}

double two_digits(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
    return std::floor(value / unit) * unit;
}

// The fields of one family, one for each input; what cannot be is said in `pruned`.
Result<std::vector<Field>> fields_of(const FitRequest& request, const std::string& family,
                                     const DataLook& look, std::int64_t budget,
                                     std::vector<std::string>& pruned) {
    std::vector<Field> fields;
    for (const auto& input : look.inputs) {
        if (!request.input.empty() && input.name != request.input) continue;
        PLIMSOLL_ASSIGN(field, field_for(request, family, input, look, budget));
        if (field.shapes.empty()) {
            pruned.push_back(fmt::format("{} on {}: {} parameters pay for no depth of it.", family,
                                         input.name, human_count(static_cast<double>(budget))));
        }
        fields.push_back(std::move(field));
    }
    return fields;
}

Error pays_for_nothing(const DataLook& look, std::int64_t budget) {
    return bad_input("params", fmt::format("{} pay for no network on {}; give more",
                                           human_count(static_cast<double>(budget)), look.data));
}

Status check(const FitRequest& request, const DataLook& look) {
    if (look.inputs.empty()) return bad_input("data", "has no way to be cut into tokens");
    return check_asked(request);
}

// Families that can race, each with its fields. One that nobody asked for and that cannot is passed over.
Result<std::vector<std::vector<Field>>> all_fields(const FitRequest& request, const DataLook& look,
                                                   std::int64_t budget, std::vector<std::string>& pruned) {
    const auto families = request.families.empty() ? default_families(look.modality) : request.families;
    std::vector<std::vector<Field>> all;
    for (const auto& family : families) {
        auto fields = fields_of(request, family, look, budget, pruned);
        if (!fields.ok() && (fields.error().kind == ErrorKind::bad_input || families.size() == 1))
            return fields.error();
        if (!fields.ok()) {
            pruned.push_back(fields.error().message + ".");
        } else if (preferred_field(*fields) != nullptr) {
            all.push_back(std::move(fields).value());
        }
    }
    if (all.empty()) return pays_for_nothing(look, budget);
    return all;
}

// The family that is spread over depths and that the rivals' rules are applied to: transformers where they
// race.
void transformers_first(std::vector<std::vector<Field>>& all) {
    std::stable_partition(all.begin(), all.end(),
                          [](const auto& fields) { return fields.front().family() == "transformer"; });
}

std::string singular(const std::string& unit) {
    return unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
}

}  // namespace

DefaultBudget default_budget(const FitRequest& request, const DataLook& look) {
    const auto by_compute = static_cast<double>(budget_by_compute(request));
    const double by_data = tokens_there(look) * most_repeats / tokens_per_parameter;
    const double least = pace_of(request).least_parameters;
    const double chosen = two_digits(std::max(least, std::min(by_compute, by_data)));
    const char* source = chosen <= least         ? "the least that is raced on this device"
                         : by_compute <= by_data ? "what 20 tokens a parameter leave of the race's compute"
                                                 : "a fifth of the tokens there are";
    return {static_cast<std::int64_t>(chosen), source};
}

Status check_asked(const FitRequest& request) {
    if (request.parameters < 0 || request.parameters > most_parameters)
        return bad_input("params", fmt::format("must be 1 to {}, got {}", human_count(most_parameters),
                                               human_count(static_cast<double>(request.parameters))));
    for (const auto& family : request.families) PLIMSOLL_RETURN_IF_ERROR(check_family(family));
    return {};
}

std::vector<std::string> default_families(Modality modality) {
    if (modality == Modality::images) return {"transformer", "mixer", "rp-mixer"};
    if (modality == Modality::rows) return {"mlp"};
    return {"transformer"};
}

std::size_t most_candidates(const FitRequest& request) {
    const double seconds = race_flops(request) / pace_of(request).flops_per_second;
    if (seconds <= short_race_seconds) return few;
    return request.on_gpu() ? many : usual;
}

Result<Proposal> propose(const FitRequest& request, const DataLook& look,
                         const std::vector<FamilyInput>& chosen) {
    PLIMSOLL_RETURN_IF_ERROR(check(request, look));
    Proposal proposal;
    proposal.unit = singular(look.unit);
    proposal.budget = request.parameters;
    proposal.budget_source = "asked for";
    if (request.parameters == 0) {
        const auto by_default = default_budget(request, look);
        proposal.budget = by_default.parameters;
        proposal.budget_source = by_default.source;
    }
    PLIMSOLL_ASSIGN(all, all_fields(request, look, proposal.budget, proposal.pruned));
    transformers_first(all);
    leave_out_dear(all, affordable_unit(request, look), proposal.unit, proposal.pruned);
    proposal.trials = make_trials(all, look, proposal.pruned);
    if (proposal.trials) proposal.trials->chosen = chosen;
    CandidateList list(look, proposal);
    list.add_all(all, chosen);
    list.finish(most_candidates(request));
    order_by_theory(proposal);
    predict(proposal, *chosen_field(all.front(), chosen));
    return proposal;
}

Result<Proposal> settle(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                        const std::vector<FamilyInput>& chosen) {
    PLIMSOLL_CHECK(proposal.trials.has_value(), "there was nothing to choose");
    FitRequest same_size = request;
    same_size.parameters = proposal.budget;
    PLIMSOLL_ASSIGN(settled, propose(same_size, look, chosen));
    settled.budget_source = proposal.budget_source;
    settled.trials = Trials{proposal.trials->networks, chosen};
    return settled;
}

}  // namespace plimsoll::fit

#include "plimsoll/fit/law/ladder.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/look/look.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/scout.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::fit {
namespace {

constexpr double size_factor = 3.5;
constexpr std::size_t sizes = law_sizes_needed;
constexpr double least_size = 7e3;  // parameters; below it nearly all of a network is its tables

std::string size_text(double parameters) { return human_count(parameters); }

// The share of the budget of the number-th size from the top.
double share_of(std::size_t number) {
    double sum = 0;
    for (std::size_t i = 0; i < sizes; ++i) sum += std::pow(size_factor, -real(i));
    return std::pow(size_factor, -real(number)) / sum;
}

FitRequest with_share(FitRequest request, double share) {
    if (request.seconds) *request.seconds *= share;
    if (request.flops) *request.flops *= share;
    return request;
}

// The input that depths are spread on: where the smallest size prefers it, all race on it alone.
const InputChoice& main_input(const Proposal& proposal) {
    return find_candidate(proposal, proposal.favourite)->input;
}

Status make_law(LadderOutcome& outcome, const std::vector<double>& targets) {
    const auto law = DepthLaw::fit(outcome.points, outcome.input_rows);
    if (!law.ok()) {
        outcome.why_no_law = law.error().message;
        return {};
    }
    outcome.line = law->line();
    for (const double target : targets) outcome.targets.push_back(law->at(target));
    return {};
}

void take_recipe(LadderOutcome& outcome, const FitOutcome& fit) {
    const Candidate* scout = scout_of(fit.proposal, "transformer");
    if (scout == nullptr || !fit.decision) return;
    outcome.base_width = scout->width;
    outcome.base_depth = scout->depth;
    outcome.batch = fit.race.plan.batch;
    const auto counted = counted_runs(fit.race, fit.decision->rung, fit.look.goal);
    if (const auto winner = counted.find(fit.decision->winner); winner != counted.end())
        outcome.rate = winner->second.front()->rate;
}

std::string band_text(const Band& band) { return fmt::format("{:.2g} to {:.2g}", band.low, band.high); }

std::string target_sentence(const LadderOutcome& outcome, const TargetShape& target) {
    const std::string size = size_text(target.parameters);
    if (!target.told())
        return fmt::format(
            "{}: these races cannot tell; anything from {} layers is possible (95 %). More time, which makes "
            "the ladder longer, would narrow it.",
            size, band_text(target.depth));
    const auto& largest = outcome.points.back();
    return fmt::format(
        "{}: {:.0f} layers of width {:.0f}; {} layers, widths {} (95 %), {:.2g} times beyond the largest "
        "that raced.",
        size, target.depth.middle, target.width.middle, band_text(target.depth),
        band_text({0, target.width.low, target.width.high}), target.parameters / largest.parameters);
}

}  // namespace

Result<std::vector<FitRequest>> ladder(const FitRequest& request, const DataLook& look) {
    const FitRequest top = with_share(request, share_of(0));
    const double largest =
        real(request.parameters > 0 ? request.parameters : default_budget(top, look).parameters);
    const double smallest = largest / std::pow(size_factor, real(sizes - 1));
    if (smallest < least_size)
        return bad_input("target",
                         fmt::format("a ladder of {} sizes from {} parameters would end at {}; give "
                                     "more --time, or --params {} or more",
                                     sizes, size_text(largest), size_text(smallest),
                                     size_text(std::ceil(least_size * largest / smallest))));
    std::vector<FitRequest> rungs;
    for (std::size_t i = sizes; i-- > 0;) {
        FitRequest rung = with_share(request, share_of(i));
        rung.parameters = std::llround(largest / std::pow(size_factor, real(i)));
        rung.families = {"transformer"};
        rung.out = request.out / fmt::format("size-{}", sizes - i);
        rungs.push_back(std::move(rung));
    }
    return rungs;
}

SizePoint point_of(const FitOutcome& outcome, const std::string& input) {
    SizePoint point;
    point.parameters = real(outcome.proposal.budget);
    if (!outcome.decision) {
        point.why = "no run had ended";
        return point;
    }
    const Valley& valley = outcome.decision->valley;
    point.depth = valley.best;
    point.low = valley.best_low;
    point.high = valley.best_high;
    point.known = valley.known() && valley.input == input;
    if (!valley.known())
        point.why = std::string(name_of(valley.state));
    else if (!point.known)
        point.why = fmt::format("its depths were spread on {}", valley.input);
    return point;
}

Result<LadderOutcome> climb(const FitRequest& request, const std::vector<double>& targets,
                            const std::function<FitOptions(const FitRequest&)>& options_for,
                            const LadderWatch& watch) {
    PLIMSOLL_RETURN_IF_ERROR(store::make_folders(request.out));
    PLIMSOLL_ASSIGN(seen, look(request, {}));
    PLIMSOLL_ASSIGN(rungs, ladder(request, seen));
    PLIMSOLL_ASSIGN(smallest, propose(rungs.front(), seen));
    const InputChoice& input = main_input(smallest);
    LadderOutcome outcome{.input = input.name, .input_rows = real(input.vocab)};
    for (auto& rung : rungs) {
        rung.input = input.name;
        if (seen.modality == Modality::text) rung.vocabularies = {input.vocab};
    }
    for (std::size_t i = 0; i < rungs.size(); ++i) {
        if (watch.begins) watch.begins(i + 1, rungs.size(), rungs[i]);
        PLIMSOLL_ASSIGN(one, fit(rungs[i], options_for(rungs[i])));
        if (watch.ends) watch.ends(one, rungs[i]);
        outcome.stopped = one.stopped;
        if (one.stopped) return outcome;
        if (i + 1 == rungs.size()) take_recipe(outcome, one);
        outcome.points.push_back(point_of(one, outcome.input));
    }
    PLIMSOLL_RETURN_IF_ERROR(make_law(outcome, targets));
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(request.out / "law.json", to_json(outcome).dump(1) + "\n"));
    return outcome;
}

std::vector<std::string> law_sentences(const LadderOutcome& outcome) {
    if (!outcome.why_no_law.empty())
        return {fmt::format("No law: {}. More time would settle it.", outcome.why_no_law)};
    std::vector<std::string> said;
    for (const auto& target : outcome.targets) {
        said.push_back(target_sentence(outcome, target));
        for (const auto& rule : rule_shapes(target.parameters, outcome.input_rows))
            said.push_back(fmt::format("{}: {} says {:.0f} layers of width {:.0f}.",
                                       size_text(target.parameters), rule.rule, rule.depth, rule.width));
    }
    if (outcome.rate > 0)
        said.push_back(fmt::format(
            "Learning rate {:.3g} at the base shape {} x {} (model.parameterization = \"completep\" carries "
            "it "
            "to any other), batches of {} examples or more: larger networks that train longer can use larger "
            "ones, and train.noise_every measures how large.",
            outcome.rate, outcome.base_depth, outcome.base_width, outcome.batch));
    return said;
}

Json to_json(const LadderOutcome& outcome) {
    const auto band = [](const Band& one) {
        return Json{{"middle", one.middle}, {"low", one.low}, {"high", one.high}};
    };
    Json sizes_json = Json::array(), targets = Json::array();
    for (const auto& point : outcome.points)
        sizes_json.push_back({{"parameters", point.parameters},
                              {"depth", point.depth},
                              {"low", point.low},
                              {"high", point.high},
                              {"known", point.known},
                              {"why", point.why}});
    for (const auto& target : outcome.targets) {
        Json rules = Json::array();
        for (const auto& rule : rule_shapes(target.parameters, outcome.input_rows))
            rules.push_back({{"rule", rule.rule}, {"depth", rule.depth}, {"width", rule.width}});
        targets.push_back({{"parameters", target.parameters},
                           {"depth", band(target.depth)},
                           {"width", band(target.width)},
                           {"told", target.told()},
                           {"rules", rules}});
    }
    return {{"format", "plimsoll-law-1"},
            {"input", outcome.input},
            {"sizes", sizes_json},
            {"level", outcome.line ? Json(outcome.line->level) : Json()},
            {"slope", outcome.line ? Json(outcome.line->slope) : Json()},
            {"targets", targets},
            {"why_no_law", outcome.why_no_law},
            {"rate", outcome.rate},
            {"base_width", outcome.base_width},
            {"base_depth", outcome.base_depth},
            {"batch", outcome.batch}};
}

}  // namespace plimsoll::fit

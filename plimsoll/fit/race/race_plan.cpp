#include "plimsoll/fit/race/race_plan.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/race/race_entries.h"
#include "plimsoll/fit/race/race_pace.h"

namespace plimsoll::fit {
namespace {

constexpr double least_growth = 2;  // of a run from one rung to the next, for a rung to be worth its time

// Of the runs of a rung, in the order in which they begin.
std::vector<double> paces_of(const Race& race, const std::vector<std::string>& who, double runs_each) {
    std::vector<double> paces;
    for (int i = 0; i < static_cast<int>(runs_each); ++i)
        for (const auto& id : who) paces.push_back(pace_of(race.plan.pace, id));
    return paces;
}

std::string few_text(std::size_t networks, std::size_t proposed) {
    return fmt::format(
        "The budget pays for {} of the {} networks that were proposed; the rivals and the first of the "
        "others "
        "race.",
        networks, proposed);
}

}  // namespace

RacePlanner::RacePlanner(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                         const lab::RunnerOptions& runner, std::function<double()> seconds_left)
    : request_(request),
      look_(look),
      proposal_(proposal),
      runner_(runner),
      seconds_left_(std::move(seconds_left)),
      kept_(kept_to_the_end(proposal)) {}

// The batch follows from the pace and the pace from the batch, so a plan that comes to quite another batch
// than was measured with is made once more.
Status RacePlanner::begin(Race& race) const {
    race.plan.last_seeds = last_rung_seeds;
    if (!request_.seconds) PLIMSOLL_RETURN_IF_ERROR(first_rung(race));
    if (request_.seconds) {
        const std::int64_t usual = usual_batch(request_);
        PLIMSOLL_RETURN_IF_ERROR(at_pace_of(race, usual));
        const std::int64_t batch = race.plan.batch;
        if (far_apart(batch, usual)) PLIMSOLL_RETURN_IF_ERROR(at_pace_of(race, batch));
    }
    const std::size_t networks = race.plan.candidates.front().size(), proposed = proposal_.candidates.size();
    if (networks < proposed) race.notes.push_back(few_text(networks, proposed));
    return {};
}

void RacePlanner::add_rung(Race& race, int rung) const {
    auto who = next(race, rung);
    double flops = share(race, rung, who);
    if (rung + 1 < race.plan.rungs && flops < least_growth * race.plan.flops.back()) {
        race.plan.rungs = rung + 1;
        race.notes.push_back(
            fmt::format("Rung {} took longer than was planned, so the last one followed it directly.", rung));
        who = next(race, rung);
        flops = share(race, rung, who);
    }
    race.plan.candidates.push_back(std::move(who));
    race.plan.flops.push_back(flops);
}

std::vector<std::string> RacePlanner::promoted(const Race& race, int rung) const {
    std::vector<std::string> ranked, chosen;
    for (const auto& standing : standings(race, rung - 1, look_.goal)) ranked.push_back(standing.candidate);
    if (rung >= race.plan.rungs) return ranked;
    const bool last = rung + 1 == race.plan.rungs;
    if (last) chosen = filled_up({}, ranked, 2);
    for (const auto& id : kept_)
        if (std::ranges::find(ranked, id) != ranked.end()) chosen = filled_up(chosen, {id}, ranked.size());
    return last ? chosen
                : filled_up(chosen, ranked, all_rungs(race)[static_cast<std::size_t>(rung)].networks);
}

// What is left, at the mean pace of these networks.
Purse RacePlanner::purse(const Race& race, const std::vector<std::string>& networks) const {
    if (!request_.seconds) return {.left = *request_.flops - race.flops};
    return {.of_time = true,
            .left = seconds_left_(),
            .workers = runner_.workers,
            .start_seconds = race.plan.start_seconds,
            .seconds_per_flop = mean_pace(race.plan.pace, networks)};
}

Status RacePlanner::at_pace_of(Race& race, std::int64_t batch) const {
    PLIMSOLL_ASSIGN(pace, measure_pace(request_, look_, proposal_, batch, runner_));
    race.plan.start_seconds = pace.start_seconds;
    race.plan.pace = std::move(pace.pace);
    return first_rung(race);
}

Status RacePlanner::first_rung(Race& race) const {
    const double least = least_flops(look_, proposal_);
    const Purse all = purse(race, everybody(proposal_));
    const auto who = affordable(proposal_, all, least);
    if (who.empty()) return too_little(all, least);
    const auto rungs = rungs_of(who.size(), kept_.size());
    const double flops = run_flops(all, rungs, 0);
    race.plan.rungs = static_cast<std::int64_t>(rungs.size());
    race.plan.batch = batch_for(request_, look_, proposal_, flops);
    race.plan.candidates = {who};
    race.plan.flops = {flops};
    return {};
}

Error RacePlanner::too_little(const Purse& purse, double least) const {
    const double needs = needed(purse, rungs_of(kept_.size(), kept_.size()), least);
    const std::string networks = fmt::format("a race of {} networks of {} parameters", kept_.size(),
                                             human_count(static_cast<double>(proposal_.budget)));
    if (!purse.of_time)
        return bad_input("flops", fmt::format("{:.2g} are too few for {}: it needs {:.2g}, or fewer --params",
                                              *request_.flops, networks, needs));
    const double spent = *request_.seconds - purse.left;
    return bad_input("time",
                     fmt::format("{:.0f} s are too short for {}: it needs about {:.0f} s here, or fewer "
                                 "--params",
                                 *request_.seconds, networks, std::ceil(needs + spent)));
}

std::vector<RungShape> RacePlanner::all_rungs(const Race& race) const {
    return rungs_of(race.plan.candidates.front().size(), kept_.size());
}

// FLOPs of a run of the rung when these run.
double RacePlanner::share(const Race& race, int rung, const std::vector<std::string>& who) const {
    const auto number = static_cast<std::size_t>(rung);
    auto rungs = all_rungs(race);
    if (rung + 1 == race.plan.rungs) rungs.erase(rungs.begin() + rung, rungs.end() - 1);
    rungs[number].networks = who.size();
    if (!request_.seconds) return run_flops(purse(race, who), rungs, number);
    return run_flops(purse(race, who), rungs, number, paces_of(race, who, rungs[number].runs_each));
}

// Who is promoted; with a budget of time the slowest first, so that the last to begin are soon done.
std::vector<std::string> RacePlanner::next(const Race& race, int rung) const {
    auto who = promoted(race, rung);
    if (request_.seconds)
        std::ranges::stable_sort(who, std::greater<>(),
                                 [&](const auto& id) { return pace_of(race.plan.pace, id); });
    return who;
}

}  // namespace plimsoll::fit

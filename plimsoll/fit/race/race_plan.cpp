#include "plimsoll/fit/race/race_plan.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/race/race_pace.h"
#include "plimsoll/fit/race/rate_search.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/fit/race/scout.h"

namespace plimsoll::fit {
namespace {

constexpr const char* short_trials = "Short trials";
constexpr double spent_at_most = 0.25;  // of the time, before another measurement of the pace

// The slowest first, so that the last to begin are soon done.
std::vector<std::string> slowest_first(std::vector<std::string> who, const std::vector<Pace>& pace) {
    std::ranges::stable_sort(who, std::greater<>(), [&](const auto& id) { return pace_of(pace, id); });
    return who;
}

}  // namespace

RacePlanner::RacePlanner(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                         const lab::RunnerOptions& runner, std::function<double()> seconds_left)
    : request_(request),
      look_(look),
      proposal_(proposal),
      runner_(runner),
      seconds_left_(std::move(seconds_left)),
      scouts_(request.recipe ? std::vector<std::string>() : scouts(proposal)) {}

// The batch follows from the pace and the pace from the batch, so a plan that comes to quite another batch
// than was measured with is made once more. Not on a GPU: there a smaller batch has a slower pace, which
// would make the next one smaller still; the search for the rate measures it, and the table is sized after
// it.
Result<RaceForecast> RacePlanner::begin(Race& race) const {
    race.plan.rungs = proposal_.trials ? 3 : 2;
    race.plan.wanted_steps = wanted_steps(request_.on_gpu());
    if (!request_.seconds) return plan_search(race);
    if (!assumed_.empty() && late()) {
        race.plan.pace = assumed_;
        race.plan.start_seconds = assumed_start_;
        return plan_search(race);
    }
    const std::int64_t usual = usual_batch(request_, look_, proposal_);
    PLIMSOLL_ASSIGN(forecast, at_pace_of(race, usual));
    const std::int64_t batch = race.plan.batch;
    return far_apart(batch, usual) && !request_.on_gpu() && !late() ? at_pace_of(race, batch)
                                                                    : Result(forecast);
}

void RacePlanner::assume(std::vector<Pace> pace, double start_seconds) {
    assumed_ = std::move(pace);
    assumed_start_ = start_seconds;
}

bool RacePlanner::late() const { return seconds_left_() < (1 - spent_at_most) * *request_.seconds; }

void RacePlanner::add_table(Race& race) const {
    const Sized table = best_table(race, false);
    race.plan.last_seeds = table.size.seeds;
    race.plan.first_seeds = table.size.seeds;
    race.plan.candidates.push_back(request_.seconds ? slowest_first(table.who, race.plan.pace) : table.who);
    race.plan.flops.push_back(table.flops);
    say_who_is_left_out(race, table);
}

std::vector<Stage> RacePlanner::table_stages(const Race& race, const std::vector<std::string>& who,
                                             std::int64_t seeds) const {
    Stage table, checks;
    double sum = 0;
    for (std::int64_t seed = 0; seed < seeds; ++seed)
        for (const auto& id : who) table.paces.push_back(pace(race, id));
    for (const auto& id : who) sum += pace(race, id);
    if (!request_.recipe) checks.paces.assign(rate_checks, sum / static_cast<double>(who.size()));
    return {table, checks};
}

Purse RacePlanner::purse(const Race& race) const {
    if (!request_.seconds) return {.left = *request_.flops - race.flops};
    return {.of_time = true,
            .left = seconds_left_(),
            .workers = runner_.workers,
            .start_seconds = race.plan.start_seconds};
}

Result<RaceForecast> RacePlanner::at_pace_of(Race& race, std::int64_t batch) const {
    PLIMSOLL_ASSIGN(pace, measure_pace(request_, look_, proposal_, batch, runner_));
    race.plan.start_seconds = pace.start_seconds;
    race.plan.pace = std::move(pace.pace);
    return plan_search(race);
}

Result<RaceForecast> RacePlanner::plan_search(Race& race) const {
    race.plan.candidates.clear();  // of a plan at another pace
    const Sized table = best_table(race, true);
    const auto inputs = input_trials(proposal_, table.who);
    race.plan.rungs = inputs.empty() ? 2 : 3;
    if (table.flops < flops_for_steps(look_, proposal_, table.who, least_steps, least_batch))
        return too_little(race, table);
    PLIMSOLL_ASSIGN(recipe, recipe_of(request_));
    race.plan.batch = recipe ? recipe->train.batch : batch_of(table);
    race.plan.last_seeds = table.size.seeds;
    race.plan.candidates = {scouts_of(table.who)};
    if (!inputs.empty()) race.plan.candidates.push_back(inputs);
    race.plan.flops.assign(race.plan.candidates.size(), search_length * table.flops);
    if (!inputs.empty()) say_short_trials(race);
    const double seconds = request_.seconds ? needed(purse(race), all_stages(race, table), table.flops) : 0;
    return RaceForecast{table.who, table.size.seeds, table.flops, seconds,
                        inputs.empty() ? 0 : table.size.input_seeds};
}

// All inputs count on a processor, where a batch may be as small as it likes: whichever is chosen has its
// steps.
std::int64_t RacePlanner::batch_of(const Sized& table) const {
    auto who = input_trials(proposal_, table.who);
    who.insert(who.end(), table.who.begin(), table.who.end());
    const std::int64_t own = batch_for(request_, look_, proposal_, table.who, table.flops);
    return std::max(batch_for(request_, look_, proposal_, who, table.flops),
                    std::min(own, worthwhile_batch(request_, look_, proposal_, table.who)));
}

std::int64_t RacePlanner::least_batch_of(const Race& race, const Sized& table, bool with_search) const {
    if (!with_search && !request_.recipe) return race.plan.batch;
    return worthwhile_batch(request_, look_, proposal_, table.who);
}

// The largest table whose runs have the steps that are wanted: fewer networks first, then fewer seeds. When
// none has, the smallest, with as many steps as there can be. After the search the batch is what it is.
RacePlanner::Sized RacePlanner::best_table(const Race& race, bool with_search) const {
    const std::size_t all = proposal_.candidates.size();
    const std::size_t fewest = std::min(all, std::max(fewest_networks, always_raced(proposal_).size()));
    const auto has_steps = [&](const Sized& table) {
        return table.flops >= flops_for_steps(look_, proposal_, table.who, wanted_steps(request_.on_gpu()),
                                              least_batch_of(race, table, with_search));
    };
    for (std::size_t networks = all; networks >= fewest; --networks) {
        Sized table = sized(race, with_search, {networks, usual_seeds, usual_input_seeds});
        if (has_steps(table)) return table;
    }
    return sized(race, with_search, {fewest, fewest_seeds, 1});
}

RacePlanner::Sized RacePlanner::sized(const Race& race, bool with_search, TableSize size) const {
    Sized table{size, chosen(proposal_, size.networks), 0};
    if (!race.plan.candidates.empty())  // the search is over: who has no rate does not race
        std::erase_if(table.who, [&](const auto& id) { return !has_rate(race, id); });
    table.size.networks = table.who.size();
    table.flops = run_flops(
        purse(race), with_search ? all_stages(race, table) : table_stages(race, table.who, size.seeds));
    return table;
}

std::vector<Stage> RacePlanner::all_stages(const Race& race, const Sized& table) const {
    auto stages = table_stages(race, table.who, table.size.seeds);
    stages.insert(stages.begin(),
                  {search_stage(race, table.who), input_stage(race, table.who, table.size.input_seeds)});
    return stages;
}

std::vector<std::string> RacePlanner::scouts_of(const std::vector<std::string>& who) const {
    std::vector<std::string> found;
    for (const auto& id : scouts_) {
        const std::string& family = find_candidate(proposal_, id)->family;
        if (std::ranges::any_of(
                who, [&](const auto& one) { return find_candidate(proposal_, one)->family == family; }))
            found.push_back(id);
    }
    return found;
}

bool RacePlanner::has_rate(const Race& race, const std::string& candidate) const {
    if (request_.recipe) return true;
    const std::string& scout = scout_of(proposal_, find_candidate(proposal_, candidate)->family)->id;
    return std::ranges::count(race.plan.candidates.front(), scout) > 0;
}

double RacePlanner::pace(const Race& race, const std::string& candidate) const {
    return request_.seconds ? pace_of(race.plan.pace, candidate) : 1;
}

Stage RacePlanner::search_stage(const Race& race, const std::vector<std::string>& who) const {
    Stage stage{{}, search_length};
    for (int trial = 0; trial < planned_trials; ++trial)
        for (const auto& id : scouts_of(who)) stage.paces.push_back(pace(race, id));
    return stage;
}

Stage RacePlanner::input_stage(const Race& race, const std::vector<std::string>& who,
                               std::int64_t seeds) const {
    Stage stage{{}, search_length};
    for (const auto& id : input_trials(proposal_, who)) {
        const bool searched = std::ranges::count(scouts_, id) > 0;
        for (std::int64_t seed = searched ? 1 : 0; seed < seeds; ++seed)
            stage.paces.push_back(pace(race, id));
    }
    return stage;
}

std::int64_t RacePlanner::seeds_for_inputs(const Race& race) const {
    const Purse left = purse(race);
    const double flops = race.plan.flops.at(input_rung) / search_length;  // of a run of the table
    for (std::int64_t seeds = usual_input_seeds; seeds > 0; --seeds) {
        const Stage stage = input_stage(race, race.plan.candidates.at(input_rung), seeds);
        if (needed(left, {stage}, flops) <= inputs_share * left.left) return seeds;
    }
    return 0;
}

Error RacePlanner::too_little(const Race& race, const Sized& smallest) const {
    const Purse left = purse(race);
    const double needs = needed(left, all_stages(race, smallest),
                                flops_for_steps(look_, proposal_, smallest.who, least_steps, least_batch));
    const std::string networks = fmt::format("a race of {} networks of {} parameters", smallest.who.size(),
                                             human_count(static_cast<double>(proposal_.budget)));
    if (!left.of_time)
        return bad_input("flops", fmt::format("{:.2g} are too few for {}: it needs {:.2g}, or fewer --params",
                                              *request_.flops, networks, needs));
    const double spent = *request_.seconds - left.left;
    return bad_input("time",
                     fmt::format("{:.0f} s are too short for {}: it needs about {:.0f} s here, or fewer "
                                 "--params",
                                 *request_.seconds, networks, std::ceil(needs + spent)));
}

// At equal FLOPs an input whose examples cost more has fewer steps, and few steps make it look worse than it
// is.
void RacePlanner::say_short_trials(Race& race) const {
    std::erase_if(race.notes, [](const auto& note) { return note.starts_with(short_trials); });
    const double wanted = search_length * static_cast<double>(wanted_steps(request_.on_gpu()));
    std::vector<std::string> inputs;
    double fewest = wanted;
    for (const auto& id : race.plan.candidates[input_rung]) {
        const Candidate& trial = *find_candidate(proposal_, id);
        const double step = flops_per_example(look_, trial) * static_cast<double>(race.plan.batch);
        const double steps = race.plan.flops[input_rung] / step;
        if (steps >= wanted) continue;
        inputs.push_back(trial.input.name);
        fewest = std::min(fewest, steps);
    }
    if (inputs.empty()) return;
    race.notes.push_back(fmt::format(
        "{} on {}: {:.0f} steps, where {:.0f} are wanted, so that {} look worse than with more time.",
        short_trials, join(inputs, ", "), fewest, wanted, inputs.size() == 1 ? "it may" : "they may"));
}

void RacePlanner::say_who_is_left_out(Race& race, const Sized& table) const {
    const std::size_t proposed = proposal_.candidates.size();
    if (table.size.networks == proposed) return;
    race.notes.push_back(fmt::format(
        "The budget pays for {} of the {} networks that were proposed; the rivals and the first of the "
        "others race.",
        table.size.networks, proposed));
}

}  // namespace plimsoll::fit

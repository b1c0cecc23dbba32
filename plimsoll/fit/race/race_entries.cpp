#include "plimsoll/fit/race/race_entries.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "plimsoll/arch/count.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/lab/jobs/run_results.h"
#include "plimsoll/lab/sweep/work.h"

namespace plimsoll::fit {
namespace {

constexpr double normal_95 = 1.96;  // of the normal distribution: 95 % lie within so many deviations

std::optional<double> value_of(const lab::Measured& measured, const DataLook& look) {
    if (look.goal == Goal::accuracy) return measured.accuracy;
    if (look.goal == Goal::explained_variance) return measured.explained_variance;
    if (look.modality == Modality::text) return measured.bits_per_byte;
    if (!measured.validation_loss) return std::nullopt;
    return *measured.validation_loss / std::numbers::ln2;
}

// Examples that a run was judged by.
double judged_examples(const run::RunConfig& config, const DataLook& look) {
    const auto all = static_cast<double>(look.held_out);
    const std::int64_t batches = config.train.eval_batches;
    return batches == 0 ? all : std::min(all, static_cast<double>(batches * config.train.batch));
}

// Of a share of right answers among independent examples.
double accuracy_half_width(double share, double examples) {
    return normal_95 * std::sqrt(std::max(0.0, share * (1 - share)) / std::max(1.0, examples));
}

// Of 1 - mean square / variance, from the interval of the mean square.
double explained_half_width(double value, const lab::Measured& measured) {
    const double square = measured.validation_loss.value_or(0);
    return square > 0 ? measured.loss_half_width.value_or(0) * (1 - value) / square : 0;
}

RaceEntry begun_entry(const RaceRun& run, const DataLook& look) {
    RaceEntry entry;
    entry.candidate = run.candidate->id;
    entry.run = run.job.id;
    entry.rung = run.rung;
    entry.rate = run.rate;
    entry.seed = run.seed;
    entry.steps = run.job.config.train.steps;
    const double examples = static_cast<double>(entry.steps * run.job.config.train.batch);
    entry.units_seen = examples * units_per_example(look, *run.candidate);
    entry.flops = run.job.work.flops().value_or(0);
    return entry;
}

}  // namespace

Result<lab::Job> job_of(run::RunConfig config) {
    lab::Job job;
    PLIMSOLL_ASSIGN(work, lab::work_of(config));
    job.work = work;
    job.parameters = job.counted = arch::parameter_count(config.model.spec);
    job.id = run::run_hash(config);
    job.config = std::move(config);
    return job;
}

lab::Plan plan_of(const std::vector<RaceRun>& runs) {
    lab::Plan plan;
    plan.file = "fit";
    std::set<std::string> seen;
    for (const auto& run : runs)
        if (seen.insert(run.job.id).second) plan.jobs.push_back(run.job);
    plan.combinations = plan.jobs.size();
    return plan;
}

Result<std::optional<RaceEntry>> entry_of(const RaceRun& run, const DataLook& look,
                                          const std::filesystem::path& runs) {
    PLIMSOLL_ASSIGN(results, lab::read_results(run.job, runs));
    RaceEntry entry = begun_entry(run, look);
    entry.state = results.phase == lab::JobPhase::failed ? EntryState::failed : EntryState::done;
    entry.seconds = results.own_seconds.value_or(0);
    if (results.phase == lab::JobPhase::failed) return std::optional(entry);
    const auto value = value_of(results.last, look);
    if (results.phase != lab::JobPhase::done || !value) return std::optional<RaceEntry>();
    entry.value = *value;
    if (look.goal == Goal::accuracy)
        entry.value_half_width = accuracy_half_width(*value, judged_examples(run.job.config, look));
    if (look.goal == Goal::explained_variance)
        entry.value_half_width = explained_half_width(*value, results.last);
    const double per_step = entry.units_seen / static_cast<double>(entry.steps);
    for (const auto& measured : results.evaluations)
        if (const auto then = value_of(measured, look))
            entry.curve.emplace_back(per_step * static_cast<double>(measured.step), *then);
    return std::optional(entry);
}

void add_entry(Race& race, RaceEntry entry) {
    const bool known = std::ranges::any_of(race.entries, [&](const RaceEntry& other) {
        return other.run == entry.run && other.rung == entry.rung;
    });
    if (known) return;
    const bool trained =
        std::ranges::count(race.entries, entry.run, &RaceEntry::run) > 0;  // for another rung
    if (!trained) race.flops += entry.flops;
    race.entries.push_back(std::move(entry));
}

std::vector<RungValue> rung_values(const Race& race, int rung, Goal goal) {
    std::vector<RungValue> best;
    const auto better = [&](double a, double b) { return lower_is_better(goal) ? a < b : a > b; };
    for (const auto& entry : race.entries) {
        if (entry.rung != rung || !entry.has_value()) continue;
        const auto found = std::ranges::find(best, entry.candidate, &RungValue::candidate);
        const RungValue standing{entry.candidate, entry.value, entry.rate};
        if (found == best.end())
            best.push_back(standing);
        else if (better(entry.value, found->value))
            *found = standing;
    }
    std::ranges::stable_sort(best, better, &RungValue::value);
    return best;
}

std::vector<RungValue> mean_rung_values(const Race& race, int rung, Goal goal) {
    std::map<std::pair<std::string, double>, std::vector<double>> values;
    for (const auto& entry : race.entries)
        if (entry.rung == rung && entry.has_value())
            values[{entry.candidate, entry.rate}].push_back(entry.value);
    std::size_t most = 0;
    for (const auto& [key, of_seeds] : values) most = std::max(most, of_seeds.size());
    std::vector<RungValue> means;
    for (const auto& [key, of_seeds] : values) {
        if (of_seeds.size() < most) continue;
        const double sum = std::accumulate(of_seeds.begin(), of_seeds.end(), 0.0);
        means.push_back({key.first, sum / static_cast<double>(most), key.second});
    }
    const auto better = [&](double a, double b) { return lower_is_better(goal) ? a < b : a > b; };
    std::ranges::stable_sort(means, better, &RungValue::value);
    return means;
}

}  // namespace plimsoll::fit

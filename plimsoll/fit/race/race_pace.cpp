#include "plimsoll/fit/race/race_pace.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <map>

#include "plimsoll/base/text.h"
#include "plimsoll/fit/race/race_budget.h"
#include "plimsoll/fit/race/race_entries.h"
#include "plimsoll/fit/race/run_settings.h"
#include "plimsoll/lab/jobs/calibrate.h"

namespace plimsoll::fit {
namespace {

constexpr std::int64_t usual_batch_cpu = 16;
constexpr std::int64_t far_batches = 4;  // times the other
constexpr double trial_seconds = 0.7;
// One network does not take more times as long a FLOP than another; a loaded machine may measure that.
constexpr double most_apart = 8;
constexpr int most_together = 32;  // measurements at a time
// From one stack to the next in a worker that stays (docs/measurements/stacks.md); its own start is paid
// once, before the race.
constexpr double next_stack_seconds = 0.5;

// Runs that train as one program.
int stack_of(const FitRequest& request, const lab::RunnerOptions& runner) {
    return request.on_gpu() && runner.stack ? static_cast<int>(usual_seeds) : 1;
}

Result<lab::Job> trial(const FitRequest& request, const DataLook& look, const Candidate& candidate,
                       std::int64_t batch) {
    RunLength length;
    length.rate = first_rate(candidate);
    length.batch = batch;
    length.seed = request.seed;
    PLIMSOLL_ASSIGN(config, run_config(request, look, candidate, length));
    return job_of(std::move(config));
}

// As many measurements at a time as there will be runs: what they share makes each of them slower. An error
// when none of them succeeds; a device may be busy for one.
Result<std::vector<lab::Calibration>> measured_together(const lab::Plan& plan, const FitRequest& request,
                                                        const lab::RunnerOptions& runner) {
    const auto devices = split(request.device, ',');
    std::vector<std::future<Result<lab::Calibration>>> pending;
    for (int i = 0; i < std::min(most_together, runner.workers); ++i) {
        const lab::CalibrationOptions options{.program = runner.program,
                                              .device = devices[static_cast<std::size_t>(i) % devices.size()],
                                              .threads = runner.threads,
                                              .stack = stack_of(request, runner),
                                              .seconds = trial_seconds};
        pending.push_back(
            std::async(std::launch::async, [&plan, options] { return lab::calibrate(plan, options); }));
    }
    std::vector<lab::Calibration> all;
    std::optional<Error> problem;
    for (auto& one : pending) {
        auto measured = one.get();
        if (measured.ok()) {
            all.push_back(std::move(measured).value());
        } else {
            problem = measured.error();
        }
    }
    if (all.empty()) return *problem;
    return all;
}

double seconds_per_flop(const lab::Calibration& measured, const std::string& id) {
    const auto found = std::ranges::find(measured.shapes, id, &lab::MeasuredShape::id);
    const auto& shape = found == measured.shapes.end() ? measured.shapes.front() : *found;
    return (1 + evaluation_share) * shape.seconds_per_step / shape.flops_per_step;
}

// The mean of a figure over all measurements.
template <class Figure>
double mean_over(const std::vector<lab::Calibration>& all, Figure figure) {
    double sum = 0;
    for (const auto& one : all) sum += figure(one);
    return sum / static_cast<double>(all.size());
}

}  // namespace

std::int64_t usual_batch(const FitRequest& request, const DataLook& look, const Proposal& proposal) {
    if (!request.on_gpu()) return usual_batch_cpu;
    return batch_for(request, look, proposal, everybody(proposal), std::numeric_limits<double>::infinity());
}

bool far_apart(std::int64_t batch, std::int64_t other) {
    return batch >= far_batches * other || other >= far_batches * batch;
}

Result<MeasuredPace> measure_pace(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                                  std::int64_t batch, const lab::RunnerOptions& runner) {
    const auto [shallow, deep] = std::ranges::minmax_element(proposal.candidates, {}, &Candidate::depth);
    PLIMSOLL_ASSIGN(low, trial(request, look, *shallow, batch));
    PLIMSOLL_ASSIGN(high, trial(request, look, *deep, batch));
    lab::Plan plan;
    plan.jobs = {low, high};
    PLIMSOLL_ASSIGN(all, measured_together(plan, request, runner));
    const auto pace_of = [&](const std::string& id) {
        return mean_over(all, [&](const auto& one) { return seconds_per_flop(one, id); });
    };
    const double started = mean_over(all, [](const auto& one) { return one.start_seconds(); });
    MeasuredPace result{request.on_gpu() ? next_stack_seconds / stack_of(request, runner)
                                         : std::min(started, next_stack_seconds),
                        {}};
    const double least = std::max(pace_of(low.id), pace_of(high.id)) / most_apart;
    const double first = std::max(least, pace_of(low.id)), last = std::max(least, pace_of(high.id));
    const auto depths = static_cast<double>(std::max<std::int64_t>(1, deep->depth - shallow->depth));
    for (const auto* network : networks_of(proposal)) {
        const double share = static_cast<double>(network->depth - shallow->depth) / depths;
        result.pace.push_back({network->id, first + std::clamp(share, 0.0, 1.0) * (last - first)});
    }
    return result;
}

void update_pace(std::vector<Pace>& pace, const Race& race, int rung) {
    std::map<std::string, double> measured;
    double log_ratio = 0;
    for (const auto& one : pace) {
        double seconds = 0, flops = 0;
        for (const auto& entry : race.entries) {
            if (entry.candidate != one.candidate || entry.rung != rung || entry.state != EntryState::done)
                continue;
            seconds += entry.seconds;
            flops += entry.flops;
        }
        if (!(seconds > 0 && flops > 0)) continue;
        measured[one.candidate] = seconds / flops;
        log_ratio += std::log(seconds / flops / one.seconds_per_flop);
    }
    if (measured.empty()) return;
    const double ratio = std::exp(log_ratio / static_cast<double>(measured.size()));
    for (auto& one : pace) {
        const auto own = measured.find(one.candidate);
        one.seconds_per_flop = own != measured.end() ? own->second : ratio * one.seconds_per_flop;
    }
}

namespace {

// Of that depth, or next to it; of the same family where there is one.
const Candidate& nearest_depth_of(const Proposal& proposal, const Candidate& like) {
    return *std::ranges::min_element(proposal.candidates, {}, [&](const Candidate& one) {
        return std::pair(one.family != like.family, std::abs(one.depth - like.depth));
    });
}

const Candidate* trial_of(const Proposal& proposal, const std::string& family, const std::string& input) {
    for (const auto& one : proposal.trials->networks)
        if (one.family == family && one.input.name == input) return &one;
    return nullptr;
}

}  // namespace

std::vector<Pace> settled_pace(const Proposal& before, const std::vector<Pace>& pace,
                               const Proposal& settled) {
    std::vector<Pace> all;
    for (const auto& candidate : settled.candidates) {
        const Candidate& like = nearest_depth_of(before, candidate);
        const Candidate* here = trial_of(settled, candidate.family, candidate.input.name);
        const Candidate* there = trial_of(settled, like.family, like.input.name);
        const double ratio =
            here == nullptr || there == nullptr ? 1 : pace_of(pace, here->id) / pace_of(pace, there->id);
        all.push_back({candidate.id, ratio * pace_of(pace, like.id)});
    }
    for (const auto& trial : settled.trials->networks) all.push_back({trial.id, pace_of(pace, trial.id)});
    return all;
}

double pace_of(const std::vector<Pace>& pace, const std::string& candidate) {
    const auto found = std::ranges::find(pace, candidate, &Pace::candidate);
    PLIMSOLL_CHECK(found != pace.end(), "a candidate without a pace");
    return found->seconds_per_flop;
}

}  // namespace plimsoll::fit

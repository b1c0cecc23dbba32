#include "plimsoll/fit/race_pace.h"

#include <algorithm>

#include "plimsoll/fit/race_entries.h"
#include "plimsoll/fit/run_settings.h"
#include "plimsoll/lab/calibrate.h"

namespace plimsoll::fit {
namespace {

constexpr std::int64_t trial_batch_cpu = 16, trial_batch_gpu = 128;
constexpr double trial_seconds = 0.7;

Result<lab::Job> trial(const FitRequest& request, const DataLook& look, const Candidate& candidate) {
    const bool gpu = request.device.starts_with("cuda");
    const RunLength length{0, first_rate(candidate), gpu ? trial_batch_gpu : trial_batch_cpu, request.seed,
                           false};
    PLIMSOLL_ASSIGN(config, run_config(request, look, candidate, length));
    return job_of(std::move(config));
}

double seconds_per_flop(const lab::Calibration& measured, const std::string& id) {
    const auto found = std::ranges::find(measured.shapes, id, &lab::MeasuredShape::id);
    const auto& shape = found == measured.shapes.end() ? measured.shapes.front() : *found;
    return (1 + evaluation_share) * shape.seconds_per_step / shape.flops_per_step;
}

}  // namespace

Result<MeasuredPace> measure_pace(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                                  const lab::RunnerOptions& runner) {
    const auto [shallow, deep] = std::ranges::minmax_element(proposal.candidates, {}, &Candidate::depth);
    PLIMSOLL_ASSIGN(low, trial(request, look, *shallow));
    PLIMSOLL_ASSIGN(high, trial(request, look, *deep));
    lab::Plan plan;
    plan.jobs = {low, high};
    PLIMSOLL_ASSIGN(measured, lab::calibrate(plan, {.program = runner.program,
                                                    .device = request.device,
                                                    .threads = runner.threads,
                                                    .seconds = trial_seconds}));
    MeasuredPace result{measured.start_seconds(), {}};
    const double first = seconds_per_flop(measured, low.id), last = seconds_per_flop(measured, high.id);
    const auto depths = static_cast<double>(std::max<std::int64_t>(1, deep->depth - shallow->depth));
    for (const auto& candidate : proposal.candidates) {
        const double share = static_cast<double>(candidate.depth - shallow->depth) / depths;
        result.pace.push_back({candidate.id, first + share * (last - first)});
    }
    return result;
}

void update_pace(std::vector<Pace>& pace, const Race& race, int rung) {
    for (auto& one : pace) {
        double seconds = 0, flops = 0;
        for (const auto& entry : race.entries) {
            if (entry.candidate != one.candidate || entry.rung != rung || entry.state != "done") continue;
            seconds += entry.seconds;
            flops += entry.flops;
        }
        if (seconds > 0 && flops > 0) one.seconds_per_flop = seconds / flops;
    }
}

double mean_pace(const std::vector<Pace>& pace, const std::vector<std::string>& candidates) {
    double sum = 0, count = 0;
    for (const auto& one : pace) {
        if (std::ranges::find(candidates, one.candidate) == candidates.end()) continue;
        sum += one.seconds_per_flop;
        ++count;
    }
    return count > 0 ? sum / count : 0;
}

}  // namespace plimsoll::fit

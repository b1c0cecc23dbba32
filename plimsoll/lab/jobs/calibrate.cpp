#include "plimsoll/lab/jobs/calibrate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/worker.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

// The steps of the shorter run, and how many more the longer one makes. A GPU records its step after a few
// and plays it from then on: what comes before says nothing about the pace.
struct TrialSteps {
    std::int64_t first, fewest_more, most_more = 1000;
};
constexpr TrialSteps on_processor{2, 4}, on_gpu{24, 48};

const TrialSteps& trial_steps(const CalibrationOptions& options) {
    return options.device.starts_with("cuda") ? on_gpu : on_processor;
}

struct Timed {
    double session = 0;  // from the network's first step to the end, as the program says
    double whole = 0;    // from start to end of the process
};

// The same network and data for so many steps, with as little else as there can be.
run::RunConfig shortened(run::RunConfig config, std::int64_t steps) {
    config.train.steps = steps;
    config.train.epochs = 0;
    config.train.eval_every = 0;
    config.train.eval_batches = 1;
    config.train.checkpoint_every = 0;
    config.schedule = {};  // no part of the time, and too long for so few steps
    return config;
}

std::string last_line(const fs::path& file) {
    const auto text = read_text(file);
    const auto lines = split(text.ok() ? trim(*text) : "", '\n');
    return lines.empty() ? "it said nothing" : lines.back();
}

// The run and its twins with other seeds, each in a file of its own.
Result<std::vector<std::string>> written_stack(run::RunConfig config, const fs::path& folder, int stack) {
    std::vector<std::string> files;
    for (int k = 0; k < stack; ++k) {
        const fs::path toml = folder / fmt::format("run{}.toml", k);
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(toml, run::to_toml(config)));
        files.push_back(toml.string());
        ++config.seeds.init, ++config.seeds.data, ++config.seeds.dropout;
    }
    return files;
}

// The seconds that `train --json` says, of a run alone or of the first of a stack.
Result<double> said_seconds(const fs::path& out, const CalibrationOptions& options) {
    PLIMSOLL_ASSIGN(summary, read_json(out));
    const bool several = summary.is_object() && summary.contains("runs") && summary.at("runs").is_array() &&
                         !summary.at("runs").empty();
    const Json& one = several ? summary.at("runs").front() : summary;
    if (!one.is_object() || !one.contains("seconds") || !one.at("seconds").is_number())
        return bad_input("calibration", options.program.string() + " train did not say its seconds");
    return one.at("seconds").get<double>();
}

Result<Timed> timed_run(const run::RunConfig& config, const fs::path& folder,
                        const CalibrationOptions& options) {
    const fs::path out = folder / "out", err = folder / "err";
    PLIMSOLL_ASSIGN(arguments, written_stack(config, folder, options.stack));
    arguments.insert(arguments.begin(), "train");
    for (const auto& more : {std::string("--runs"), (folder / "runs").string(), std::string("--device"),
                             options.device, std::string("--json")})
        arguments.push_back(more);
    std::error_code ignored;
    for (const auto& file : {out, err}) fs::remove(file, ignored);  // of the run before
    const auto start = std::chrono::steady_clock::now();
    PLIMSOLL_ASSIGN(process, Process::start({.program = options.program,
                                             .arguments = arguments,
                                             .out = out,
                                             .err = err,
                                             .folder = {},
                                             .environment = thread_environment(options.threads),
                                             .own_group = false}));
    const ProcessEnd end = process.wait();
    const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!end.ok())
        return bad_input("calibration", fmt::format("{} train ended with {}: {}", options.program.string(),
                                                    end.exit_code, last_line(err)));
    PLIMSOLL_ASSIGN(session, said_seconds(out, options));
    return Timed{session, whole};
}

// Two runs of different length: what one step takes is in their difference.
Result<MeasuredShape> measure(const Job& job, const fs::path& folder, const CalibrationOptions& options,
                              const std::function<void()>& done) {
    const TrialSteps& steps = trial_steps(options);
    PLIMSOLL_ASSIGN(brief, timed_run(shortened(job.config, steps.first), folder, options));
    done();
    const double guess = brief.session / static_cast<double>(steps.first);
    const auto more = static_cast<std::int64_t>(std::clamp(options.seconds / std::max(guess, 1e-9),
                                                           static_cast<double>(steps.fewest_more),
                                                           static_cast<double>(steps.most_more)));
    PLIMSOLL_ASSIGN(longer, timed_run(shortened(job.config, steps.first + more), folder, options));
    done();
    MeasuredShape shape{job.id, job.work.flops_per_step, more, 0, 0};
    const auto all = static_cast<double>(steps.first + more);
    // On a busy machine the longer run may be done sooner; then all of it is an upper bound.
    const double of_step = longer.session > brief.session
                               ? (longer.session - brief.session) / static_cast<double>(more)
                               : longer.session / all;
    shape.seconds_per_step = of_step / options.stack;
    shape.start_seconds = std::max(0.0, brief.whole - static_cast<double>(steps.first) * of_step);
    return shape;
}

double flops_of(const Job& job) { return job.work.flops_per_step; }

}  // namespace

double Calibration::start_seconds() const {
    double most = 0;
    for (const auto& shape : shapes) most = std::max(most, shape.start_seconds);
    return most;
}

double Calibration::seconds_per_step(double flops_per_step) const {
    PLIMSOLL_CHECK(!shapes.empty(), "a calibration without a measurement");
    const MeasuredShape &low = shapes.front(), &high = shapes.back();
    const double span = high.flops_per_step - low.flops_per_step;
    if (span <= 0) return low.seconds_per_step;
    const double slope = (high.seconds_per_step - low.seconds_per_step) / span;
    return low.seconds_per_step + slope * (flops_per_step - low.flops_per_step);
}

std::optional<double> Calibration::seconds(const Work& work) const {
    if (!work.steps) return std::nullopt;
    return start_seconds() + static_cast<double>(*work.steps) * seconds_per_step(work.flops_per_step);
}

Result<Calibration> calibrate(const Plan& plan, const CalibrationOptions& options) {
    if (plan.jobs.empty()) return bad_input("calibration", "there is no job to measure");
    const auto [cheapest, dearest] = std::ranges::minmax_element(plan.jobs, {}, flops_of);
    std::vector<const Job*> jobs{&*cheapest};
    if (flops_of(*dearest) > flops_of(*cheapest)) jobs.push_back(&*dearest);
    PLIMSOLL_ASSIGN(scratch, ScratchFolder::make("calibration"));
    Calibration result{options.device, {}};
    std::uint64_t runs = 0;
    const auto done = [&] {
        if (options.progress) options.progress(++runs, 2 * jobs.size());
    };
    for (const Job* job : jobs) {
        PLIMSOLL_ASSIGN(shape, measure(*job, scratch.path(), options, done));
        result.shapes.push_back(std::move(shape));
    }
    return result;
}

}  // namespace plimsoll::lab

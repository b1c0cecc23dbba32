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

constexpr std::int64_t first_steps = 2, fewest_more = 4, most_more = 1000;
// A GPU records its step after a few and plays it from then on: what comes before says nothing about the
// pace.
constexpr std::int64_t settled_step = 40, steps_on_gpu = 180, rows_every = 20;

struct Timed {
    double session = 0;  // from the network's first step to the end, as the program says
    double whole = 0;    // from start to end of the process
};

// The same network and data for `steps` steps, with as little else as there can be.
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
    return lines.empty() ? "it printed nothing" : lines.back();
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
        return bad_input("calibration", options.program.string() + " train did not print its seconds");
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
    PLIMSOLL_ASSIGN(brief, timed_run(shortened(job.config, first_steps), folder, options));
    done();
    const double guess = brief.session / static_cast<double>(first_steps);
    const auto more = static_cast<std::int64_t>(
        std::clamp(options.seconds / std::max(guess, 1e-9), double{fewest_more}, double{most_more}));
    PLIMSOLL_ASSIGN(longer, timed_run(shortened(job.config, first_steps + more), folder, options));
    done();
    MeasuredShape shape{job.id, job.work.flops_per_step, more, 0, 0};
    // A machine that holds up the brief run makes the difference nothing, and a step never takes that.
    constexpr double least_share = 0.01;
    const double of_step = std::max((longer.session - brief.session) / static_cast<double>(more),
                                    least_share * longer.session / static_cast<double>(first_steps + more));
    shape.seconds_per_step = of_step / options.stack;
    shape.start_seconds = std::max(0.0, brief.whole - static_cast<double>(first_steps) * of_step);
    return shape;
}

struct Row {
    std::int64_t step = 0;
    double seconds = 0;
};

// The rows of timings.jsonl of the runs in a folder: those of one run, since a stack's runs share their
// steps.
std::vector<Row> timing_rows(const fs::path& runs) {
    std::vector<Row> rows;
    std::error_code ignored;
    for (const auto& run : fs::directory_iterator(runs, ignored)) {
        const auto text = read_text(run.path() / "timings.jsonl");
        if (!text.ok() || !rows.empty()) continue;
        for (const auto& line : split(trim(*text), '\n')) {
            const auto row = parse_json(line, "timings.jsonl");
            if (!row.ok() || !row->contains("step") || !row->contains("seconds")) continue;
            rows.push_back({row->at("step").get<std::int64_t>(), row->at("seconds").get<double>()});
        }
    }
    return rows;
}

// Seconds of a step of the stack between two rows: from the first after the step was recorded to the last
// before the end, after which come an evaluation and a checkpoint. Nothing where rows are missing.
std::optional<double> recorded_step(const fs::path& runs) {
    const auto rows = timing_rows(runs);
    const auto first = std::ranges::find_if(rows, [](const Row& row) { return row.step >= settled_step; });
    if (std::distance(first, rows.end()) < 3) return {};
    const Row &from = *first, &to = rows[rows.size() - 2];
    if (to.step <= from.step || !(to.seconds > from.seconds)) return {};
    return (to.seconds - from.seconds) / static_cast<double>(to.step - from.step);
}

// One run, or stack, whose own rows say what its recorded steps take; without rows the whole session is an
// upper bound.
Result<MeasuredShape> measure_recorded(const Job& job, const fs::path& folder,
                                       const CalibrationOptions& options, const std::function<void()>& done) {
    run::RunConfig config = shortened(job.config, steps_on_gpu);
    config.train.log_every = rows_every;
    std::error_code ignored;
    fs::remove_all(folder / "runs", ignored);  // of another shape
    PLIMSOLL_ASSIGN(timed, timed_run(config, folder, options));
    done();
    done();
    const double of_step =
        recorded_step(folder / "runs").value_or(timed.session / static_cast<double>(steps_on_gpu));
    MeasuredShape shape{job.id, job.work.flops_per_step, steps_on_gpu - settled_step, 0, 0};
    shape.seconds_per_step = of_step / options.stack;
    shape.start_seconds = std::max(0.0, timed.whole - static_cast<double>(steps_on_gpu) * of_step);
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
    const auto [cheapest, most_expensive] = std::ranges::minmax_element(plan.jobs, {}, flops_of);
    std::vector<const Job*> jobs{&*cheapest};
    if (flops_of(*most_expensive) > flops_of(*cheapest)) jobs.push_back(&*most_expensive);
    PLIMSOLL_ASSIGN(scratch, ScratchFolder::make("calibration"));
    Calibration result{options.device, {}};
    std::uint64_t runs = 0;
    const auto done = [&] {
        if (options.progress) options.progress(++runs, 2 * jobs.size());
    };
    const auto measure_one = options.device.starts_with("cuda") ? measure_recorded : measure;
    for (const Job* job : jobs) {
        PLIMSOLL_ASSIGN(shape, measure_one(*job, scratch.path(), options, done));
        result.shapes.push_back(std::move(shape));
    }
    return result;
}

}  // namespace plimsoll::lab

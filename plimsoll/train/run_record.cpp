#include "plimsoll/train/run_record.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/version.h>

#include "plimsoll/base/format.h"
#include "plimsoll/run/trunk.h"
#include "plimsoll/store/environment.h"
#include "plimsoll/train/branch.h"
#include "plimsoll/train/checkpoint.h"

namespace plimsoll::train {
namespace {

double unix_time() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Json session_of(const TrainOptions& options, const RunRecord::Seat& seat) {
    store::SessionFacts facts;
    facts.program = "plimsoll-torch";
    facts.version = PLIMSOLL_VERSION;
    facts.device = options.device;
    facts.threads = at::get_num_threads();
    facts.libraries = {{"libtorch", TORCH_VERSION}};
    facts.command = options.command;
    Json session = store::environment_now(facts);
    session["processes"] = seat.processes;
    session["stack"] = Json{{"runs", seat.runs}, {"slot", seat.slot}};
    return session;
}

// What depends on the clock, for timings.jsonl.
Json timing_row(const TrainProgress& progress) {
    return Json{{"step", progress.step},
                {"seconds", progress.seconds},
                {"examples_per_second", progress.examples_per_second},
                {"flops_per_second", progress.flops_per_second},
                {"mfu", progress.mfu},
                {"peak_mb", progress.peak_mb}};
}

bool all_finite(const std::vector<model::NamedTensor>& tensors) {
    return std::ranges::all_of(
        tensors, [](const auto& one) { return at::isfinite(one.tensor).all().template item<bool>(); });
}

std::string what_is_not_finite(const StepRecord& record, std::int64_t step) {
    const bool loss = !std::isfinite(record.loss);
    const double value = loss ? record.loss : record.gradient_norm;
    return fmt::format("the {} is {} at step {}", loss ? "loss" : "gradient's norm",
                       std::isnan(value) ? "not a number" : "infinite", step);
}

}  // namespace

Result<RunRecord> RunRecord::open(const run::RunConfig& config, const TrainOptions& options, Seat seat) {
    PLIMSOLL_ASSIGN(run, store::Run::create_or_open(options.runs, run::to_toml(config)));
    RunRecord record(std::move(run), options.tensorboard, seat.slot);
    const bool failed_before = record.state().phase == store::Phase::failed && !options.retry_failed;
    if (!record.done() && !failed_before)
        PLIMSOLL_RETURN_IF_ERROR(record.run_.add_environment(session_of(options, seat)));
    return record;
}

Result<RunSummary> RunRecord::earlier_summary() const {
    RunSummary summary{.id = run_.id(), .folder = run_.folder(), .step = run_.state().step, .was_done = true};
    PLIMSOLL_ASSIGN(rows, store::read_metrics(run_.folder()));
    for (const Json& row : rows) {
        if (row.contains("loss")) summary.train_loss = row["loss"].get<double>();
        if (row.contains("noise")) summary.noise = noise_scale_of(row["noise"]);
        if (!row.contains("validation")) continue;
        const Json& validation = row["validation"];
        summary.validation.loss = validation.value("loss", 0.0);
        summary.validation.half_width = validation.value("loss_half_width", 0.0);
        summary.validation.accuracy = validation.value("accuracy", -1.0);
        if (validation.contains("explained_variance"))
            summary.validation.explained = validation["explained_variance"].get<double>();
        if (validation.contains("error")) summary.validation.error = validation["error"].get<double>();
        summary.validation.bits_per_byte = validation.value("bits_per_byte", -1.0);
        summary.validation.perplexity = validation.value("perplexity", -1.0);
        summary.validation.targets = validation.value("targets", std::int64_t{0});
    }
    return summary;
}

Status RunRecord::keep_table(const run::TableEncoding& encoding) {
    const auto file = run_.folder() / run::table_file;
    std::error_code problem;
    if (!std::filesystem::exists(file, problem)) {
        PLIMSOLL_RETURN_IF_ERROR(run_.still_mine());
        return atomic_write(file, to_json(encoding).dump(1) + "\n");
    }
    PLIMSOLL_ASSIGN(json, read_json(file));
    PLIMSOLL_ASSIGN(before, run::table_encoding_from_json(json, file.string()));
    if (before == encoding) return {};
    return bad_input(file.string(),
                     "has another mean, value or column than the table: the data of this run has changed; "
                     "use another --runs folder to train on the new data");
}

std::vector<model::NamedTensor> RunRecord::memory(const StepProgram& program) const {
    auto tensors = program.memory(slot_);
    tensors.push_back({"train.pending", pending_});
    return tensors;
}

Status RunRecord::restore_from(const store::Checkpoint& checkpoint, const StepProgram& program) {
    return restore_checkpoint(checkpoint.folder, program.weights(slot_), memory(program));
}

Result<std::int64_t> RunRecord::resume(const StepProgram& program, const run::RunConfig& config,
                                       std::int64_t steps) {
    PLIMSOLL_ASSIGN(checkpoint, run_.latest_checkpoint());
    PLIMSOLL_RETURN_IF_ERROR(run_.rewind_to(checkpoint));
    if (checkpoint) PLIMSOLL_RETURN_IF_ERROR(restore_from(*checkpoint, program));
    summary_.resumed = checkpoint.has_value();
    PLIMSOLL_ASSIGN(step,
                    checkpoint ? Result<std::int64_t>(checkpoint->step) : branch_off(program, config, steps));
    if (config.train.noise_every > 0) PLIMSOLL_RETURN_IF_ERROR(read_noise());
    return step;
}

// What the rows before this session measured.
Status RunRecord::read_noise() {
    PLIMSOLL_ASSIGN(rows, store::read_metrics(run_.folder()));
    for (const Json& row : rows)
        if (row.contains("noise")) noise_.push_back(noise_sample_of(row["noise"]));
    if (!noise_.empty()) summary_.noise = recent_noise_scale(noise_);
    return {};
}

// A trunk only saves time: the run has the same bytes without it, so whatever is wrong with it is noted, and
// the run trains from scratch.
Result<std::int64_t> RunRecord::branch_off(const StepProgram& program, const run::RunConfig& config,
                                           std::int64_t steps) {
    const auto trunk = run::trunk_of(config);
    if (!trunk) return std::int64_t{0};
    BranchStart start{run::run_hash(*trunk), 0, ""};
    const auto point = trunk_point(run_.folder().parent_path(), start.trunk, config, steps);
    const Status taken = point.ok() ? restore_from(point->checkpoint, program) : Status(point.error());
    if (taken.ok()) {
        start.step = point->checkpoint.step;
        PLIMSOLL_RETURN_IF_ERROR(run_.take_rows(point->rows, start.step));
    } else {
        start.problem = taken.error().text();
    }
    PLIMSOLL_RETURN_IF_ERROR(note_branch(start, point.ok() ? point->computed : Json::object()));
    return start.step;
}

Status RunRecord::note_branch(const BranchStart& start, const Json& computed) {
    summary_.branch = start;
    Json noted{{"run", start.trunk}, {"step", start.step}};
    noted.update(computed);
    if (!start.problem.empty()) noted["problem"] = start.problem;
    PLIMSOLL_RETURN_IF_ERROR(run_.append_log(
        start.step > 0
            ? fmt::format("starts from step {} of its trunk {}", start.step, start.trunk)
            : fmt::format("trains from scratch, without its trunk {}: {}", start.trunk, start.problem)));
    return run_.note_in_session(Json{{"trunk", noted}});
}

Status RunRecord::start(std::int64_t step) {
    last_step_ = step;
    if (tensorboard_) {
        PLIMSOLL_ASSIGN(writer,
                        formats::EventWriter::create(run_.folder(), unix_time(), step > 0 ? step : -1));
        events_ = std::move(writer);
    }
    return run_.set_state({store::Phase::running, step, ""});
}

Status RunRecord::add_events(std::int64_t step, const std::vector<formats::Scalar>& scalars) {
    if (!events_) return {};
    PLIMSOLL_RETURN_IF_ERROR(run_.still_mine());  // event files are written beside the lease
    return events_->add(step, unix_time(), scalars);
}

Status RunRecord::take(const std::vector<StepRecord>& records) {
    auto* pending = pending_.data_ptr<double>();
    for (const StepRecord& record : records) {
        ++last_step_;
        if (!std::isfinite(record.loss) || !std::isfinite(record.gradient_norm))
            return diverged(what_is_not_finite(record, last_step_));
        pending[0] += record.loss;
        pending[1] += 1;
        last_norm_ = record.gradient_norm;
    }
    return {};
}

Status RunRecord::diverged(const std::string& why) {
    PLIMSOLL_RETURN_IF_ERROR(run_.append_log(why));
    PLIMSOLL_RETURN_IF_ERROR(run_.set_state({store::Phase::failed, last_step_, why}));
    return bad_input("train", fmt::format("diverged: {}; the last checkpoint is kept. Lower optimizer.lr, or "
                                          "set optimizer.clip, which starts a new run",
                                          why));
}

double RunRecord::mean_loss() const {
    const auto* pending = pending_.data_ptr<double>();
    return pending[0] / std::max(1.0, pending[1]);
}

Status RunRecord::add_row(const TrainProgress& progress) {
    const std::int64_t step = progress.step;
    const double rate = progress.rate;
    const double loss = summary_.train_loss = mean_loss();
    pending_.zero_();
    PLIMSOLL_RETURN_IF_ERROR(run_.append_timing(timing_row(progress)));
    PLIMSOLL_RETURN_IF_ERROR(add_events(step, {{"train/loss", static_cast<float>(loss)},
                                               {"train/rate", static_cast<float>(rate)},
                                               {"train/gradient_norm", static_cast<float>(last_norm_)}}));
    return run_.append_metric(
        Json{{"step", step}, {"loss", loss}, {"rate", rate}, {"gradient_norm", last_norm_}});
}

Status RunRecord::add_evaluation(std::int64_t step, const Evaluation& evaluation) {
    summary_.validation = evaluation;
    const auto [second, value] = evaluation.explained
                                     ? std::pair("validation/explained_variance", *evaluation.explained)
                                     : std::pair("validation/accuracy", evaluation.accuracy);
    PLIMSOLL_RETURN_IF_ERROR(add_events(step, {{"validation/loss", static_cast<float>(evaluation.loss)},
                                               {second, static_cast<float>(value)}}));
    return run_.append_metric(Json{{"step", step}, {"validation", to_json(evaluation)}});
}

Status RunRecord::add_noise(std::int64_t step, const NoiseSample& sample) {
    noise_.push_back(sample);
    summary_.noise = recent_noise_scale(noise_);
    PLIMSOLL_RETURN_IF_ERROR(
        add_events(step, {{"train/noise_scale", static_cast<float>(summary_.noise->scale)}}));
    return run_.append_metric(Json{{"step", step}, {"noise", to_json(sample, *summary_.noise)}});
}

Status RunRecord::save(std::int64_t step, const StepProgram& program, store::Keep keep) {
    const auto weights = program.weights(slot_);
    if (!all_finite(weights)) return diverged(fmt::format("a weight is not finite after step {}", step));
    PLIMSOLL_ASSIGN(saved, run_.write_checkpoint(step, checkpoint_files(weights, memory(program)), keep));
    return {};
}

Result<RunSummary> RunRecord::leave(std::int64_t step, bool stopped) {
    PLIMSOLL_RETURN_IF_ERROR(
        run_.append_log(fmt::format("{}; the checkpoint of step {} is complete",
                                    stopped ? "stopped on request" : "as long as requested", step)));
    PLIMSOLL_RETURN_IF_ERROR(run_.set_state({store::Phase::running, step, ""}));
    PLIMSOLL_RETURN_IF_ERROR(run_.end_session());
    summary_.stopped = stopped;
    return summary_at(step);
}

Result<RunSummary> RunRecord::finish(std::int64_t step) {
    PLIMSOLL_RETURN_IF_ERROR(run_.set_state({store::Phase::done, step, ""}));
    return summary_at(step);
}

RunSummary RunRecord::summary_at(std::int64_t step) {
    summary_.id = run_.id();
    summary_.folder = run_.folder();
    summary_.step = step;
    return summary_;
}

void RunRecord::fail(const Error& error) {
    if (run_.state().phase == store::Phase::failed) return;  // and it said why
    const bool logged = run_.append_log(error.text()).ok();
    const bool noted = error.kind == ErrorKind::io
                           ? run_.end_session().ok()
                           : run_.set_state({store::Phase::failed, last_step_, error.text()}).ok();
    static_cast<void>(logged && noted);  // the error itself is what the user hears
}

}  // namespace plimsoll::train

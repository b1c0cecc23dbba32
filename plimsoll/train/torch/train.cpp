#include "plimsoll/train/train.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/version.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/formats/tensorboard_events.h"
#include "plimsoll/store/environment.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/train/torch/checkpoint.h"
#include "plimsoll/train/torch/loss.h"
#include "plimsoll/train/torch/out_of_memory.h"
#include "plimsoll/train/torch/peak.h"
#include "plimsoll/train/torch/run_parts.h"
#include "plimsoll/train/torch/step_program.h"

namespace plimsoll::train {
namespace {

using Clock = std::chrono::steady_clock;

// At most so many steps between two looks at the losses.
constexpr std::int64_t most_steps_at_a_time = 256;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double unix_time() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::int64_t steps_per_epoch(const Feed& feed, std::int64_t batch) {
    return std::max<std::int64_t>(1, feed.epoch_examples() / batch);
}

// The next multiple of `every` after `step`, or the end.
std::int64_t next_multiple(std::int64_t step, std::int64_t every, std::int64_t end) {
    return every <= 0 ? end : std::min(end, (step / every + 1) * every);
}

bool is_multiple(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

// What depends on the clock, for timings.jsonl.
Json timing_row(const TrainProgress& progress) {
    return Json{{"step", progress.step},
                {"seconds", progress.seconds},
                {"examples_per_second", progress.examples_per_second},
                {"flops_per_second", progress.flops_per_second},
                {"mfu", progress.mfu}};
}

bool all_finite(const std::vector<model::NamedTensor>& tensors) {
    return std::ranges::all_of(
        tensors, [](const auto& one) { return at::isfinite(one.tensor).all().template item<bool>(); });
}

class Session {
  public:
    Session(const RunConfig& config, const TrainOptions& options, store::Run run, torch::Device device,
            std::unique_ptr<model::Network> network, std::unique_ptr<Feed> feed, std::int64_t steps)
        : config_(config),
          options_(options),
          run_(std::move(run)),
          device_(device),
          network_(std::move(network)),
          feed_(std::move(feed)),
          steps_(steps),
          program_(config, steps, *network_, *feed_) {
        const bool tokens = input_kind(config.model.spec) == InputKind::tokens;
        const auto cost = arch::count(config.model.spec, {.context = tokens ? context_length(config) : 0});
        if (cost.ok())
            flops_per_example_ =
                cost->training_flops.real() * static_cast<double>(cost->unit == "token" ? cost->tokens : 1);
    }

    Result<RunSummary> go() {
        PLIMSOLL_RETURN_IF_ERROR(check_first_batch());
        PLIMSOLL_RETURN_IF_ERROR(resume());
        PLIMSOLL_RETURN_IF_ERROR(open_events());
        PLIMSOLL_RETURN_IF_ERROR(run_.set_state({store::Phase::running, step_, ""}));
        while (step_ < steps_) PLIMSOLL_RETURN_IF_ERROR(advance());
        return finish();
    }

  private:
    Status check_first_batch() {
        feed_->choose(1, 1);
        const at::NoGradGuard no_grad;
        const Batch batch =
            feed_->at(torch::zeros({1}, torch::TensorOptions().dtype(torch::kLong).device(device_)), 0);
        PLIMSOLL_RETURN_IF_ERROR(model::check_input(config_.model.spec, batch.input));
        return check_output(network_->forward(batch.input, 0), batch.targets, feed_->target_limit());
    }

    Status resume() {
        PLIMSOLL_ASSIGN(checkpoint, run_.latest_checkpoint());
        PLIMSOLL_RETURN_IF_ERROR(run_.rewind_to(checkpoint));
        if (!checkpoint) return {};
        PLIMSOLL_RETURN_IF_ERROR(restore(checkpoint->folder / "weights.safetensors", program_.weights()));
        PLIMSOLL_RETURN_IF_ERROR(restore(checkpoint->folder / "optimizer.safetensors", memory()));
        program_.weights_changed();
        step_ = checkpoint->step;
        summary_.resumed = true;
        return {};
    }

    Status open_events() {
        if (!options_.tensorboard) return {};
        PLIMSOLL_ASSIGN(
            writer, formats::EventWriter::create(run_.folder(), unix_time(), summary_.resumed ? step_ : -1));
        events_ = std::move(writer);
        return {};
    }
    Status add_events(std::initializer_list<formats::Scalar> scalars) {
        return events_ ? events_->add(step_, unix_time(), std::vector<formats::Scalar>(scalars)) : Status();
    }

    // To the next row of metrics, evaluation or checkpoint.
    Status advance() {
        const std::int64_t end = std::min({next_multiple(step_, config_.train.log_every, steps_),
                                           next_multiple(step_, config_.train.eval_every, steps_),
                                           next_multiple(step_, config_.train.checkpoint_every, steps_),
                                           step_ + most_steps_at_a_time});
        const auto start = Clock::now();
        const auto records = program_.run(step_ + 1, end - step_);
        PLIMSOLL_RETURN_IF_ERROR(check_finite(records));
        for (const StepRecord& record : records) {
            pending_loss() += record.loss;
            pending_steps() += 1;
            last_norm_ = record.gradient_norm;
        }
        report(static_cast<double>(end - step_), seconds_since(start), end);
        step_ = end;
        if (is_multiple(step_, config_.train.log_every) || step_ == steps_)
            PLIMSOLL_RETURN_IF_ERROR(log_row());
        if (is_multiple(step_, config_.train.eval_every) || step_ == steps_)
            PLIMSOLL_RETURN_IF_ERROR(evaluate_now());
        if (is_multiple(step_, config_.train.checkpoint_every) || step_ == steps_) {
            PLIMSOLL_RETURN_IF_ERROR(save());
        }
        return {};
    }

    double& pending_loss() { return pending_.data_ptr<double>()[0]; }
    double& pending_steps() { return pending_.data_ptr<double>()[1]; }
    double mean_loss() { return pending_loss() / std::max(1.0, pending_steps()); }

    // What goes into the checkpoint beside the weights.
    [[nodiscard]] std::vector<model::NamedTensor> memory() const {
        auto tensors = program_.memory();
        tensors.push_back({"train.pending", pending_});
        return tensors;
    }

    Status check_finite(const std::vector<StepRecord>& records) {
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (std::isfinite(records[i].loss) && std::isfinite(records[i].gradient_norm)) continue;
            const std::int64_t at = step_ + 1 + static_cast<std::int64_t>(i);
            const bool loss = !std::isfinite(records[i].loss);
            const double value = loss ? records[i].loss : records[i].gradient_norm;
            return diverged(at, fmt::format("the {} is {} at step {}", loss ? "loss" : "gradient's norm",
                                            std::isnan(value) ? "not a number" : "infinite", at));
        }
        return {};
    }

    Status diverged(std::int64_t at, const std::string& why) {
        PLIMSOLL_RETURN_IF_ERROR(run_.append_log(why));
        PLIMSOLL_RETURN_IF_ERROR(run_.set_state({store::Phase::failed, at, why}));
        return bad_input("train",
                         fmt::format("diverged: {}; the last checkpoint is kept. Lower optimizer.lr, or "
                                     "set optimizer.clip, which starts a new run",
                                     why));
    }

    void report(double steps, double seconds, std::int64_t step) {
        const double examples = steps * static_cast<double>(config_.train.batch) / std::max(seconds, 1e-9);
        const double flops = examples * flops_per_example_;
        last_ = {step,     steps_, mean_loss(),   learning_rate(config_, step, steps_),
                 examples, flops,  flops / peak_, seconds_since(start_)};
        if (options_.tell) options_.tell(last_);
    }

    Status log_row() {
        last_loss_ = mean_loss();
        Json row{{"step", step_},
                 {"loss", last_loss_},
                 {"rate", learning_rate(config_, step_, steps_)},
                 {"gradient_norm", last_norm_}};
        pending_.zero_();
        PLIMSOLL_RETURN_IF_ERROR(run_.append_timing(timing_row(last_)));
        PLIMSOLL_RETURN_IF_ERROR(add_events({{"train/loss", static_cast<float>(last_loss_)},
                                             {"train/rate", static_cast<float>(row["rate"].get<double>())},
                                             {"train/gradient_norm", static_cast<float>(last_norm_)}}));
        return run_.append_metric(row);
    }

    Status evaluate_now() {
        summary_.validation = evaluate_on(*network_, *feed_, config_.train.eval_batches);
        PLIMSOLL_RETURN_IF_ERROR(
            add_events({{"validation/loss", static_cast<float>(summary_.validation.loss)},
                        {"validation/accuracy", static_cast<float>(summary_.validation.accuracy)}}));
        return run_.append_metric(Json{{"step", step_}, {"validation", to_json(summary_.validation)}});
    }

    Status save() {
        if (!all_finite(program_.weights()))
            return diverged(step_, fmt::format("a weight is not finite after step {}", step_));
        PLIMSOLL_ASSIGN(saved, run_.write_checkpoint(step_, checkpoint_files(program_.weights(), memory())));
        return {};
    }

    Result<RunSummary> finish() {
        PLIMSOLL_RETURN_IF_ERROR(run_.set_state({store::Phase::done, step_, ""}));
        summary_.id = run_.id();
        summary_.folder = run_.folder();
        summary_.step = step_;
        summary_.train_loss = last_loss_;
        summary_.seconds = seconds_since(start_);
        return summary_;
    }

    const RunConfig& config_;
    const TrainOptions& options_;
    store::Run run_;
    torch::Device device_;
    std::unique_ptr<model::Network> network_;
    std::unique_ptr<Feed> feed_;
    std::int64_t steps_;
    StepProgram program_;
    RunSummary summary_;
    std::optional<formats::EventWriter> events_;
    Clock::time_point start_ = Clock::now();
    std::int64_t step_ = 0;
    double flops_per_example_ = 0;
    double peak_ = gemm_rate(device_, feed_->plan().dtype);
    TrainProgress last_;
    double last_norm_ = 0, last_loss_ = 0;
    // Losses since the last row of metrics: their sum and number. In the checkpoint, so that a row that a
    // resumed run writes is the same.
    torch::Tensor pending_ = torch::zeros({2}, torch::kDouble);
};

store::SessionFacts session_facts(const TrainOptions& options) {
    store::SessionFacts facts;
    facts.program = "plimsoll-torch";
    facts.version = PLIMSOLL_VERSION;
    facts.device = options.device;
    facts.threads = at::get_num_threads();
    facts.libraries = {{"libtorch", TORCH_VERSION}};
    facts.command = options.command;
    return facts;
}

// The end of a run that was complete before, from its files.
Result<RunSummary> earlier_summary(const store::Run& run) {
    RunSummary summary{.id = run.id(), .folder = run.folder(), .step = run.state().step, .was_done = true};
    PLIMSOLL_ASSIGN(rows, store::read_metrics(run.folder()));
    for (const Json& row : rows) {
        if (row.contains("loss")) summary.train_loss = row["loss"].get<double>();
        if (!row.contains("validation")) continue;
        const Json& validation = row["validation"];
        summary.validation.loss = validation.value("loss", 0.0);
        summary.validation.half_width = validation.value("loss_half_width", 0.0);
        summary.validation.accuracy = validation.value("accuracy", 0.0);
        summary.validation.bits_per_byte = validation.value("bits_per_byte", -1.0);
        summary.validation.perplexity = validation.value("perplexity", -1.0);
        summary.validation.targets = validation.value("targets", std::int64_t{0});
    }
    return summary;
}

Result<RunSummary> train_checked(const RunConfig& config, const TrainOptions& options) {
    PLIMSOLL_ASSIGN(device, device_named(options.device));
    PLIMSOLL_ASSIGN(run, store::Run::create_or_open(options.runs, to_toml(config)));
    if (run.state().phase == store::Phase::done) return earlier_summary(run);
    PLIMSOLL_RETURN_IF_ERROR(run.add_environment(store::environment_now(session_facts(options))));
    PLIMSOLL_ASSIGN(network, build_network(config, device));
    PLIMSOLL_ASSIGN(feed, make_feed(config, {.plan = feed_plan(config, device, most_steps_at_a_time)}));
    PLIMSOLL_ASSIGN(steps, total_steps(config, steps_per_epoch(*feed, config.train.batch)));
    return Session(config, options, std::move(run), device, std::move(network), std::move(feed), steps).go();
}

}  // namespace

Result<RunSummary> train(const RunConfig& config, const TrainOptions& options) {
    return within_memory(options.device,
                         "a smaller train.batch or a larger optimizer.accumulate needs less; the run goes on "
                         "from its last checkpoint",
                         [&] { return train_checked(config, options); });
}

}  // namespace plimsoll::train

#include "plimsoll/train/train.h"

#include <chrono>
#include <numeric>
#include <optional>

#include <c10/core/DeviceGuard.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/device.h"
#include "plimsoll/base/format.h"
#include "plimsoll/train/device_graph.h"
#include "plimsoll/train/loss.h"
#include "plimsoll/train/out_of_memory.h"
#include "plimsoll/train/page_keeper.h"
#include "plimsoll/train/peak.h"
#include "plimsoll/train/processes/processes.h"
#include "plimsoll/train/run_record.h"
#include "plimsoll/train/run_setup.h"

namespace plimsoll::train {
namespace {

using TrainClock = std::chrono::steady_clock;

// At most so many steps between two looks at the losses.
constexpr std::int64_t most_steps_at_a_time = 256;
constexpr double mebibyte = 1024 * 1024;

double seconds_since(TrainClock::time_point start) {
    return std::chrono::duration<double>(TrainClock::now() - start).count();
}

std::int64_t steps_per_epoch(const Feed& feed, std::int64_t batch) {
    return std::max<std::int64_t>(1, feed.epoch_examples() / batch);
}

// The next multiple of `every` after `step`, or the end.
std::int64_t next_multiple(std::int64_t step, std::int64_t every, std::int64_t end) {
    return every <= 0 ? end : std::min(end, (step / every + 1) * every);
}

// What one session of a run works on.
struct SessionParts {
    torch::Device device;
    std::unique_ptr<model::Network> network;
    std::unique_ptr<Feed> feed;
    std::int64_t steps;
};

class Session {
  public:
    Session(const run::RunConfig& config, const TrainOptions& options, Processes& processes,
            RunRecord* record, SessionParts parts)
        : config_(config),
          options_(options),
          processes_(processes),
          record_(record),
          parts_(std::move(parts)),
          program_(config, parts_.steps, *parts_.network, *parts_.feed, processes) {
        const bool tokens = run::input_kind(config.model.spec) == run::InputKind::tokens;
        const auto cost =
            arch::count(config.model.spec, {.context = tokens ? run::context_length(config) : 0});
        if (cost.ok())
            flops_per_example_ =
                cost->training_flops.real() * static_cast<double>(cost->unit == "token" ? cost->tokens : 1);
    }

    Result<RunSummary> go() {
        forget_peak(parts_.device);  // what the measurement of its speed took
        PLIMSOLL_RETURN_IF_ERROR(processes_.agree(check_first_batch()));
        PLIMSOLL_RETURN_IF_ERROR(processes_.agree(resume()));
        share_state();
        bool stopped = false;
        while (step_ < parts_.steps && !stopped) {
            PLIMSOLL_RETURN_IF_ERROR(advance());
            stopped = step_ < parts_.steps && stop_together();
        }
        PLIMSOLL_ASSIGN(summary, processes_.agree(stopped ? leave() : finish()));
        summary.seconds = seconds_since(start_);
        return summary;
    }

  private:
    Status check_first_batch() {
        parts_.feed->choose(1, 1);
        const at::NoGradGuard no_grad;
        const auto first =
            torch::zeros({1}, torch::TensorOptions().dtype(torch::kLong).device(parts_.device));
        const Batch batch = parts_.feed->at(first, 0);
        PLIMSOLL_RETURN_IF_ERROR(model::check_input(config_.model.spec, batch.input));
        return check_output(parts_.network->forward(batch.input, 0), batch.targets,
                            parts_.feed->target_limit());
    }

    Status resume() {
        if (record_ == nullptr) return {};
        PLIMSOLL_ASSIGN(step, record_->resume(program_));
        step_ = step;
        return record_->start(step_);
    }

    // Weights, the optimizer's memory and the step as the first process has them, fresh or resumed.
    void share_state() {
        const torch::Tensor step = torch::full({1}, step_, torch::kLong);
        processes_.copy_from_first(step);
        step_ = step.item<std::int64_t>();
        program_.share_state();
    }

    // To the next row of metrics, evaluation or checkpoint.
    Status advance() {
        const std::int64_t end = std::min({next_multiple(step_, config_.train.log_every, parts_.steps),
                                           next_multiple(step_, config_.train.eval_every, parts_.steps),
                                           next_multiple(step_, config_.train.checkpoint_every, parts_.steps),
                                           step_ + most_steps_at_a_time});
        const auto start = TrainClock::now();
        // Several processes stop at the end of a block, where they can agree on it.
        const auto records = program_.run(step_ + 1, end - step_,
                                          processes_.count() == 1 ? options_.stop : std::function<bool()>());
        step_ += std::ssize(records);
        return processes_.agree(record_ != nullptr ? book(records, seconds_since(start)) : Status());
    }

    [[nodiscard]] bool due(std::int64_t every) const {
        return step_ == parts_.steps || (every > 0 && step_ % every == 0);
    }

    // Writes down what the last steps left, and what is due at this one.
    Status book(const std::vector<StepRecord>& records, double seconds) {
        PLIMSOLL_RETURN_IF_ERROR(record_->take(records));
        report(static_cast<double>(records.size()), seconds);
        if (due(config_.train.log_every)) PLIMSOLL_RETURN_IF_ERROR(record_->add_row(last_));
        if (due(config_.train.eval_every)) {
            PLIMSOLL_RETURN_IF_ERROR(record_->add_evaluation(
                step_, evaluate_on(*parts_.network, *parts_.feed, config_.train.eval_batches)));
        }
        if (due(config_.train.checkpoint_every)) PLIMSOLL_RETURN_IF_ERROR(record_->save(step_, program_));
        return {};
    }

    [[nodiscard]] double rate() const { return run::learning_rate(config_, step_, parts_.steps); }

    // FLOPs are those of all processes, and so is what they could reach.
    void report(double steps, double seconds) {
        const double examples = steps * static_cast<double>(config_.train.batch) / std::max(seconds, 1e-9);
        const double flops = examples * flops_per_example_;
        last_ = {step_,
                 parts_.steps,
                 record_->mean_loss(),
                 rate(),
                 examples,
                 flops,
                 flops / (peak_ * processes_.count()),
                 seconds_since(start_),
                 static_cast<double>(peak_bytes(parts_.device)) / mebibyte};
        if (options_.tell) options_.tell(last_);
    }

    // Whether one of the processes was told to stop.
    bool stop_together() {
        const torch::Tensor told = torch::full({1}, options_.stop && options_.stop() ? 1 : 0, torch::kLong);
        processes_.sum(told);
        return told.item<std::int64_t>() > 0;
    }

    // The end of a session before the end of the run.
    Result<RunSummary> leave() {
        if (record_ == nullptr) return RunSummary{.rank = processes_.rank(), .step = step_, .stopped = true};
        if (config_.train.checkpoint_every <= 0 || step_ % config_.train.checkpoint_every != 0) {
            PLIMSOLL_RETURN_IF_ERROR(record_->save(step_, program_));
        }
        return record_->leave(step_);
    }

    Result<RunSummary> finish() {
        if (record_ != nullptr) return record_->finish(step_);
        return RunSummary{.rank = processes_.rank(), .step = step_};
    }

    const run::RunConfig& config_;
    const TrainOptions& options_;
    Processes& processes_;
    RunRecord* record_;
    SessionParts parts_;
    StepProgram program_;
    TrainClock::time_point start_ = TrainClock::now();
    std::int64_t step_ = 0;
    double flops_per_example_ = 0;
    double peak_ = record_ != nullptr ? gemm_rate(parts_.device, parts_.feed->plan().dtype) : 0;
    TrainProgress last_;
};

// The parts into which a step's batch is cut: as many as optimizer.accumulate says, or the next number that
// all processes can share.
Result<std::int64_t> parts_of(const run::RunConfig& config, int processes) {
    const std::int64_t parts = std::lcm(config.optimizer.accumulate, std::int64_t{processes});
    if (config.train.batch % parts == 0) return parts;
    return bad_input(
        "train.batch",
        fmt::format("must be a multiple of {} for {} processes and optimizer.accumulate {}, got {}", parts,
                    processes, config.optimizer.accumulate, config.train.batch));
}

// "cuda" is a GPU of its own for each process on a host, as far as there are enough.
Result<torch::Device> device_of(const std::string& name, const Place& place) {
    const std::size_t gpus = name == "cuda" && place.count > 1 ? cuda_facts().gpus.size() : 0;
    if (gpus == 0) return device_named(name);
    return device_named(fmt::format("cuda:{}", static_cast<std::size_t>(place.local_rank) % gpus));
}

Result<SessionParts> session_parts(const run::RunConfig& config, torch::Device device, std::int64_t parts) {
    PLIMSOLL_ASSIGN(network, build_network(config, device));
    FeedPlan plan = feed_plan(config, device, most_steps_at_a_time);
    plan.parts = parts;
    PLIMSOLL_ASSIGN(feed, make_feed(config, {.plan = plan}));
    PLIMSOLL_ASSIGN(steps, run::total_steps(config, steps_per_epoch(*feed, config.train.batch)));
    return SessionParts{device, std::move(network), std::move(feed), steps};
}

// Only the first process opens the folder; the others hear whether that went well.
Result<std::optional<RunRecord>> open_record(const run::RunConfig& config, const TrainOptions& options,
                                             const Processes& processes) {
    if (!processes.first()) return std::optional<RunRecord>();
    PLIMSOLL_ASSIGN(record, RunRecord::open(config, options, processes.count()));
    return std::optional<RunRecord>(std::move(record));
}

// Whether the first process found the run complete.
bool was_done(const std::optional<RunRecord>& record, Processes& processes) {
    const torch::Tensor done = torch::full({1}, record && record->done() ? 1 : 0, torch::kLong);
    processes.copy_from_first(done);
    return done.item<std::int64_t>() == 1;
}

Status check_same_config(const run::RunConfig& config, Processes& processes) {
    if (processes.same(store::run_id(run::to_toml(config)))) return {};
    return bad_input("run.toml", "this process was given another config than process 0");
}

// Runs `work`; what it throws for want of memory, or of another process, becomes an error.
template <class Work>
Result<RunSummary> caught(const TrainOptions& options, const Work& work) {
    constexpr const char* advice =
        "a smaller train.batch or a larger optimizer.accumulate needs less; the run goes on from its last "
        "checkpoint";
    try {
        return within_memory(options.device, advice, work);
    } catch (const LostProcess& error) {
        return io_error("processes",
                        fmt::format("another process of this run is gone: {}. The last checkpoint is "
                                    "kept, and the same command goes on from there",
                                    error.what()));
    }
}

Result<RunSummary> train_together(const run::RunConfig& config, const TrainOptions& options,
                                  const Place& place, Processes& processes) {
    PLIMSOLL_ASSIGN(cut, parts_of(config, processes.count()));
    PLIMSOLL_RETURN_IF_ERROR(processes.agree(check_same_config(config, processes)));
    PLIMSOLL_ASSIGN(device, processes.agree(device_of(options.device, place)));
    const c10::DeviceGuard on_device(device);
    processes.use(device);
    PLIMSOLL_ASSIGN(record, processes.agree(open_record(config, options, processes)));
    if (was_done(record, processes)) {
        if (record) return record->earlier_summary();
        return RunSummary{.rank = processes.rank(), .was_done = true};
    }
    const auto result = caught(options, [&]() -> Result<RunSummary> {
        PLIMSOLL_ASSIGN(parts, processes.agree(session_parts(config, device, cut)));
        return Session(config, options, processes, record ? &*record : nullptr, std::move(parts)).go();
    });
    if (record && !result.ok()) record->fail(result.error());
    return result;
}

}  // namespace

Result<RunSummary> train(const run::RunConfig& config, const TrainOptions& options) {
    Place place;
    if (!options.alone) {
        PLIMSOLL_ASSIGN(found, place_from(environment_variables()));
        place = found;
    }
    PLIMSOLL_RETURN_IF_ERROR(parts_of(config, place.count));  // before anybody waits for anybody
    if (options.device == "cpu") keep_pages();
    PLIMSOLL_ASSIGN(processes, Processes::join(place));
    return caught(options, [&] { return train_together(config, options, place, processes); });
}

std::vector<Result<RunSummary>> train_stack(const std::vector<run::RunConfig>& configs,
                                            const TrainOptions& options) {
    std::vector<Result<RunSummary>> results;
    for (const auto& config : configs) results.push_back(train(config, options));
    return results;
}

}  // namespace plimsoll::train

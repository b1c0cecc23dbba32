#include "plimsoll/train/step_program.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/model/dropout.h"
#include "plimsoll/train/loss.h"

namespace plimsoll::train {
namespace {

// Runs of a step before it is recorded: the allocator and cuBLAS settle in them.
constexpr int rehearsals = 3;

// A seed for the masks of one part of one step; never 0, which means no dropout.
std::uint64_t mask_seed(const run::RunConfig& config, std::int64_t step, std::int64_t part) {
    RandomStream stream(config.seeds.dropout, fmt::format("dropout/{}/{}", step, part));
    return stream.next() | 1;
}

std::vector<run::OptimizerSettings> optimizers_of(const std::vector<run::RunConfig>& configs) {
    std::vector<run::OptimizerSettings> settings;
    for (const auto& config : configs) settings.push_back(config.optimizer);
    return settings;
}

// Those of all runs of a stack: they share what it depends on.
std::vector<UpdateScale> scales_of(const model::Network& network, const run::RunConfig& config) {
    return update_scales(network, config.optimizer.decay == run::DecayedTensors::all,
                         run::network_scale(config).tensors);
}

}  // namespace

StepProgram::StepProgram(StepPlan plan, const model::Network& network, Feed& feed, Processes& processes)
    : plan_(std::move(plan)),
      network_(network),
      feed_(feed),
      processes_(processes),
      parameters_(network, plan_.configs.front().train.precision == run::Precision::bf16,
                  scales_of(network, plan_.configs.front())),
      optimizer_(optimizers_of(plan_.configs), parameters_),
      active_(plan_.configs.size(), true) {
    const auto numbers = at::TensorOptions().dtype(at::kDouble).device(feed.plan().device);
    index_ = at::zeros({1}, numbers.dtype(at::kLong));
    rates_ = at::zeros({feed.plan().capacity, network.runs()}, numbers);
    losses_ = at::zeros_like(rates_);
    norms_ = at::zeros_like(rates_);
}

// A recorded step updates the runs that it was recorded with.
void StepProgram::set_active(std::vector<bool> active) {
    if (active == active_) return;
    active_ = std::move(active);
    optimizer_.set_active(active_);
    graph_.reset();
}

model::DropoutSeeds StepProgram::mask_seeds(std::int64_t part) const {
    model::DropoutSeeds seeds;
    for (const auto& config : plan_.configs) seeds.push_back(mask_seed(config, next_, part));
    return seeds;
}

// A GPU's generator is seeded before the step, by seed_step(): inside a recorded step nothing can be.
model::DropoutSeeds StepProgram::dropout_seeds(std::int64_t part) const {
    if (plan_.configs.front().model.dropout == 0) return {};
    return index_.is_cuda() ? model::DropoutSeeds{model::seeded_outside} : mask_seeds(part);
}

void StepProgram::seed_step() const {
    if (plan_.configs.front().model.dropout == 0 || !index_.is_cuda()) return;
    model::seed_dropout(index_.device(), mask_seeds(first_part()));
}

// The parts of a step's batch are numbered over all processes, each takes its share in a row, and part p has
// the same examples (and, on the CPU, masks) whichever process takes it. So two processes with a part each
// end, bit for bit, where one process with the two parts ends: both have g0 + g1, and addition is
// commutative. With more parts the sums are the same up to rounding.
void StepProgram::step() {
    const torch::Tensor losses = differentiate_parts();
    processes_.sum(parameters_.gradients());
    const torch::Tensor norms = optimizer_.step(rates_.index_select(0, index_).squeeze(0));
    losses_.index_copy_(0, index_, losses.unsqueeze(0));
    norms_.index_copy_(0, index_, norms.to(at::kDouble).unsqueeze(0));
    index_.add_(1);
}

std::int64_t StepProgram::first_part() const { return processes_.rank() * parts_of_each(); }
std::int64_t StepProgram::parts_of_each() const { return feed_.plan().parts / processes_.count(); }

// The gradient that this process's share of the batch gives; its share of the mean losses, (runs). The sum of
// the runs' losses is differentiated: no weight of one run has a part in the loss of another.
torch::Tensor StepProgram::differentiate_parts() {
    torch::Tensor total = at::zeros({network_.runs()}, losses_.options());
    for (std::int64_t part = first_part(); part < first_part() + parts_of_each(); ++part) {
        const Batch batch = feed_.at(index_, part);
        const torch::Tensor output = network_.forward(batch.input, dropout_seeds(part));
        const torch::Tensor losses =
            losses_of(output, batch.targets, network_.runs()) / static_cast<double>(feed_.plan().parts);
        parameters_.differentiate(losses.sum(), part > first_part());
        total += losses.detach().to(at::kDouble);
    }
    return total;
}

void StepProgram::prepare(std::int64_t first, std::int64_t count) {
    const torch::Tensor rates = at::empty({count, network_.runs()}, at::kDouble);
    auto* rate = rates.data_ptr<double>();
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::size_t run = 0; run < plan_.configs.size(); ++run) {
            const std::int64_t total = plan_.total_steps[run];
            *rate++ = run::learning_rate(plan_.configs[run], std::min(first + i, total), total);
        }
    }
    rates_.narrow(0, 0, count).copy_(rates);
    feed_.choose(first, count);
    index_.zero_();
    next_ = first;
}

std::vector<std::vector<StepRecord>> StepProgram::run(std::int64_t first, std::int64_t count,
                                                      const std::function<bool()>& stop) {
    prepare(first, count);
    std::int64_t done = 0;
    if (!graph_ && processes_.recordable() && count > rehearsals) {
        graph_ = record(
            feed_.plan().device, rehearsals, [this] { seed_step(); },
            [this] {
                step();
                ++next_;
            });
        if (graph_) done = rehearsals;  // recording itself runs nothing
    }
    for (next_ = first + done; next_ < first + count; ++next_) {
        if (stop && next_ > first && stop()) count = next_ - first;
        if (next_ == first + count) break;
        seed_step();
        graph_ ? graph_->play() : step();
    }
    wait_for(feed_.plan().device);
    return records(count);
}

std::vector<std::vector<StepRecord>> StepProgram::records(std::int64_t count) {
    const torch::Tensor losses = losses_.narrow(0, 0, count).cpu(), norms = norms_.cpu();
    processes_.sum(losses);
    std::vector<std::vector<StepRecord>> result(plan_.configs.size());
    const auto *loss = losses.data_ptr<double>(), *norm = norms.data_ptr<double>();
    for (std::int64_t i = 0; i < count; ++i) {
        for (auto& of_run : result) of_run.push_back({*loss++, *norm++});
    }
    return result;
}

void StepProgram::share_state() {
    const at::NoGradGuard no_grad;
    if (processes_.count() > 1) {
        processes_.copy_from_first(parameters_.values());
        for (const auto& [name, tensor] : memory(0)) processes_.copy_from_first(tensor);
    }
    parameters_.publish();
}

std::vector<model::NamedTensor> StepProgram::weights(std::int64_t run) const {
    return parameters_.named(parameters_.values()[run]);
}

}  // namespace plimsoll::train

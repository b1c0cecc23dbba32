#include "plimsoll/train/torch/step_program.h"

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/train/torch/loss.h"

namespace plimsoll::train {
namespace {

// Runs of a step before it is recorded: the allocator and cuBLAS settle in them.
constexpr int rehearsals = 3;

// A seed for the masks of one part of one step; never 0, which means no dropout.
std::uint64_t dropout_seed(const RunConfig& config, std::int64_t step, std::int64_t part) {
    if (config.model.dropout == 0) return 0;
    RandomStream stream(config.seeds.dropout, fmt::format("dropout/{}/{}", step, part));
    return stream.next() | 1;
}

}  // namespace

StepProgram::StepProgram(const RunConfig& config, std::int64_t total_steps, const model::Network& network,
                         Feed& feed, Processes& processes)
    : config_(config),
      total_steps_(total_steps),
      network_(network),
      feed_(feed),
      processes_(processes),
      parameters_(network, config.train.precision == Precision::bf16,
                  config.optimizer.decay == DecayedTensors::all),
      optimizer_(config.optimizer, parameters_) {
    const auto numbers = at::TensorOptions().dtype(at::kDouble).device(feed.plan().device);
    index_ = at::zeros({1}, numbers.dtype(at::kLong));
    rates_ = at::zeros({feed.plan().capacity}, numbers);
    losses_ = at::zeros_like(rates_);
    norms_ = at::zeros_like(rates_);
}

// The parts of a step's batch are numbered over all processes, each takes its share in a row, and part p has
// the same examples and masks whoever takes it. So two processes with a part each end, bit for bit, where one
// process with the two parts ends: that one has (0 + g0) + g1, these have (0 + g0) + (0 + g1) in either
// order, addition is commutative, and 0 + g1 is not g1 only where g1 = -0, which changes no sum with 0 + g0.
// With more parts the sums are the same up to rounding.
void StepProgram::step() {
    parameters_.clear_gradients();
    const torch::Tensor loss = backward_all_parts();
    processes_.sum(parameters_.gradients());
    const torch::Tensor norm = optimizer_.step(rates_.index_select(0, index_).squeeze(0));
    losses_.index_copy_(0, index_, loss);
    norms_.index_copy_(0, index_, norm.to(at::kDouble).view({1}));
    index_.add_(1);
}

// Adds to the gradients what this process's share of the batch gives; its share of the mean loss.
torch::Tensor StepProgram::backward_all_parts() {
    const std::int64_t parts = feed_.plan().parts, mine = parts / processes_.count();
    torch::Tensor total = at::zeros({1}, losses_.options());
    for (std::int64_t part = processes_.rank() * mine; part < (processes_.rank() + 1) * mine; ++part) {
        const Batch batch = feed_.at(index_, part);
        const torch::Tensor output = network_.forward(batch.input, dropout_seed(config_, next_, part));
        const torch::Tensor loss = loss_of(output, batch.targets) / static_cast<double>(parts);
        loss.backward();
        total += loss.detach().to(at::kDouble);
    }
    return total;
}

void StepProgram::prepare(std::int64_t first, std::int64_t count) {
    const torch::Tensor rates = at::empty({count}, at::kDouble);
    for (std::int64_t i = 0; i < count; ++i) {
        rates.data_ptr<double>()[i] = learning_rate(config_, first + i, total_steps_);
    }
    rates_.narrow(0, 0, count).copy_(rates);
    feed_.choose(first, count);
    index_.zero_();
    next_ = first;
}

std::vector<StepRecord> StepProgram::run(std::int64_t first, std::int64_t count) {
    prepare(first, count);
    const bool recordable = config_.model.dropout == 0 && processes_.recordable();
    std::int64_t done = 0;
    if (!graph_ && recordable && count > rehearsals) {
        graph_ = record(feed_.plan().device, rehearsals, [this] { step(); });
        if (graph_) done = rehearsals;  // recording itself runs nothing
    }
    for (; done < count; ++done, next_ = first + done) graph_ ? graph_->play() : step();
    wait_for(feed_.plan().device);
    const torch::Tensor losses = losses_.narrow(0, 0, count).cpu(), norms = norms_.cpu();
    processes_.sum(losses);
    std::vector<StepRecord> records;
    for (std::int64_t i = 0; i < count; ++i) {
        records.push_back({losses.data_ptr<double>()[i], norms.data_ptr<double>()[i]});
    }
    return records;
}

void StepProgram::share_state() {
    const at::NoGradGuard no_grad;
    processes_.copy_from_first(parameters_.values());
    for (const auto& [name, tensor] : memory()) processes_.copy_from_first(tensor);
    parameters_.publish();
}

std::vector<model::NamedTensor> StepProgram::weights() const {
    return parameters_.named(parameters_.values());
}

}  // namespace plimsoll::train

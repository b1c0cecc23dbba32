#include "plimsoll/train/step_program.h"

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

}  // namespace

StepProgram::StepProgram(const run::RunConfig& config, std::int64_t total_steps,
                         const model::Network& network, Feed& feed, Processes& processes)
    : config_(config),
      total_steps_(total_steps),
      network_(network),
      feed_(feed),
      processes_(processes),
      parameters_(network, config.train.precision == run::Precision::bf16,
                  config.optimizer.decay == run::DecayedTensors::all),
      optimizer_(config.optimizer, parameters_) {
    const auto numbers = at::TensorOptions().dtype(at::kDouble).device(feed.plan().device);
    index_ = at::zeros({1}, numbers.dtype(at::kLong));
    rates_ = at::zeros({feed.plan().capacity}, numbers);
    losses_ = at::zeros_like(rates_);
    norms_ = at::zeros_like(rates_);
}

// A GPU's generator is seeded before the step, by seed_step(): inside a recorded step nothing can be.
std::uint64_t StepProgram::dropout_seed(std::int64_t part) const {
    if (config_.model.dropout == 0) return 0;
    return index_.is_cuda() ? model::seeded_outside : mask_seed(config_, next_, part);
}

void StepProgram::seed_step() const {
    if (config_.model.dropout == 0 || !index_.is_cuda()) return;
    model::seed_dropout(index_.device(), mask_seed(config_, next_, first_part()));
}

// The parts of a step's batch are numbered over all processes, each takes its share in a row, and part p has
// the same examples (and, on the CPU, masks) whoever takes it. So two processes with a part each end, bit for
// bit, where one process with the two parts ends: both have g0 + g1, and addition is commutative. With more
// parts the sums are the same up to rounding.
void StepProgram::step() {
    const torch::Tensor loss = differentiate_parts();
    processes_.sum(parameters_.gradients());
    const torch::Tensor norm = optimizer_.step(rates_.index_select(0, index_).squeeze(0));
    losses_.index_copy_(0, index_, loss);
    norms_.index_copy_(0, index_, norm.to(at::kDouble).view({1}));
    index_.add_(1);
}

std::int64_t StepProgram::first_part() const { return processes_.rank() * parts_of_each(); }
std::int64_t StepProgram::parts_of_each() const { return feed_.plan().parts / processes_.count(); }

// The gradient that this process's share of the batch gives; its share of the mean loss.
torch::Tensor StepProgram::differentiate_parts() {
    torch::Tensor total = at::zeros({1}, losses_.options());
    for (std::int64_t part = first_part(); part < first_part() + parts_of_each(); ++part) {
        const Batch batch = feed_.at(index_, part);
        const torch::Tensor output = network_.forward(batch.input, dropout_seed(part));
        const torch::Tensor loss = loss_of(output, batch.targets) / static_cast<double>(feed_.plan().parts);
        parameters_.differentiate(loss, part > first_part());
        total += loss.detach().to(at::kDouble);
    }
    return total;
}

void StepProgram::prepare(std::int64_t first, std::int64_t count) {
    const torch::Tensor rates = at::empty({count}, at::kDouble);
    for (std::int64_t i = 0; i < count; ++i) {
        rates.data_ptr<double>()[i] = run::learning_rate(config_, first + i, total_steps_);
    }
    rates_.narrow(0, 0, count).copy_(rates);
    feed_.choose(first, count);
    index_.zero_();
    next_ = first;
}

std::vector<StepRecord> StepProgram::run(std::int64_t first, std::int64_t count,
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

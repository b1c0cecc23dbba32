#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "plimsoll/run/run_config.h"
#include "plimsoll/train/device_graph.h"
#include "plimsoll/train/feeds/feed.h"
#include "plimsoll/train/optimizer.h"
#include "plimsoll/train/processes/processes.h"

namespace plimsoll::train {

// What one step left behind.
struct StepRecord {
    double loss = 0;
    double gradient_norm = 0;
};

// The training step: batch, forward, backward, update. Learning rates and batches of the steps to come are
// put on the device beforehand and the losses are read afterwards, so that nothing waits for the host in
// between; on CUDA the step of one process is one recorded graph. Several processes share the parts of a
// batch and add up their gradients.
class StepProgram {
  public:
    StepProgram(const run::RunConfig& config, std::int64_t total_steps, const model::Network& network,
                Feed& feed, Processes& processes);

    // Makes steps first .. first + count - 1; count is at most the feed's capacity. Fewer, but at least one,
    // when `stop` (which may be empty) says so.
    std::vector<StepRecord> run(std::int64_t first, std::int64_t count,
                                const std::function<bool()>& stop = {});

    // What a checkpoint has to hold: the weights by name, and the optimizer's memory.
    [[nodiscard]] std::vector<model::NamedTensor> weights() const;
    [[nodiscard]] std::vector<model::NamedTensor> memory() const { return optimizer_.state(); }
    // To be called by all processes after the first one's weights and memory were set: the others get them.
    void share_state();

  private:
    [[nodiscard]] std::uint64_t dropout_seed(std::int64_t part) const;
    void seed_step() const;
    void step();
    torch::Tensor differentiate_parts();
    [[nodiscard]] std::int64_t first_part() const;
    [[nodiscard]] std::int64_t parts_of_each() const;
    void prepare(std::int64_t first, std::int64_t count);

    const run::RunConfig& config_;
    std::int64_t total_steps_;
    const model::Network& network_;
    Feed& feed_;
    Processes& processes_;
    FlatParameters parameters_;
    Optimizer optimizer_;
    torch::Tensor index_;           // (1) int64: the step's number among the chosen ones
    torch::Tensor rates_;           // (capacity) double
    torch::Tensor losses_, norms_;  // (capacity) double
    std::int64_t next_ = 1;         // for the seeds of dropout, on the host
    std::unique_ptr<DeviceGraph> graph_;
};

}  // namespace plimsoll::train

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

// What each run of a stack is trained by.
struct StepPlan {
    std::vector<run::RunConfig> configs;
    std::vector<std::int64_t> total_steps;
};

// The training step of a stack: batch, forward, backward, update. Learning rates and batches of the steps to
// come are put on the device beforehand and the losses are read afterwards, so that nothing waits for the
// host in between; on CUDA the step of one process is one recorded graph. Several processes share the parts
// of a batch and add up their gradients; then there is one run.
class StepProgram {
  public:
    StepProgram(StepPlan plan, const model::Network& network, Feed& feed, Processes& processes);

    // Which runs the next steps update, one flag for each; all of them at first. The others are computed
    // along and keep their weights and memory.
    void set_active(std::vector<bool> active);

    // Makes steps first .. first + count - 1; count is at most the feed's capacity. Fewer, but at least one,
    // when `stop` (which may be empty) says so. For each run what its steps left.
    std::vector<std::vector<StepRecord>> run(std::int64_t first, std::int64_t count,
                                             const std::function<bool()>& stop = {});

    // What a checkpoint of a run has to hold: the weights by name, and the optimizer's memory.
    [[nodiscard]] std::vector<model::NamedTensor> weights(std::int64_t run) const;
    [[nodiscard]] std::vector<model::NamedTensor> memory(std::int64_t run) const {
        return optimizer_.state(run);
    }
    // To be called by all processes after the first one's weights and memory were set: the others get them,
    // and the network does.
    void share_state();

  private:
    [[nodiscard]] model::DropoutSeeds mask_seeds(std::int64_t part) const;
    [[nodiscard]] model::DropoutSeeds dropout_seeds(std::int64_t part) const;
    void seed_step() const;
    void step();
    torch::Tensor differentiate_parts();
    [[nodiscard]] std::int64_t first_part() const;
    [[nodiscard]] std::int64_t parts_of_each() const;
    void prepare(std::int64_t first, std::int64_t count);
    [[nodiscard]] std::vector<std::vector<StepRecord>> records(std::int64_t count);

    StepPlan plan_;
    const model::Network& network_;
    Feed& feed_;
    Processes& processes_;
    FlatParameters parameters_;
    Optimizer optimizer_;
    std::vector<bool> active_;
    torch::Tensor index_;           // (1) int64: the step's number among the chosen ones
    torch::Tensor rates_;           // (capacity, runs) double
    torch::Tensor losses_, norms_;  // (capacity, runs) double
    std::int64_t next_ = 1;         // for the seeds of dropout, on the host
    std::unique_ptr<DeviceGraph> graph_;
};

}  // namespace plimsoll::train

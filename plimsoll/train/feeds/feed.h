#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/model/network.h"
#include "plimsoll/run/run_config.h"
#include "plimsoll/run/table_encoding.h"

namespace plimsoll::train {

// Targets with this value are not counted, as torch's cross entropy has it.
constexpr std::int64_t no_target = -100;

// What a network reads and what it should answer.
struct Batch {
    model::Input input;
    torch::Tensor targets;  // (B) int64 classes, (B) real numbers, or (B, T) int64 next tokens
};

// How a feed is cut into steps.
struct FeedPlan {
    std::int64_t batch = 1;               // examples of a step, of each run
    std::int64_t parts = 1;               // into which a step's batch is cut
    std::int64_t capacity = 1;            // steps that can be chosen at a time
    std::vector<std::uint64_t> seeds{1};  // of the order of examples, one for each run of a stack
    std::int64_t crop = 0;
    bool flip = false;
    torch::Device device = torch::kCPU;
    torch::Dtype dtype = torch::kFloat;  // of real inputs
};

// A data set on the device for the runs of a stack, each with an order of examples of its own. The examples
// of a run's step depend on its seed and the step alone. choose() puts a table of them on the device; after
// that the batches of the chosen steps are operations on the device only, so that they can be captured in a
// graph.
class Feed {
  public:
    explicit Feed(FeedPlan plan);
    virtual ~Feed() = default;
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    // Prepares steps first .. first + count - 1 (from 1); count is at most the plan's capacity.
    void choose(std::int64_t first, std::int64_t count);

    // Part `part` of the batch of the chosen step whose number among them `index` holds, (1) int64 on the
    // device: the runs' batches one after the other.
    [[nodiscard]] Batch at(const torch::Tensor& index, std::int64_t part) const {
        return at(index, part, plan_.parts);
    }
    // The same with the batch cut into `parts`, which divide it.
    [[nodiscard]] Batch at(const torch::Tensor& index, std::int64_t part, std::int64_t parts) const;

    // The validation split in the order of the set, for one run.
    [[nodiscard]] virtual std::int64_t evaluation_batches() const = 0;
    [[nodiscard]] virtual Batch evaluation_batch(std::int64_t number) const = 0;

    // Examples of an epoch; for text windows without overlap.
    [[nodiscard]] virtual std::int64_t epoch_examples() const = 0;
    // One more than the largest target.
    [[nodiscard]] virtual std::int64_t target_limit() const = 0;
    // Bytes of text each token id stands for, (V) double on the device; undefined when it is no text.
    [[nodiscard]] virtual torch::Tensor token_bytes() const { return {}; }

    [[nodiscard]] const FeedPlan& plan() const { return plan_; }
    [[nodiscard]] std::int64_t runs() const { return std::ssize(plan_.seeds); }
    // What the evaluation batches are of, for people: "test", "last 10 %".
    [[nodiscard]] const std::string& evaluated() const { return evaluated_; }
    void set_evaluated(std::string name) { evaluated_ = std::move(name); }
    // How the rows of a table were read; null for other data.
    [[nodiscard]] const std::shared_ptr<const run::TableEncoding>& table() const { return table_; }
    void set_table(std::shared_ptr<const run::TableEncoding> table) { table_ = std::move(table); }

  protected:
    // The example that has number `number` in the endless row of examples of a run.
    [[nodiscard]] virtual std::int64_t example(std::size_t run, std::int64_t number) = 0;
    // Examples by their numbers, (B) int64 on the device; `changes` (B, 3) int64 are shifts down and right
    // and whether to mirror.
    [[nodiscard]] virtual Batch gather(const torch::Tensor& examples, const torch::Tensor& changes) const = 0;

  private:
    void choose_for(std::int64_t run, std::int64_t first, std::int64_t count);

    FeedPlan plan_;
    std::string evaluated_;
    std::shared_ptr<const run::TableEncoding> table_;
    torch::Tensor chosen_;   // (capacity, runs, batch) int64
    torch::Tensor changes_;  // (capacity, runs, batch, 3) int64
};

// Numbers 0 .. count - 1 in a new random order every epoch.
class EpochOrder {
  public:
    EpochOrder(std::int64_t count, std::uint64_t seed) : count_(count), seed_(seed) {}
    // Which of them comes at place `number` of all epochs in a row.
    std::int64_t at(std::int64_t number);

  private:
    std::int64_t count_;
    std::uint64_t seed_;
    std::int64_t epoch_ = -1;
    std::vector<std::int64_t> order_;
};

class DataCache;

// What is read, and how the validation split of a text is; see EvaluateOptions.
struct FeedRequest {
    FeedPlan plan;
    std::int64_t stride = 0;       // text: 0 for windows that do not overlap
    bool evaluation_only = false;  // nothing will be trained on
    std::string split;             // to evaluate; empty: the part held out, or all of another set
    std::optional<run::DataSettings> other_set;  // the run's own, when the config names another set
    DataCache* cache = nullptr;                  // where the data may be already; not for evaluations
    // How the run reads rows of tables, from its folder; null: learned from the rows it trains on.
    std::shared_ptr<const run::TableEncoding> table = nullptr;
};

// The data of a run, read and put on the device; the error says what does not fit the network.
Result<std::unique_ptr<Feed>> make_feed(const run::RunConfig& config, const FeedRequest& request);

}  // namespace plimsoll::train

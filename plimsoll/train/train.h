#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"
#include "plimsoll/train/session.h"

// One run, from its config to its folder. No type of torch here.
namespace plimsoll::train {

// Trains the run of `config`, or resumes it from its last checkpoint, together with the other
// processes that srun, mpirun or torchrun started with this one. A diverging run ends as an error of kind
// `bad_input` that names the step. After an error the last good checkpoint stays and the run is marked
// failed.
Result<RunSummary> train(const run::RunConfig& config, const TrainOptions& options);

// Trains runs that share network, data and batch (run/stack_rules.h) as one program, each with its own
// folder; one result for each config, in their order. A member that fails, or is complete, does not touch the
// others. Configs that cannot stack are `bad_input` for all of them, and nothing is trained.
std::vector<Result<RunSummary>> train_stack(const std::vector<run::RunConfig>& configs,
                                            const TrainOptions& options);

// A cache for TrainOptions that keeps at most `most_bytes` bytes of data, the least recently used goes first.
std::shared_ptr<DataCache> make_data_cache(std::uint64_t most_bytes);

struct EvaluateOptions {
    std::string device = "cpu";
    std::string data;         // another set, read with the run's tokenizer; empty: the run's own
    std::string kind;         // how to read it, as data.kind; empty: as the run's
    std::string split;        // train, validation, all or one of the set's; empty: what the run held out, of
                              // another set its validation or test split, else all
    std::int64_t stride = 0;  // text: windows start this number of tokens apart and only the last `stride`
                              // targets count; 0: windows do not overlap
    std::int64_t batch = 0;   // 0: the run's
};
// Evaluates the last checkpoint of a run.
Result<Evaluation> evaluate(const std::filesystem::path& run_folder, const EvaluateOptions& options);

struct SampleOptions {
    std::string device = "cpu";
    std::string prompt;
    std::int64_t tokens = 100;
    double temperature = 1;  // 0: always the likeliest
    std::int64_t top_k = 0;  // 0: all
    std::uint64_t seed = 1;
};
// Continues a prompt with the last checkpoint of a text run; the bytes of prompt and continuation.
Result<std::string> sample(const std::filesystem::path& run_folder, const SampleOptions& options);

}  // namespace plimsoll::train

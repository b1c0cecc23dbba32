#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

// One run, from its config to its folder. No type of torch here.
namespace plimsoll::train {

// What a run tells while it goes on.
struct TrainProgress {
    std::int64_t step = 0, steps = 0;
    double loss = 0;                 // mean since the last report
    double rate = 0;                 // learning rate
    double examples_per_second = 0;  // 0 before the first is known
    double flops_per_second = 0;     // by arch's count of training FLOPs; 0 when unknown
    double mfu = 0;  // these as a share of what one large matrix product reaches here in the run's precision
    double seconds = 0;  // since the session began
    double peak_mb = 0;  // 2^20 bytes that were in use at most: of the GPU, or of this process
};

struct TrainOptions {
    std::filesystem::path runs = "runs";
    std::string device = "cpu";                      // cpu, cuda, cuda:1
    bool tensorboard = false;                        // an event file beside metrics.jsonl
    bool alone = false;                              // one process, whatever started it
    std::vector<std::string> command;                // as it was typed, for environment.json
    std::function<void(const TrainProgress&)> tell;  // may be empty
    std::function<bool()> stop;  // asked between steps; true ends the session with a checkpoint. May be empty
};

// What `plimsoll eval` and the end of a run report; figures that do not apply are negative.
struct Evaluation {
    double loss = 0;            // nats per target
    double half_width = 0;      // of the 95 % interval of the loss, from the spread over batches
    double accuracy = 0;        // share of right first choices
    double bits_per_byte = -1;  // of text
    double perplexity = -1;     // of text
    std::int64_t targets = 0;   // how many were predicted
    std::string split;          // of evaluate(): what it was, for people ("test", "last 10 %")
};
Json to_json(const Evaluation& evaluation);

struct RunSummary {
    int rank = 0;  // which of the processes says so; only the first has the rest
    std::string id;
    std::filesystem::path folder;
    std::int64_t step = 0;
    bool stopped = false;   // TrainOptions::stop said so; the same call goes on
    bool was_done = false;  // the run was complete before; nothing was trained
    bool resumed = false;   // it went on from a checkpoint
    double train_loss = 0;  // mean of the last rows
    Evaluation validation;
    double seconds = 0;  // of this session
};

// Trains the run of `config`, or goes on with it where its last checkpoint is, together with the other
// processes that srun, mpirun or torchrun started with this one. A diverging run ends as an error of kind
// `bad_input` that names the step. After an error the last good checkpoint stays and the run is marked
// failed.
Result<RunSummary> train(const run::RunConfig& config, const TrainOptions& options);

struct EvaluateOptions {
    std::string device = "cpu";
    std::string data;         // another set, read with the run's tokenizer; empty: the run's own
    std::string kind;         // how to read it, as data.kind; empty: as the run's
    std::string split;        // train, validation, all or one of the set's; empty: what the run held out, of
                              // another set its validation or test split, else all
    std::int64_t stride = 0;  // text: windows start so many tokens apart and only the last `stride` targets
                              // count; 0: windows do not overlap
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

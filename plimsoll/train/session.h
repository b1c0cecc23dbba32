#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/train/evaluation.h"
#include "plimsoll/train/noise_scale.h"

// What one call of train() is asked, what it tells and what it came to.
namespace plimsoll::train {

// What a run reports while it trains.
struct TrainProgress {
    std::int64_t step = 0, steps = 0;
    std::int64_t runs = 1;  // that these numbers are of: of a stack losses are means, speeds are sums
    double loss = 0;        // mean since the last report
    double rate = 0;        // learning rate
    double examples_per_second = 0;  // 0 before the first is known
    double flops_per_second = 0;     // by arch's count of training FLOPs; 0 when unknown
    double mfu = 0;  // these as a share of what one large matrix product reaches here in the run's precision
    double seconds = 0;  // since the session began
    double peak_mb = 0;  // 2^20 bytes that were in use at most: of the GPU, or of this process
};

// Data sets on a device, for the sessions of one process that share them; make_data_cache() makes one.
class DataCache;

// What a session is asked for.
struct TrainOptions {
    std::filesystem::path runs = "runs";
    std::string device = "cpu";  // cpu, cuda, cuda:1
    bool tensorboard = false;    // an event file beside metrics.jsonl
    bool alone = false;          // one process, whatever started it
    bool retry_failed = true;  // train again what its files say has failed; else it keeps its slot, untouched
    std::shared_ptr<DataCache> data_cache;           // may be empty
    std::vector<std::string> command;                // as it was typed, for environment.json
    std::function<void(const TrainProgress&)> tell;  // may be empty
    std::function<bool()> stop;  // asked between steps; true ends the session with a checkpoint. May be empty
    // For each run steps in ascending order whose checkpoints are kept, and it stops with the last of them;
    // none for a run that trains to its end. Empty: none for all. This is how a trunk (run/trunk.h) is
    // trained.
    std::vector<std::vector<std::int64_t>> keep;
};

// Where a branch of a trunk started.
struct BranchStart {
    std::string trunk;      // the id of its run
    std::int64_t step = 0;  // 0: from scratch
    std::string problem;    // why from scratch; empty when it did not
};

// What a session came to.
struct RunSummary {
    int rank = 0;  // which of the processes says so; only the first has the rest
    std::string id;
    std::filesystem::path folder;
    std::int64_t step = 0;
    bool stopped = false;               // TrainOptions::stop said so; the same call resumes
    bool was_done = false;              // the run was complete before; nothing was trained
    bool resumed = false;               // it resumed from a checkpoint
    std::optional<BranchStart> branch;  // of a run that has a trunk, in the session that began it
    double train_loss = 0;              // mean of the last rows
    Evaluation validation;
    std::optional<NoiseScale> noise;  // with train.noise_every
    double seconds = 0;               // of this session
};

}  // namespace plimsoll::train

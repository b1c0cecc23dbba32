#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "plimsoll/train/run_record.h"

// The steps of a stack of runs in one session.
namespace plimsoll::train {

// At most this number of steps between two looks at the losses.
constexpr std::int64_t most_steps_at_a_time = 256;

// What one session of a stack works on.
struct SessionParts {
    torch::Device device;
    std::unique_ptr<model::Network> network;
    std::unique_ptr<Feed> feed;
    std::vector<std::int64_t> steps;  // of each run
};

// One run of a stack. It ends when its result is known; until then it is live.
struct Member {
    run::RunConfig config;
    std::optional<RunRecord> record;  // in the first process only
    std::optional<Result<RunSummary>> result = std::nullopt;
    std::int64_t step = 0, steps = 0;
    std::int64_t saved = 0;               // step of the last checkpoint
    TrainProgress last;                   // the last that was reported
    std::vector<std::int64_t> keep = {};  // of TrainOptions

    [[nodiscard]] bool live() const { return !result.has_value(); }
    [[nodiscard]] bool due(std::int64_t every) const {
        return step == steps || (every > 0 && step % every == 0);
    }
    [[nodiscard]] bool measures_noise() const {
        return config.train.noise_every > 0 && step % config.train.noise_every == 0;
    }
    // Where the session leaves it: at the end of the run, or at the last step that is to be kept.
    [[nodiscard]] std::int64_t last_step() const {
        return keep.empty() ? steps : std::min(steps, keep.back());
    }
    [[nodiscard]] bool is_kept() const { return std::ranges::binary_search(keep, step); }
    // The step of its next row of metrics, evaluation or checkpoint.
    [[nodiscard]] std::int64_t next_stop() const;
    // The next step that is to be kept, or the end.
    [[nodiscard]] std::int64_t next_kept() const;
    // Sets the result and lets go of the run's folder, where an error is noted.
    void end(Result<RunSummary> how);
};
using Members = std::vector<Member>;

std::vector<run::RunConfig> configs_of(const Members& members);

// Trains the live members until each has a result, or until TrainOptions::stop says so, which is a result
// too. The error is one that concerns all of them; those without a result have that.
Status train_session(Members& members, const TrainOptions& options, Processes& processes, SessionParts parts);

}  // namespace plimsoll::train

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/lab/jobs/status.h"
#include "plimsoll/lab/sweep/plan.h"

namespace plimsoll::lab {

// What a run measured at a step; what it did not measure has no value.
struct Measured {
    std::int64_t step = 0;
    std::optional<double> loss;  // of training, the last row up to then
    std::optional<double> validation_loss, loss_half_width, accuracy, explained_variance, bits_per_byte,
        perplexity;
};

// What the files of a run say it came to.
struct RunResults {
    JobPhase phase = JobPhase::missing;
    std::optional<std::int64_t> steps;  // of the whole run, once it is done
    Measured last;                      // the last evaluation and the last training loss
    std::vector<Measured> evaluations;
    std::optional<double> best_accuracy, best_validation_loss;  // over all evaluations
    std::optional<double> seconds;                              // of all sessions
    std::optional<double>
        own_seconds;  // of these what is this run's: a session's, shared by the runs of its stack
    std::optional<double> step_ms;  // median over the rows of timings
    std::optional<double> peak_mb;  // the largest of timings: 2^20 bytes
    std::string device;
};

// Reads them; a run that nobody began has the phase "missing" and nothing else. Damaged metrics are an error.
Result<RunResults> read_results(const Job& job, const std::filesystem::path& runs);

}  // namespace plimsoll::lab

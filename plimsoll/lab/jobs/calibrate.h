#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/lab/sweep/plan.h"

// What a sweep will take, from a few steps of its cheapest and its most expensive network.
namespace plimsoll::lab {

struct CalibrationOptions {
    std::filesystem::path program;  // plimsoll-torch
    std::string device = "cpu";
    int threads = 0;            // of the measured runs; 0: as many as they like
    int stack = 1;              // runs that are measured together as one program, with other seeds
    double seconds = 1;         // how long the steps of one measurement should take, about
    ProgressCallback progress;  // may be empty
};

// One network, measured.
struct MeasuredShape {
    std::string id;               // of the job it stands for
    double flops_per_step = 0;    // of one run
    std::int64_t steps = 0;       // between the two times that were compared
    double seconds_per_step = 0;  // of one run of the stack
    double start_seconds =
        0;  // everything else: the program, its data, one batch of evaluation, a checkpoint
};

// The line through the measured shapes: seconds per step as a function of FLOPs per step.
struct Calibration {
    std::string device;
    std::vector<MeasuredShape> shapes;  // one or two

    [[nodiscard]] double start_seconds() const;
    [[nodiscard]] double seconds_per_step(double flops_per_step) const;
    // Seconds of a whole run; nothing when its number of steps is not known.
    [[nodiscard]] std::optional<double> seconds(const Work& work) const;
};

// Trains the networks with the fewest and the most FLOPs per step for some steps in a temporary folder, in
// `program` as a child process. The program's own error when it fails.
Result<Calibration> calibrate(const Plan& plan, const CalibrationOptions& options);

}  // namespace plimsoll::lab

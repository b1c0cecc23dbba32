#pragma once

#include <chrono>
#include <string>

#include "plimsoll/cli/loss_plot.h"
#include "plimsoll/train/train.h"

namespace plimsoll::cli {

// Of a stack "12 runs, step 120 of 1000  mean loss 2.4113 ...", of one run
// "step 120 of 1000  loss 2.4113  8 s left  MFU 41 %  rate 3.0e-04  512 examples/s  1.2 TFLOP/s"; parts that
// do not fit into `columns` are left out from the end.
std::string progress_text(const train::TrainProgress& progress, double seconds_left, std::size_t columns);

// What a run writes while it trains: one line drawn over itself on a terminal, elsewhere a plain line every
// ten seconds, later every twentieth of the time that has passed.
class LiveLine {
  public:
    // `columns` of the terminal; 0 when it is none.
    explicit LiveLine(std::size_t columns) : columns_(columns) {}

    // The bytes to write at `seconds` of the session; often none.
    std::string next(const train::TrainProgress& progress, double seconds);
    // The bytes that leave an empty line.
    [[nodiscard]] std::string clear() const;

  private:
    [[nodiscard]] bool due(const train::TrainProgress& progress, double seconds) const;
    [[nodiscard]] double seconds_left(const train::TrainProgress& progress, double seconds) const;

    std::size_t columns_;
    std::int64_t first_step_ = -1;
    double first_seconds_ = 0, written_ = 0;
    bool visible_ = false;
};

// A LiveLine on stderr.
class TrainLine {
  public:
    TrainLine();
    ~TrainLine();
    TrainLine(const TrainLine&) = delete;
    TrainLine& operator=(const TrainLine&) = delete;
    void show(const train::TrainProgress& progress);

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    LiveLine line_;
};

void print_summary(const train::RunSummary& summary);
// A line for each run of a stack.
void print_stack(const std::vector<run::RunConfig>& configs,
                 const std::vector<Result<train::RunSummary>>& results);
Json summary_json(const train::RunSummary& summary);
Json stack_json(const std::vector<run::RunConfig>& configs,
                const std::vector<Result<train::RunSummary>>& results);
void print_evaluation(const train::Evaluation& evaluation);

}  // namespace plimsoll::cli

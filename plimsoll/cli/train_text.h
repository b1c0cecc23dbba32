#pragma once

#include <chrono>
#include <string>

#include "plimsoll/cli/loss_plot.h"
#include "plimsoll/train/train.h"

namespace plimsoll::cli {

// "step 120 of 1000  loss 2.4113  rate 3.0e-04  512 examples/s  1.2 TFLOP/s  8 s left".
std::string progress_text(const train::TrainProgress& progress, double seconds_left);

// The live line on stderr, drawn over itself; silent when stderr is not a terminal.
class TrainLine {
  public:
    TrainLine();
    ~TrainLine();
    TrainLine(const TrainLine&) = delete;
    TrainLine& operator=(const TrainLine&) = delete;
    void show(const train::TrainProgress& progress);

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::int64_t first_step_ = -1;
    bool terminal_;
    bool visible_ = false;
};

void print_summary(const train::RunSummary& summary);
Json summary_json(const train::RunSummary& summary);
void print_evaluation(const train::Evaluation& evaluation);

}  // namespace plimsoll::cli

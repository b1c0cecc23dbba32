#pragma once

#include <chrono>
#include <string>

#include "plimsoll/base/json.h"
#include "plimsoll/lab/jobs/runner.h"

namespace plimsoll::cli {

// "90s", "10m", "1h30m", "2d"; anything else is an error at `where`.
Result<std::chrono::seconds> parse_duration(std::string_view text, std::string_view where);

// What the flags --device, --workers (0: one for each device), --retry-failed and --stop-after (may be empty)
// ask of a runner that StopSignals stop: once cleanly, twice at once.
Result<lab::RunnerOptions> runner_options(const std::string& device, int workers, bool retry_failed,
                                          const std::string& stop_after);

// "12 jobs: 8 done, 2 running, 2 waiting; 3 min left".
std::string counts_text(const lab::SweepProgress& progress);

// What runs as a table, and the counts below it; every line is shorter than 80 columns.
std::vector<std::string> live_lines(const lab::SweepProgress& progress);

// "job 3 of 12  0d68eb5c41ce4761  done in 35 s  loss 2.4113".
std::string ended_line(const lab::SweepProgress& progress);

// That it is stopping, what is waited for, and how not to wait.
std::string stop_line(const lab::SweepProgress& progress);

// The sweep on stderr while it runs: a table drawn over itself on a terminal, else a line for each job that
// ends and one a minute.
class SweepView {
  public:
    SweepView();
    ~SweepView();
    SweepView(const SweepView&) = delete;
    SweepView& operator=(const SweepView&) = delete;
    void show(const lab::SweepProgress& progress);

  private:
    void erase();
    void say(const std::string& line);

    bool terminal_, told_stop_ = false;
    std::size_t drawn_ = 0;  // lines on the screen
    std::chrono::steady_clock::time_point next_line_;
};

// How it ended, for people: counts, failures with their last log lines, what is left.
void print_outcome(const lab::SweepOutcome& outcome);
Json outcome_json(const lab::SweepOutcome& outcome);

}  // namespace plimsoll::cli

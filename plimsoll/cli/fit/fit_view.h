#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/busy_line.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/fit/fit.h"

namespace plimsoll::cli {

// "[=========>          ]  46 %  rung 2 of 4  3 min left".
std::string race_bar(const fit::RaceNews& news);

// The race's bar, the runs at work and their counts; every line is shorter than 80 columns.
std::vector<std::string> race_lines(const fit::RaceNews& news);

// A fit while it goes: each step on stdout as it ends, and on stderr what is being done: lines drawn over
// themselves on a terminal, else one a minute and one for each run that failed.
class FitView {
  public:
    // Quiet: nothing on stdout.
    explicit FitView(bool quiet);
    ~FitView();
    FitView(const FitView&) = delete;
    FitView& operator=(const FitView&) = delete;

    // What tells this view; it must outlive them.
    fit::FitWatch watch();

    // The steps that only the outcome knows: a race of an earlier call, decision, hand-over, how to go on.
    void end(const fit::FitOutcome& outcome, const fit::FitRequest& request);

  private:
    void looked(const fit::DataLook& look, bool again);
    void proposed(const fit::Proposal& proposal, bool again);
    void planned(const fit::Fitting& fitting);
    void raced(const fit::RaceNews& news);
    void settled(const fit::RaceNews& news);
    void show_runs(const fit::RaceNews& news);
    void show_ended(const fit::Race& race);
    void draw(std::vector<std::string> lines);  // live lines in the place of those before
    void say(const std::string& text);          // stdout
    void note(const std::string& line);         // stderr
    void erase();
    void wait_for(const char* what);  // says so until the next line

    bool quiet_, terminal_, colour_, raced_ = false, told_stop_ = false;
    std::size_t drawn_ = 0;  // lines on the screen
    std::chrono::steady_clock::time_point next_line_;
    std::optional<int> ended_;  // rung that is not shown yet
    int shown_ = -1;            // the last rung that is
    std::optional<ProgressBar> look_bar_;
    std::optional<BusyLine> busy_;  // while nothing is heard
    fit::DataLook look_;
    fit::Proposal proposal_;
};

}  // namespace plimsoll::cli

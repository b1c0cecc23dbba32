#include "plimsoll/cli/fit/fit_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/fit/fit_answer.h"
#include "plimsoll/cli/fit/fit_text.h"
#include "plimsoll/cli/fit/plan_text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/sweep/sweep_run_text.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using Kind = fit::RaceNews::Kind;

constexpr std::chrono::seconds first_line{2}, between_lines{10};
constexpr std::size_t race_bar_columns = 30;

// Not fmt::print, which throws when the terminal is gone; the fit goes on without it.
void put(const std::string& text, std::FILE* stream) {
    std::fputs(text.c_str(), stream);
    std::fflush(stream);
}

std::string time_left(const fit::RaceNews& news) {
    if (news.seconds_left > 0) return duration_text(news.seconds_left) + " left";
    if (news.sweep != nullptr && news.sweep->seconds_left)
        return duration_text(*news.sweep->seconds_left) + " left of this rung";
    return "";
}

}  // namespace

std::string race_bar(const fit::RaceNews& news) {
    const double share = std::clamp(news.share_done, 0.0, 1.0);
    std::string bar(static_cast<std::size_t>(std::floor(share * race_bar_columns)), '=');
    if (bar.size() < race_bar_columns) bar += '>';
    std::string text = fmt::format("[{:<{}}] {:3.0f} %  rung {} of {}", bar, race_bar_columns,
                                   std::floor(100 * share), news.rung + 1, news.rungs);
    const std::string left = time_left(news);
    return left.empty() ? text : text + "  " + left;
}

std::vector<std::string> race_lines(const fit::RaceNews& news) {
    std::vector<std::string> lines{"  " + race_bar(news)};
    if (news.sweep == nullptr) return lines;
    const auto runs = live_lines(*news.sweep);
    lines.insert(lines.end(), runs.begin(), runs.end());
    return lines;
}

FitView::FitView(bool quiet)
    : quiet_(quiet),
      terminal_(terminal_columns() > 0),
      colour_(colour_wanted()),
      next_line_(std::chrono::steady_clock::now() + first_line) {}

FitView::~FitView() { erase(); }

void FitView::erase() {
    look_bar_.reset();
    busy_.reset();
    if (drawn_ > 0) put(fmt::format("\033[{}A\r\033[J", drawn_), stderr);
    drawn_ = 0;
}

void FitView::say(const std::string& text) {
    erase();
    if (!quiet_) put(text, stdout);
}

void FitView::note(const std::string& line) {
    erase();
    if (!session().quiet) put(line + "\n", stderr);
}

void FitView::wait_for(const char* what) {
    erase();
    busy_.emplace(what);
}

fit::FitWatch FitView::watch() {
    fit::FitWatch watch;
    watch.look_progress = [this](std::uint64_t done, std::uint64_t total) {
        if (!look_bar_) look_bar_.emplace("looking at the data");
        look_bar_->update(done, total);
    };
    watch.looked = [this](const fit::DataLook& look, bool again) { looked(look, again); };
    watch.proposed = [this](const fit::Proposal& proposal, bool again) { proposed(proposal, again); };
    watch.planned = [this](const fit::Fitting& planned) { this->planned(planned); };
    watch.raced = [this](const fit::RaceNews& news) { raced(news); };
    return watch;
}

void FitView::looked(const fit::DataLook& look, bool again) {
    look_ = look;
    say(step_heading(1, again, colour_) + look_text(look, colour_));
    wait_for("measuring the pace of training here, for the plan of the race");
}

void FitView::proposed(const fit::Proposal& proposal, bool again) {
    proposal_ = proposal;
    say(step_heading(2, again, colour_) + proposal_text(proposal, colour_));
    wait_for("getting ready to race");
}

void FitView::planned(const fit::Fitting& fitting) {
    if (!std::exchange(raced_, true)) say(step_heading(3, false, colour_));
    say(plan_text(fitting, look_));
    wait_for("getting ready to race");
}

void FitView::raced(const fit::RaceNews& news) {
    // Runs are stopped by whoever runs them; all else by a second Ctrl-C alone.
    StopSignals::end_at_once(news.sweep == nullptr || news.sweep->running.empty());
    if (!std::exchange(raced_, true)) say(step_heading(3, false, colour_));
    if (news.kind == Kind::rung_begins) {
        if (news.race != nullptr) show_ended(*news.race);
        say(rung_begins_text(news) + "\n");
    }
    if (news.kind == Kind::rung_ends) ended_ = news.rung;
    if (news.kind == Kind::settled) settled(news);
    if (news.kind == Kind::progress) show_runs(news);
}

// The depths race on what the trials of the inputs chose.
void FitView::settled(const fit::RaceNews& news) {
    show_ended(*news.race);
    proposal_ = *news.proposal;
    say(settled_text(proposal_, colour_));
}

// Who goes on is known when the next rung begins.
void FitView::show_ended(const fit::Race& race) {
    if (!ended_) return;
    shown_ = *std::exchange(ended_, std::nullopt);
    say(rung_text(race, shown_, look_, proposal_, colour_));
}

void FitView::draw(std::vector<std::string> lines) {
    erase();
    if (session().quiet) return;
    const std::size_t columns = terminal_columns();
    for (auto& line : lines) line.resize(std::min(line.size(), columns > 1 ? columns - 1 : line_width));
    put(join(lines, "\n") + "\n", stderr);
    drawn_ = lines.size();
}

void FitView::show_runs(const fit::RaceNews& news) {
    const lab::SweepProgress* sweep = news.sweep;
    if (sweep != nullptr && sweep->ended != nullptr && sweep->ended->state == lab::JobResult::failed)
        note(ended_line(*sweep));
    const bool stops =
        sweep != nullptr && sweep->stopping == lab::StopCause::asked && !sweep->running.empty();
    if (stops && !std::exchange(told_stop_, true)) note(stop_line(*sweep));
    const auto now = std::chrono::steady_clock::now();
    if (terminal_) {
        draw(race_lines(news));
    } else if (now >= next_line_) {
        next_line_ = now + between_lines;
        note(race_bar(news) + (sweep == nullptr ? "" : "  " + counts_text(*sweep)));
    }
}

void FitView::end(const fit::FitOutcome& outcome, const fit::FitRequest& request) {
    const auto& race = outcome.race;
    proposal_ = outcome.proposal;
    if (!race.entries.empty()) {
        if (!raced_) say(step_heading(3, true, colour_));
        const int last = race.entries.back().rung;  // or what is done of it
        if (last != shown_) ended_ = last;
        show_ended(race);
        say(race_text(race));
    }
    if (outcome.decision)
        say(step_heading(4, false, colour_) +
            decision_text(*outcome.decision, outcome.look, outcome.proposal, colour_));
    if (outcome.handed) say(step_heading(5, false, colour_) + handed_text(*outcome.handed, request));
    if (outcome.decision && outcome.handed)
        say(answer_text(*outcome.decision, outcome.look, outcome.proposal, *outcome.handed, colour_));
    if (outcome.stopped) say(stopped_text(outcome));
}

}  // namespace plimsoll::cli

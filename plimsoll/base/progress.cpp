#include "plimsoll/base/progress.h"

#include <cstdio>

#include <unistd.h>

#include "plimsoll/base/busy_line.h"
#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"

namespace plimsoll {
namespace {

constexpr double quiet_seconds = 2;
constexpr double redraw_seconds = 0.1, between_lines_seconds = 10;

ProgressTalk talk_of_program = ProgressTalk::usual;
thread_local ProgressCallback listener_of_thread;

double seconds_between(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

}  // namespace

std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total,
                          double elapsed_seconds) {
    if (total == 0 || done == 0) return fmt::format("{}  {}", label, duration_text(elapsed_seconds));
    const double share = static_cast<double>(done) / static_cast<double>(total);
    return fmt::format("{}  {:.0f} %  {} left", label, 100 * share,
                       duration_text(elapsed_seconds * (1 / share - 1)));
}

void set_progress_talk(ProgressTalk talk) { talk_of_program = talk; }

void set_progress_listener(ProgressCallback listener) { listener_of_thread = std::move(listener); }

ProgressCallback progress_listener() { return listener_of_thread; }

ProgressTalk progress_talk() { return talk_of_program; }

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), terminal_(::isatty(STDERR_FILENO) != 0), listener_(listener_of_thread) {}

ProgressBar::~ProgressBar() {
    if (drawn_ && terminal_) std::fputs("\r\033[K", stderr);
}

bool ProgressBar::due(Clock::time_point now) const {
    if (progress_talk() == ProgressTalk::never) return false;
    if (drawn_) return seconds_between(*drawn_, now) >= (terminal_ ? redraw_seconds : between_lines_seconds);
    return progress_talk() == ProgressTalk::at_once || seconds_between(start_, now) >= quiet_seconds;
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
    if (listener_) return listener_(done, total);
    const auto now = Clock::now();
    if (!due(now)) return;
    drawn_ = now;
    const std::string line = progress_line(label_, done, total, seconds_between(start_, now));
    // Not fmt::print, which throws where stderr cannot be written.
    std::fputs((terminal_ ? "\r\033[K" + line : line + "\n").c_str(), stderr);
    std::fflush(stderr);
}

ProgressCallback ProgressBar::callback() {
    return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

}  // namespace plimsoll

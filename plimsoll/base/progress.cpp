#include "plimsoll/base/progress.h"

#include <cstdio>

#include <unistd.h>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"

namespace plimsoll {
namespace {

constexpr double quiet_seconds = 2;
constexpr double redraw_seconds = 0.1;

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

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
    if (visible_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
    const auto now = Clock::now();
    const double elapsed = seconds_between(start_, now);
    if (!terminal_ || elapsed < quiet_seconds || seconds_between(drawn_, now) < redraw_seconds) return;
    drawn_ = now;
    visible_ = true;
    fmt::print(stderr, "\r\033[K{}", progress_line(label_, done, total, elapsed));
}

ProgressCallback ProgressBar::callback() {
    return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

}  // namespace plimsoll

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace plimsoll {

// Told how far a long calculation is; the library calls it, a face decides what to show.
using ProgressCallback = std::function<void(std::uint64_t done, std::uint64_t total)>;

// When a program reports its progress.
enum class ProgressTalk {
    never,    // --quiet
    usual,    // from the second second on
    at_once,  // --verbose
};

// Holds for the whole program; a face sets it before any work.
void set_progress_talk(ProgressTalk talk);
ProgressTalk progress_talk();

// Takes the progress of every ProgressBar that this thread makes from now on, in the place of stderr; an
// empty one gives it back. What it throws comes out of the calculation: so a face without a terminal stops
// one.
void set_progress_listener(ProgressCallback listener);

// A line "label  42 %  3 s left" on stderr: on a terminal redrawn in place, elsewhere a line every ten
// seconds.
class ProgressBar {
  public:
    explicit ProgressBar(std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void update(std::uint64_t done, std::uint64_t total);
    // The bar as a callback; the bar must outlive it.
    [[nodiscard]] ProgressCallback callback();

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] bool due(Clock::time_point now) const;

    std::string label_;
    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> drawn_;
    bool terminal_;
    ProgressCallback listener_;
};

// "label  42 %  3 s left", the text the bar shows.
std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total,
                          double elapsed_seconds);

}  // namespace plimsoll

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace plimsoll {

// Told how far a long calculation is; the library calls it, a face decides what to show.
using ProgressCallback = std::function<void(std::uint64_t done, std::uint64_t total)>;

// A line "label  42 %  3 s left" on stderr from the second second on; silent when stderr is not a terminal.
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
    std::string label_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_{};
    bool terminal_;
    bool visible_ = false;
};

// "label  42 %  3 s left", the text the bar shows.
std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total,
                          double elapsed_seconds);

}  // namespace plimsoll

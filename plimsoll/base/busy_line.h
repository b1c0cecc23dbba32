#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "plimsoll/base/progress.h"

namespace plimsoll {

// Says every moment on stderr, as a ProgressBar does, that `what` is being done, for how long, and how far it
// is reported: for work that reports seldom or never. Gone from the screen when it ends.
class BusyLine {
  public:
    explicit BusyLine(std::string what);
    ~BusyLine();
    BusyLine(const BusyLine&) = delete;
    BusyLine& operator=(const BusyLine&) = delete;

    void update(std::uint64_t done, std::uint64_t total);
    // The line as a callback; the line must outlive it.
    [[nodiscard]] ProgressCallback callback();

  private:
    void watch(const std::string& what);

    ProgressCallback listener_;
    std::mutex mutex_;
    std::uint64_t done_ = 0, total_ = 0;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread thread_;
};

// What set_progress_listener() gave this thread: a BusyLine passes everything on to it.
ProgressCallback progress_listener();

}  // namespace plimsoll

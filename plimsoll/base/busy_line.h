#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace plimsoll {

// Says every moment on stderr, as a ProgressBar does, that `what` is being done and for how long: for work
// that tells nothing while it runs. Gone from the screen when it ends.
class BusyLine {
  public:
    explicit BusyLine(std::string what);
    ~BusyLine();
    BusyLine(const BusyLine&) = delete;
    BusyLine& operator=(const BusyLine&) = delete;

  private:
    void watch(const std::string& what);

    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace plimsoll

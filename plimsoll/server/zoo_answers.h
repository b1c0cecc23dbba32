#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "plimsoll/server/map_data.h"

namespace plimsoll::server {

// The judged zoo, made by a thread of its own while the server already answers.
class ZooAnswers {
  public:
    ZooAnswers();
    // Leaves the judging where it is.
    ~ZooAnswers();
    ZooAnswers(const ZooAnswers&) = delete;
    ZooAnswers& operator=(const ZooAnswers&) = delete;

    // Calls back once it is there: now, or on that thread.
    void when_ready(std::function<void()> tell);

    // What /api/v1/map answers, and an audit by zoo_argument(); once it is ready.
    [[nodiscard]] const std::string& map() const { return map_; }
    [[nodiscard]] const std::string& audit(const std::string& name) const { return zoo_.audits.at(name); }

  private:
    void judge();

    JudgedZoo zoo_;
    std::string map_;
    std::mutex mutex_;
    bool ready_ = false;
    std::vector<std::function<void()>> waiting_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;  // last: it uses the others
};

}  // namespace plimsoll::server

#include "plimsoll/base/busy_line.h"

#include <chrono>
#include <csignal>

#include "plimsoll/base/progress.h"

namespace plimsoll {
namespace {

constexpr std::chrono::milliseconds between_looks{200};

// A signal is for the thread that works.
void leave_signals_to_others() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

BusyLine::BusyLine(std::string what) : thread_([this, what = std::move(what)] { watch(what); }) {}

BusyLine::~BusyLine() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void BusyLine::watch(const std::string& what) {
    leave_signals_to_others();
    ProgressBar bar(what);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between_looks, [this] { return over_; })) bar.update(0, 0);
}

}  // namespace plimsoll

#include "plimsoll/base/busy_line.h"

#include <chrono>
#include <csignal>

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

BusyLine::BusyLine(std::string what) : listener_(progress_listener()) {
    if (!listener_) thread_ = std::thread([this, what = std::move(what)] { watch(what); });
}

BusyLine::~BusyLine() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void BusyLine::update(std::uint64_t done, std::uint64_t total) {
    if (listener_) return listener_(done, total);
    const std::lock_guard lock(mutex_);
    done_ = done;
    total_ = total;
}

ProgressCallback BusyLine::callback() {
    return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

void BusyLine::watch(const std::string& what) {
    leave_signals_to_others();
    ProgressBar bar(what);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between_looks, [this] { return over_; })) bar.update(done_, total_);
}

}  // namespace plimsoll

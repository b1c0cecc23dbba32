#include "plimsoll/rank/parallel_tasks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "plimsoll/rank/lapack.h"

namespace plimsoll::rank {
namespace {

// The tasks that are left, and the first thing that went wrong.
class Queue {
  public:
    Queue(std::size_t count, const std::function<void(std::size_t)>& task) : count_(count), task_(task) {}

    void work() {
        const BlasThreads one(1);
        for (std::size_t i = next_++; i < count_; i = next_++) {
            try {
                task_(i);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (problem_ == nullptr) problem_ = std::current_exception();
            }
        }
    }
    void rethrow() const {
        if (problem_ != nullptr) std::rethrow_exception(problem_);
    }

  private:
    std::size_t count_;
    const std::function<void(std::size_t)>& task_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::exception_ptr problem_;
};

}  // namespace

void run_tasks(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
    Queue queue(count, task);
    std::vector<std::jthread> helpers;
    const std::size_t wanted = std::min(count, static_cast<std::size_t>(std::max(1, threads)));
    for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back([&queue] { queue.work(); });
    queue.work();
    helpers.clear();
    queue.rethrow();
}

BlasThreads::BlasThreads(int threads) : before_(std::max(1, lapack::threads())) {
    lapack::set_threads(threads);
}

BlasThreads::~BlasThreads() { lapack::set_threads(before_); }

int threads_of(int asked) {
    return asked > 0 ? asked : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace plimsoll::rank

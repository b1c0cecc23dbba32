#pragma once

#include <cstddef>
#include <functional>

namespace plimsoll::rank {

// Runs task(0) ... task(count - 1) on up to `threads` threads, in any order, with BLAS on one thread inside
// each: independent products on one core each beat one product on many. What a task throws is thrown here.
void run_tasks(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

// Gives BLAS `threads` threads for the calls of this thread within a scope, then as many as before.
class BlasThreads {
  public:
    explicit BlasThreads(int threads);
    ~BlasThreads();
    BlasThreads(const BlasThreads&) = delete;
    BlasThreads& operator=(const BlasThreads&) = delete;

  private:
    int before_;
};

// How many threads `asked` means: itself, or all of the machine's for 0.
int threads_of(int asked);

}  // namespace plimsoll::rank

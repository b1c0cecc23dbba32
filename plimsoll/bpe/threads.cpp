#include "plimsoll/bpe/threads.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace plimsoll::bpe {

std::size_t thread_count(std::size_t asked) {
    return asked > 0 ? asked : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void run_on_threads(std::size_t threads, const std::function<void(std::size_t)>& work) {
    std::vector<std::exception_ptr> problems(threads);
    const auto guarded = [&](std::size_t index) {
        try {
            work(index);
        } catch (...) {
            problems[index] = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    others.reserve(threads);
    for (std::size_t index = 1; index < threads; ++index) others.emplace_back(guarded, index);
    guarded(0);
    others.clear();  // joins
    for (const auto& problem : problems) {
        if (problem) std::rethrow_exception(problem);
    }
}

}  // namespace plimsoll::bpe
